"""Each known mistake, alone and in pairs, is named from its numbers alone."""

import itertools

import numpy as np
import pytest
from test_read_right import draw

from attncheck import read_run
from attncheck.formats import round_to
from attncheck.mistakes import Sizes, catalogue
from attncheck.model import Model, attend
from attnlib import scaled_dot_product_attention

pytestmark = pytest.mark.slow

SHAPE = (2, 4, 2, 21, 45, 16)
SQUARE = (1, 2, 2, 37, 37, 8)
BASES = {
    "plain": (Model(), {}),
    "window": (
        Model(window=(4, 0), softcap=4.0),
        {"is_causal": True, "window": (4, 0), "softcap": 4.0},
    ),
}


def sizes(shape):
    _, h, g, n, m, d = shape
    return Sizes(h, g, n, m, d, d)


def with_mask(base, keywords, shape):
    mask = np.random.default_rng(7).random(shape[3:5]) > 0.3
    return base.change(allowed=mask), {**keywords, "mask": mask}


def made(what, shape, masked):
    """Every mistake that this changes: the model, the keywords, what is wrong."""
    model, keywords = BASES[what]
    if masked:
        model, keywords = with_mask(model, keywords, shape)
    for mistake in catalogue():
        changed = mistake.change(model, sizes(shape))
        if changed is not None:
            yield model, keywords, mistake, changed


# The group that names most is in `make quick`, the others in `make test` alone.
QUICK = ("float32", "window", SHAPE, False)
GROUPS = [
    pytest.param(*group, marks=[] if group == QUICK else pytest.mark.slow)
    for group in itertools.product(
        ("float32", "float16"), BASES, (SHAPE, SQUARE), (False, True)
    )
    if group[1] == "plain" or not group[3]
]


@pytest.mark.parametrize(("name", "what", "shape", "masked"), GROUPS)
def test_every_single_mistake_is_named(name, what, shape, masked):
    """By its code, or by one that gives the same numbers; never as another."""
    named, wrongly = set(), []
    for model, keywords, mistake, changed in made(what, shape, masked):
        q, k, v = draw(shape, name)
        with np.errstate(all="ignore"):
            output = round_to(attend(q, k, v, changed).output, name)
            right = attend(q, k, v, model).output
        if not np.isfinite(output).all() or np.abs(output - right).max() < 0.02:
            continue
        report = read_run(q, k, v, output, dtype=name, **keywords)
        codes = report.details.get("mistakes", [])
        if name != "float32" and report.status == 0:
            continue  # too small for this format
        if codes == [mistake.code]:
            named.add(mistake.code)
        elif not _same_numbers(codes, model, shape, changed, (q, k, v)):
            wrongly.append((mistake.code, codes))
    assert wrongly == []
    assert len(named) > 50


def _same_numbers(codes, model, shape, changed, arrays):
    found = [m for m in catalogue() if [m.code] == codes]
    if not found:
        return False
    other = found[0].change(model, sizes(shape))
    outputs = (attend(*arrays, m).output for m in (other, changed))
    return np.allclose(*outputs, rtol=2e-2, atol=2e-2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("codes", "keywords"),
    [
        (("scale: 1 (none)", "alignment: one-too-many"), {"is_causal": True}),
        (("scale: 1/d_k", "grouping: tile"), {}),
        (("normalized: queries", "alignment: none"), {"is_causal": True}),
        (("roles: qvk", "mask: may not attend"), {}),
        (("values: reversed", "scale: √d_k"), {}),
    ],
)
@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_pairs_are_named(codes, keywords, name):
    model = Model(window=(None, 0)) if keywords else Model()
    if any(code.startswith("mask") for code in codes):
        model, keywords = with_mask(model, keywords, SHAPE)
    known = {mistake.code: mistake for mistake in catalogue()}
    wrong = model
    for code in codes:
        wrong = known[code].change(wrong, sizes(SHAPE))
    q, k, v = draw(SHAPE, name, size=1.5)
    output = round_to(attend(q, k, v, wrong).output, name)
    report = read_run(q, k, v, output, dtype=name, **keywords)
    assert set(report.details["mistakes"]) == set(codes)
    assert report.status == 1
    assert len(report.problems) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"scale": 0.317}, "scale", "multiplied by 0.317"),
        ({"softcap": 7.5}, "softcap", "capped at 7.5"),
        ({"window": (11, 0)}, "window", "sees 11 keys before its own"),
    ],
)
def test_mistakes_with_a_number_of_their_own(change, code, words):
    q, k, v = draw(SQUARE, "float32", size=2.0)
    output = attend(q, k, v, Model().change(**change)).output.astype(np.float32)
    report = read_run(q, k, v, output)
    assert [problem.code for problem in report.problems] == [code]
    assert words in report.problems[0].sentence


