"""Faults that shipped somewhere, each noticed, and named for what it is."""

import numpy as np
import pytest
from attentions import make, repeat, rope

from attncheck import ask, read_run
from attncheck.formats import round_to
from attncheck.mistakes import Sizes, catalogue
from attncheck.model import Model, attend

pytestmark = pytest.mark.slow

PLAIN = make()


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def scores_of(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


def with_mask(query, key, value, mask=None, *, hide):
    s = scores_of(query, key)
    return softmax(s if mask is None else hide(s, mask)) @ value


def masked(hide):
    return lambda query, key, value, mask=None: with_mask(
        query, key, value, mask, hide=hide
    )


def padded(query, key, value, block=16):
    more = -key.shape[-2] % block
    wide = [(0, 0), (0, 0), (0, more), (0, 0)]
    return PLAIN(query, np.pad(key, wide), np.pad(value, wide))


def keys_of_the_first(query, key, value):
    return PLAIN(query, np.broadcast_to(key[:1], key.shape), value)


def first_alone(query, key, value):
    output = PLAIN(query, key, value)
    output[1:] = 0
    return output


def clipped(query, key, value):
    return softmax(np.clip(scores_of(query, key), -10, 10)) @ value


def blocks_averaged(query, key, value):
    m = key.shape[-2]
    parts = [
        PLAIN(query, key[..., j : j + 16, :], value[..., j : j + 16, :])
        for j in range(0, m, 16)
    ]
    return np.mean(parts, axis=0).astype(query.dtype)


def no_query_tail(query, key, value):
    output = PLAIN(query, key, value)
    n = output.shape[-2]
    output[..., n - n % 64 :, :] *= n < 64
    return output


def no_tail_of_256(query, key, value):
    m = key.shape[-2]
    kept = m - m % 256 if m > 256 else m
    return PLAIN(query, key[..., :kept, :], value[..., :kept, :])


def turned(query, key, value, *, only=None, late=0):
    q = query if only == "k" else rope(query)
    start = np.zeros_like(key[..., :late, :])
    k = key if only == "q" else rope(np.concatenate([start, key], -2))[..., late:, :]
    return PLAIN(q, k, value).astype(query.dtype)


def online(query, key, value, block=32, rescale=True):
    """Go through the keys block by block, as fast kernels do."""
    scores = scores_of(query, key)
    top, total, out = np.full_like(scores[..., :1], -np.inf), 0.0, 0.0
    for j in range(0, scores.shape[-1], block):
        s, v = scores[..., j : j + block], value[..., j : j + block, :]
        new = np.maximum(top, s.max(-1, keepdims=True))
        e, shrink = np.exp(s - new), np.exp(top - new)
        total = total * shrink + e.sum(-1, keepdims=True)
        out = out * (shrink if rescale or j == 0 else 1) + e @ v
        top = new
    return (out / total).astype(query.dtype)


def first_sentence_causal(query, key, value):
    output = PLAIN(query, key, value)
    causal = make(sees=lambda i, j, more: j <= i)
    output[:1] = causal(query[:1], key[:1], value[:1])
    return output


def columns_of_full_blocks(query, key, value):
    output = PLAIN(query, key, value)
    output[..., output.shape[-1] // 16 * 16 :] = 0
    return output


def half_of_the_columns(query, key, value):
    half = query.shape[-1] // 2
    s = query[..., :half] @ key[..., :half].swapaxes(-1, -2)
    return softmax(s / np.sqrt(query.shape[-1])) @ value


def small_number_in_the_sum(query, key, value):
    s = scores_of(query, key)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / (e.sum(-1, keepdims=True) + 0.01) @ value


def masks_of_the_next_sentence(scores, mask):
    return np.where(mask if mask.ndim < 4 else np.roll(mask, 1, 0), scores, -np.inf)


CASES = {
    "not rescaled": (
        lambda q, k, v: online(q, k, v, rescale=False),
        "blocks",
        "not rescaled when the maximum rises (blocks of 32 keys)",
    ),
    "causal in one sentence": (
        first_sentence_causal,
        "sentences-differ",
        "depends on the sentence",
    ),
    "columns of full blocks": (columns_of_full_blocks, "columns", "those from 64 on"),
    "half of the columns": (
        half_of_the_columns,
        "columns-not-used",
        "Only columns 0 to 31 of 64",
    ),
    "mask of the next sentence": (
        masked(masks_of_the_next_sentence),
        "mask-of-another-sentence",
        "not every one was used for its own sentence",
    ),
    "0 · −∞": (
        masked(lambda s, mask: s + (1.0 - mask) * -np.inf),
        "mask-nan",
        "makes all of it NaN",
    ),
    "values rotated": (
        lambda q, k, v: turned(q, k, rope(v)),
        "rotary",
        "The values are rotated, too",
    ),
    "a small number in the sum": (
        small_number_in_the_sum,
        "rows",
        "0.01 is added to each sum",
    ),
    "zeros": (lambda q, k, v: np.zeros_like(q), "nothing", "nothing but 0"),
    "even": (
        lambda q, k, v: np.repeat(v.mean(-2, keepdims=True), q.shape[-2], -2),
        "scores-not-used",
        "do not depend on queries",
    ),
    "padding": (padded, "padding", "fill a block of 16"),
    "columns rolled": (
        lambda q, k, v: np.roll(PLAIN(q, k, v), 1, -1),
        "columns-moved",
        "Column i of the output is made of column i − 1",
    ),
    "heads reversed": (
        lambda q, k, v: PLAIN(q, k, v)[:, ::-1],
        "heads-moved",
        "reversed",
    ),
    "keys of the first": (keys_of_the_first, "mixed-axes", "keys reaches outputs of"),
    "first alone": (first_alone, "nothing-for-some", "sentences 1 2 of 3 are 0"),
    "filled with 0": (
        masked(lambda s, mask: np.where(mask, s, 1e-9)),
        "mask-leaks",
        "gets the score 0",
    ),
    "filled with −10": (
        masked(lambda s, mask: np.where(mask, s, -10.0)),
        "mask-leaks",
        "gets the score -10",
    ),
    "mask of head 0": (
        masked(lambda s, m: np.where(m[:, :1] if m.ndim > 3 else m, s, -np.inf)),
        "mask-of-one-head",
        "used that of one",
    ),
    "mask for head 0": (
        masked(
            lambda s, m: np.where(
                np.arange(s.shape[1])[:, None, None] < 1, np.where(m, s, -np.inf), s
            )
        ),
        "mask-of-some-heads",
        "reaches 1 of 2 heads",
    ),
    "mask transposed": (
        masked(lambda s, m: np.where(m.swapaxes(-1, -2), s, -np.inf)),
        "mask-transposed",
        "exchanged",
    ),
    "clipped": (clipped, "scores-clipped", "clipped at about 10"),
    "clipped before the scale": (
        lambda q, k, v: softmax(np.clip(8 * scores_of(q, k), -10, 10) / 8) @ v,
        "scores-clipped",
        "clipped at about 1.25",
    ),
    "last of 257 dropped": (
        no_tail_of_256,
        "tail-dropped",
        "from 256 on",
    ),
    "queries of a tail": (no_query_tail, "tail-dropped", "from 64 on get nothing"),
    "first key": (
        make(sees=lambda i, j, more: (j > 0) & (i >= 0)),
        "tail-dropped",
        "the value of the first reaches no output",
    ),
    "softmax twice": (
        lambda q, k, v: softmax(softmax(scores_of(q, k))) @ v,
        "normalized",
        "taken twice",
    ),
    "keys for values": (lambda q, k, v: PLAIN(q, k, k), "roles", "Keys are used as"),
    "values for keys": (lambda q, k, v: PLAIN(q, v, v), "roles", "Values are used as"),
    "only keys rotated": (
        lambda q, k, v: turned(q, k, v, only="k"),
        "rotary",
        "Only the keys",
    ),
    "keys one later": (
        lambda q, k, v: turned(q, k, v, late=1),
        "rotary",
        "by one place more",
    ),
    "ALiBi's sign": (
        make(slope=lambda h: [-0.1] * h),
        "alibi-sign",
        "grow with distance",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_noticed_and_named(name):
    function, code, words = CASES[name]
    report = ask(function)
    said = {problem.code: problem.sentence for problem in report.problems}
    assert words in said.get(code, ""), str(report)


@pytest.mark.slow
def test_blocks_averaged_are_named_and_not_called_dropped():
    (problem,) = ask(blocks_averaged).problems
    assert problem.code == "blocks"
    assert "averaged" in problem.sentence


@pytest.mark.slow
def test_what_could_not_be_told_is_not_said_to_differ():
    report = ask(blocks_averaged, meant={"scale_name": "1/√d_k"})
    assert "it is None" not in str(report)


@pytest.mark.parametrize(
    ("scale", "name"),
    [
        (lambda q, k: (q.shape[1] * q.shape[3]) ** -0.5, "1/√(n_heads·d_k)"),
        (lambda q, k: 1 / int(q.shape[3] ** 0.5), "1/⌊√d_k⌋"),
        (lambda q, k: (q.shape[3] + 15) // 16 * 0.01, "0.04 at d_k = 64; 0.02 at d_k"),
    ],
)
def test_a_scale_that_looks_right_at_one_size(scale, name):
    report = ask(lambda q, k, v: make(scale=scale(q, k))(q, k, v))
    assert report.facts["scale_name"].startswith(name)


def test_a_scale_of_so_many_keys_is_told_of_no_other_number():
    report = ask(lambda q, k, v: make(scale=k.shape[2] ** -0.5)(q, k, v))
    assert report.facts["scale"] is None
    assert "Scores are multiplied by 1/√n_keys." in report.sentences
    assert not [x for x in report.sentences if x.startswith("Scores are query")]


def test_a_cap_is_found_though_queries_are_rotated():
    report = ask(make(cap=50.0, turn=rope))
    assert (report.facts["position"], report.facts["softcap"]) == ("rotary", 50.0)
    assert report.status == 0


def test_what_falls_to_nothing_is_no_window():
    report = ask(make(slope=lambda h: [1.0] * h, sees=lambda i, j, more: j <= i))
    assert (report.facts["alignment"], report.facts["window"]) == ("start", None)


def test_another_layout_is_a_problem_once_something_is_meant():
    def swapped(query, key, value):
        turn = (x.swapaxes(1, 2) for x in (query, key, value))
        return PLAIN(*turn).swapaxes(1, 2)

    assert ask(swapped).problems == []
    problems = ask(swapped, meant={"alignment": "none"}).problems
    assert [problem.code for problem in problems] == ["layout"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_large_scores_do_not_let_rounding_explain_everything(name):
    rng = np.random.default_rng(1)
    q, k, v = (round_to(rng.standard_normal((1, 2, 12, 48)), name) for _ in range(3))
    output = round_to(attend(q, k, v, Model()).output, name)
    output[0, 0, 3, 5] += 0.5
    report = read_run(q, k, v, output, dtype=name)
    assert [problem.code for problem in report.problems] == ["unknown"]


def test_a_mask_for_each_sentence():
    rng = np.random.default_rng(2)
    q, k, v = rng.standard_normal((3, 2, 3, 9, 8)).astype(np.float32)
    mask = rng.random((2, 1, 9, 9)) > 0.4
    output = attend(q, k, v, Model(allowed=~mask)).output.astype(np.float32)
    report = read_run(q, k, v, output, mask=mask)
    assert report.details["mistakes"] == ["mask: may not attend"]


@pytest.mark.slow
def test_sums_over_queries_are_found_in_pairs_at_a_large_size():
    rng = np.random.default_rng(3)
    q, k, v = rng.standard_normal((3, 1, 1, 400, 16)).astype(np.float32)
    known = {mistake.code: mistake for mistake in catalogue()}
    codes, model = ["scale: 1 (none)", "normalized: queries"], Model()
    for code in codes:
        model = known[code].change(model, Sizes(1, 1, 400, 400, 16, 16))
    output = attend(q, k, v, model).output.astype(np.float32)
    assert read_run(q, k, v, output).details["mistakes"] == codes


def test_blocks_put_together_rightly_are_right():
    assert ask(online).status == 0


def test_heads_that_see_different_keys_are_told_apart():
    def one_head_causal(query, key, value):
        output = PLAIN(query, key, value)
        causal = make(sees=lambda i, j, more: j <= i)
        output[:, :1] = causal(query[:, :1], key[:, :1], value[:, :1])
        return output

    report = ask(one_head_causal)
    assert report.problems == []
    assert "head by head: 78 144" in report.unexplained


@pytest.mark.parametrize("logit", [0.0, -2.0, -5.0])
def test_a_small_sink_shows_when_there_is_one_key(logit):
    report = ask(make(sink=logit), meant={"normalized": "sink"})
    assert report.status == 0
    np.testing.assert_allclose(report.details["sinks"], logit, atol=0.02)


def test_a_window_that_is_meant_is_looked_for_in_slow_functions_too():
    import time

    def slow(query, key, value):
        time.sleep(0.06)
        sees = make(sees=lambda i, j, more: (j <= i) & (j >= i - 31))
        return sees(query, key, value)

    meant = {"window": (31, 0), "alignment": "start"}
    assert ask(slow, meant=meant).problems == []


def test_a_run_of_zeros_is_not_given_a_name():
    q, k, v = np.random.default_rng(4).standard_normal((3, 1, 2, 7, 8))
    report = read_run(q, k, v, 0 * v)
    assert [problem.code for problem in report.problems] == ["nothing"]


def test_shared_heads_that_go_wrong_are_told_once_and_not_as_if_they_were_right():
    def by_group(q, k, v):
        output = make(groups=repeat)(q, k, v)
        b, h, n, d = output.shape
        groups = output.reshape(b, k.shape[1], h // k.shape[1], n, d)
        return groups.swapaxes(1, 2).reshape(b, h, n, d)

    report = ask(by_group, meant={"grouping": "repeat"})
    assert [problem.code for problem in report.problems] == ["grouping"], report
    assert "give something else" in report.problems[0].sentence
    assert not [line for line in report.sentences if line.startswith("Six query")]


def by_count(q, k, v):
    h, g = q.shape[1], k.shape[1]
    heads = np.minimum(np.arange(h) // g, g - 1)
    return PLAIN(q, k[:, heads], v[:, heads])


def test_heads_that_are_shared_by_their_count_are_named():
    report = ask(by_count)
    said = {problem.code: problem.sentence for problem in report.problems}
    assert "reads key head h ÷ n_kv_heads" in said["grouping"], report


def test_keys_of_an_earlier_call_are_told():
    kept = {}

    def cached(q, k, v):
        return PLAIN(q, kept.setdefault(k.shape, k), v)

    (problem,) = ask(cached).problems
    assert problem.code == "keys-left-over"
    assert "keys of an earlier call" in problem.sentence


def test_a_scale_that_multiplies_the_weights_is_told():
    report = ask(lambda q, k, v: make(scale=1.0)(q, k, v) / np.sqrt(q.shape[-1]))
    (problem,) = report.problems
    assert problem.code == "rows"
    assert "0.125, which is 1/√d_k: it multiplies the weights" in problem.sentence
    assert report.facts["scale_name"] == "1 (none)"


@pytest.mark.parametrize(
    ("less", "words"),
    [
        (lambda m: 0.0, "Weights are sigmoids of the scores:"),
        (np.log, "Weights are sigmoids of the score less log n_keys:"),
        (lambda m: 1.5, "Weights are sigmoids of the score less 1.5:"),
    ],
)
def test_sigmoids_are_told_apart(less, words):
    def sigmoid(q, k, v):
        return 1 / (1 + np.exp(less(k.shape[-2]) - scores_of(q, k))) @ v

    report = ask(sigmoid)
    assert [problem.code for problem in report.problems] == ["rows"], report
    assert report.problems[0].sentence.startswith(words)
    assert ask(sigmoid, meant={"normalized": "no"}).problems == []


def test_keys_without_the_conjugate_are_named():
    def turned_by(x):
        n, d = x.shape[-2:]
        z = x[..., ::2] + 1j * x[..., 1::2]
        return z * np.exp(1j * np.arange(n)[:, None] / 1e4 ** (np.arange(0, d, 2) / d))

    def complex_product(q, k, v):
        s = (turned_by(q) @ turned_by(k).swapaxes(-1, -2)).real
        return softmax(s / np.sqrt(q.shape[-1])) @ v

    (problem,) = ask(complex_product, meant={"position": "rotary"}).problems
    assert "as complex numbers, with no conjugate" in problem.sentence
