"""One run: right in every format, or the value that is off, or where it is wrong."""

import itertools

import numpy as np
import pytest

from attncheck import read_run
from attncheck.claim import Claim, Run
from attncheck.formats import FORMATS as KNOWN
from attncheck.formats import round_to
from attncheck.model.attending import attend
from attncheck.model.domain import ALL, DOMAIN
from attncheck.model.fields import Model, Sizes
from attncheck.model.moves import LOSES_LAST
from attncheck.verify import refuted_or_judged
from attnlib import scaled_dot_product_attention

SHAPES = [(1, 1, 1, 5, 5, 3), (2, 6, 2, 33, 33, 16), (1, 4, 4, 17, 65, 64)]
FLOAT32 = KNOWN["float32"]
FORMATS = ["float32", "float16", "bfloat16"]
KEYWORDS = {
    "plain": {},
    "causal": {"is_causal": True},
    "window": {"is_causal": True, "window": (7, 0)},
    "cache": {"is_causal": True, "query_offset": 3},
    "cap": {"softcap": 5.0},
    "scale": {"scale": 1.0},
}


def draw(shape, name, size=1.0, seed=0):
    b, h, g, n, m, d = shape
    rng = np.random.default_rng(seed)
    sizes = ((b, h, n, d), (b, g, m, d), (b, g, m, d))
    return [round_to(size * rng.standard_normal(s), name) for s in sizes]


def roughly(q, k, v, keywords, name, mask=None):
    """Attention with every step rounded to the format, as a plain program does it."""
    d, group = q.shape[-1], q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, group, axis=1) for x in (k, v))
    scores = round_to(q @ k.swapaxes(-1, -2), name)
    scores = round_to(scores * keywords.get("scale", d**-0.5), name)
    if cap := keywords.get("softcap"):
        scores = round_to(cap * np.tanh(scores / cap), name)
    n, m = scores.shape[-2:]
    i = np.arange(n)[:, None] + keywords.get("query_offset", 0)
    j = np.arange(m)
    allowed = np.ones((n, m), bool) if mask is None else mask
    if "is_causal" in keywords:
        allowed = allowed & (j <= i)
    if "window" in keywords:
        allowed = allowed & (j >= i - keywords["window"][0])
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    low = round_to(scores - np.where(np.isfinite(top), top, 0), name)
    e = round_to(np.exp(low), name)
    total = e.sum(-1, keepdims=True)
    weights = round_to(e / np.where(total > 0, total, 1), name)
    return round_to(weights @ v, name)


CASES = list(itertools.product(SHAPES, FORMATS, KEYWORDS, [0.3, 3.0]))


@pytest.mark.parametrize(("shape", "name", "what", "size"), CASES)
def test_right_runs_raise_no_alarm(shape, name, what, size):
    keywords = KEYWORDS[what]
    q, k, v = draw(shape, name, size)
    output = roughly(q, k, v, keywords, name)
    report = read_run(q, k, v, output, dtype=name, **keywords)
    assert report.status == 0, str(report)
    assert read_run(q, k, v, output, **keywords).status == 0


def test_masks_that_are_given():
    q, k, v = draw((2, 2, 2, 9, 21, 8), "float32")
    mask = np.random.default_rng(1).random((2, 1, 9, 21)) > 0.4
    mask[0, 0, 3] = False  # fully masked
    output = roughly(q, k, v, {}, "float32", mask)
    report = read_run(q, k, v, output, mask=mask)
    assert report.status == 0, str(report)
    assert (report.facts["empty_row"], report.facts["mask"]) == ("zeros", "may attend")
    assert report.computes.endswith(": the mask that was passed.")


@pytest.mark.parametrize("item", [np.s_[:], 0])
def test_a_scale_is_fitted_beside_a_mask_for_each_head(item):
    q, k, v = (x[item] for x in draw((3, 2, 2, 12, 12, 8), "float32"))
    mask = np.random.default_rng(0).random((3, 2, 12, 12))[item] < 0.7
    mask[..., 0] = True
    output = scaled_dot_product_attention(q, k, v, mask=mask, scale=0.3)
    report = read_run(q, k, v, output, mask=mask)
    assert [str(problem) for problem in report.problems] == ["scale: scores × 0.3"]


def test_axes_may_be_fewer_or_in_another_order():
    q, k, v = draw((1, 3, 3, 7, 9, 4), "float64")
    output = attend(q, k, v, Model()).output
    assert read_run(q[0], k[0], v[0], output[0]).status == 0
    assert read_run(q[0, 0], k[0, 0], v[0, 0], output[0, 0]).status == 0
    turned = [x.swapaxes(1, 2) for x in (q, k, v, output)]
    assert read_run(*turned, layout="bnhd").status == 0


def masks(shape, seed=5):
    seen = np.random.default_rng(seed).random(shape) < 0.7
    seen[..., 0] = True
    return seen