def test_where_it_is_wrong():
    q, k, v = draw((1, 4, 4, 64, 64, 8), "float32")
    output = attend(q, k, v, Model()).output.astype(np.float32)
    output[0, 2, 32:] *= 1.02
    report = read_run(q, k, v, output)
    assert report.problems[0].code == "unknown"
    assert "head 2 of 4" in report.problems[0].sentence
    assert "queries 32–63 (from a multiple of 32 on) of 64" in str(report.details)


def test_nan_is_a_problem():
    q, k, v = draw((1, 1, 1, 6, 6, 4), "float32")
    output = attend(q, k, v, Model()).output
    output[0, 0, 4] = np.nan
    assert read_run(q, k, v, output).problems[0].code == "nan"


@pytest.mark.parametrize("stage", ["scores", "weights", "output"])
def test_the_first_stage_that_differs(stage):
    q, k, v = draw(SQUARE, "float64")
    found = attend(q, k, v, Model())
    scores, weights, output = found.scores, found.weights, found.output
    if stage == "scores":
        scores = scores * 8**0.5
    if stage != "output":
        e = np.exp(scores if stage == "scores" else 0.9 * scores)
        weights = e / e.sum(-1, keepdims=True)
        output = weights @ v
    else:
        output = weights @ v[..., ::-1, :]
    report = read_run(q, k, v, output, scores=scores, weights=weights)
    assert report.details["first_wrong_stage"] == stage


def test_of_weights_that_were_not_given_nothing_is_said():
    q, k, v = draw(SQUARE, "float64")
    found = attend(q, k, v, Model())
    report = read_run(q, k, v, 1.5 * found.output[..., ::-1, :], scores=found.scores)
    assert report.sentences[0] == (
        "The scores are right; the weights, or the product with the values, are wrong."
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"output": np.ones((2, 3, 5))}, "must go together"),
        ({"key": np.ones((3, 4))}, "two, three or four axes"),
        ({"mask": np.ones((3, 3), int)}, "mask must be boolean"),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    arrays = dict.fromkeys(("query", "key", "value", "output"), np.ones((2, 3, 4)))
    with pytest.raises(ValueError, match=words):
        read_run(**{**arrays, **change})


RULES = {
    "prefix": (
        lambda i, j: (j <= i) | (j < 5),
        {"is_causal": True},
        "the first 5 keys",
    ),
    "kept": (
        lambda i, j: (j <= i) & ((i - j < 8) | (j < 4)),
        {"window": (7, 0)},
        "the 7 before it and the first 4",
    ),
    "steps": (
        lambda i, j: (j <= i) & ((i - j) % 3 == 0),
        {"is_causal": True},
        "a multiple of 3",
    ),
    "anew": (lambda i, j: j <= i % 16, {"is_causal": True}, "each block of 16 queries"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_mask_that_is_no_band_is_named_from_one_run(name):
    seen, meant, words = RULES[name]
    q, k, v = draw((1, 2, 2, 40, 40, 16), "float32")
    mask = seen(np.arange(40)[:, None], np.arange(40))
    output = scaled_dot_product_attention(q, k, v, mask=mask).astype(np.float32)
    (problem,) = read_run(q, k, v, output, **meant).problems
    assert problem.code == "rule"
    assert words in problem.sentence


def test_masks_that_are_mixed_up_are_named():
    q, k, v = draw((2, 3, 3, 12, 12, 8), "float32")
    mask = np.random.default_rng(0).random((2, 3, 12, 12)) > 0.3
    bias = np.random.default_rng(1).standard_normal((12, 12))

    def mistakes(wrong, meant):
        output = scaled_dot_product_attention(q, k, v, mask=wrong).astype(np.float32)
        return read_run(q, k, v, output, mask=meant).details["mistakes"]

    assert mistakes(mask[:1], mask) == ["mask: of the first sentence"]
    assert mistakes(mask[:, :1], mask) == ["mask: of the first head"]
    assert mistakes(-bias, bias) == ["mask: subtracted"]
    assert mistakes(2 * bias, bias) == ["mask: added twice"]