BASES = {
    "causal": Model(window=(None, 0), scale="1/√(n_heads·d_k)"),
    "a mask for each head": Model(allowed=masks((2, 4, 12, 12))),
    "a mask for heads alone": Model(kept=masks((4, 12, 12))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_no_part_of_a_run_refutes_what_gave_it(name):
    """A few queries, of one head, of an output that is moved back: all by the claim.

    Each value with one order of the output, in turn, and with the one that loses the
    last query, which cannot always be moved back.
    """
    q, k, v = draw((2, 4, 2, 12, 12, 8), "float32")
    some = [None, *(v for v in ALL if v.field != "layout" or name == "causal")]
    orders = [*DOMAIN["output_order"], None]
    (loses,) = (one for one in orders[:-1] if one.name == LOSES_LAST)
    turns = zip(itertools.cycle(orders), some, strict=False)
    for order, value in [*turns, *((loses, value) for value in some)]:
        claim = Claim(BASES[name]).plus(*filter(None, (value, order)))
        run = Run(q, k, v, np.zeros_like(q), FLOAT32)
        with np.errstate(all="ignore"):
            output = attend(q, k, v, claim.at(run)).output
            run = Run(q, k, v, output, FLOAT32)
            assert refuted_or_judged(run, claim).ok, (value, order)


SHAPE, SQUARE = (2, 4, 2, 21, 45, 16), (1, 2, 2, 37, 37, 8)
CAPPED = {"is_causal": True, "window": (4, 0), "softcap": 4.0}


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", [SHAPE, pytest.param(SQUARE, marks=pytest.mark.release)]
)
def test_every_value_of_the_domain_is_named(shape):
    """By its code, or by one that gives the same numbers; never as another."""
    model = Model(window=(4, 0), softcap=4.0)
    _, h, g, n, m, d = shape
    q, k, v = draw(shape, "float32")
    right, missed = attend(q, k, v, model).output, []
    for value in ALL:
        changed = value.change(model, Sizes(h, g, n, m, d, d))
        if changed is None:
            continue
        with np.errstate(all="ignore"):
            output = attend(q, k, v, changed).output
        if not np.isfinite(output).all() or np.abs(output - right).max() < 0.02:
            continue
        report = read_run(q, k, v, round_to(output, "float32"), **CAPPED)
        if not report.explained or report.status != 1:
            missed.append((value.code, str(report)))
    assert missed == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    ("fields", "keywords", "codes"),
    [
        ({"scale": 1.0, "window": (None, 1)}, {"is_causal": True}, {"scale", "window"}),
        ({"scale": "1/d_k", "grouping": "tile"}, {}, {"scale", "grouping"}),
        ({"values": "reversed", "scale": "√d_k"}, {}, {"values", "scale"}),
    ],
)
def test_two_values_at_once(fields, keywords, codes, name):
    q, k, v = draw(SHAPE, name, size=1.5)
    output = round_to(attend(q, k, v, Model().change(**fields)).output, name)
    report = read_run(q, k, v, output, dtype=name, **keywords)
    assert codes <= {problem.code for problem in report.problems}, str(report)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"),
    [({"scale": 0.317}, "scale"), ({"softcap": 7.5}, "softcap")],
)
def test_numbers_of_their_own(change, code):
    q, k, v = draw(SQUARE, "float32", size=2.0)
    output = attend(q, k, v, Model().change(**change)).output.astype(np.float32)
    report = read_run(q, k, v, output)
    assert [problem.code for problem in report.problems] == [code]
    assert report.facts[code] == pytest.approx(change[code], rel=1e-4)


RULES = {
    "prefix": (lambda i, j: (j <= i) | (j < 5), {"is_causal": True}),
    "kept": (lambda i, j: (j <= i) & ((i - j < 8) | (j < 4)), {"window": (7, 0)}),
    "steps": (lambda i, j: (j <= i) & ((i - j) % 3 == 0), {"is_causal": True}),
    "a window of 11": (lambda i, j: (j <= i) & (i - j < 12), {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_other_masks_are_read_off_one_run(name):
    seen, keywords = RULES[name]
    q, k, v = draw((1, 2, 2, 40, 40, 16), "float32")
    mask = seen(np.arange(40)[:, None], np.arange(40))
    output = scaled_dot_product_attention(q, k, v, mask=mask).astype(np.float32)
    report = read_run(q, k, v, output, **keywords)
    assert report.explained, str(report)
    assert report.status == 1


def test_where_it_is_wrong():
    q, k, v = draw((1, 4, 4, 64, 64, 8), "float32")
    output = attend(q, k, v, Model()).output.astype(np.float32)
    output[0, 2, 32:] *= 1.02
    report = read_run(q, k, v, output)
    assert ([p.code for p in report.problems], report.status) == (["unexplained"], 1)
    where = report.calls[0]["where"]
    assert (where["heads"], where["queries"]) == ([2], list(range(32, 64)))


def test_nan_is_a_problem():
    q, k, v = draw((1, 1, 1, 6, 6, 4), "float32")
    output = attend(q, k, v, Model()).output
    output[0, 0, 4] = np.nan
    report = read_run(q, k, v, output)
    assert report.status == 1
    assert report.calls[0]["where"]["queries"] == [4]


def test_what_ask_knows_is_known_of_runs():
    """The scale after the softmax; arrays in another layout."""
    q, k, v = draw((2, 4, 4, 6, 6, 8), "float32")
    late = attend(q, k, v, Model(scale=1.0)).output / 8**0.5
    codes = {problem.code for problem in read_run(q, k, v, late).problems}
    assert "scale" in codes
    turned = (x.swapaxes(1, 2) for x in (q, k, v))
    other = attend(*turned, Model()).output.swapaxes(1, 2)
    codes = {problem.code for problem in read_run(q, k, v, other).problems}
    assert codes == {"layout"}


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
