"""What `ask` says of right functions, of expectations, and of what it cannot call."""

import numpy as np
import pytest
from attentions import causal, causal_at_end, plain, rope

from attncheck import ask
from attncheck.facts import FACTS, in_our_spelling
from attncheck.formats import round_to
from attncheck.model.fields import SCALES
from attnlib import alibi_bias, rotary_embedding, scaled_dot_product_attention, softmax


def attention(**keywords):
    def function(query, key, value):
        return scaled_dot_product_attention(query, key, value, **keywords)

    return function


def rounded(name):
    inner = plain(sees=causal)

    def function(query, key, value):
        return round_to(inner(query, key, value), name).astype(query.dtype)

    return function


def turned(sign=1, **keywords):
    def function(query, key, value):
        places = sign * np.arange(query.shape[-2])
        q, k = (rotary_embedding(x, positions=places, **keywords) for x in (query, key))
        return scaled_dot_product_attention(q, k, value, is_causal=True)

    return function


def alibi(query, key, value):
    bias = alibi_bias(query.shape[1], query.shape[2], key.shape[2])
    return scaled_dot_product_attention(query, key, value, mask=bias, is_causal=True)


def drawn_by_distance(query, key, value):
    """T5's, drawn; columns are multiplied and added one after another, in float32."""
    n, m = query.shape[2], key.shape[2]
    table = np.random.default_rng([4, query.shape[1]]).standard_normal(
        (query.shape[1], 257)
    )
    place = (np.arange(m) - np.arange(n)[:, None]).clip(-128, 128) + 128
    scores = table[:, place].astype(query.dtype)
    products = np.zeros_like(scores)
    for q, k in zip(np.moveaxis(query, -1, 0), np.moveaxis(key, -1, 0), strict=True):
        products = products + q[..., None] * k[..., None, :]
    return softmax(products + scores) @ value


def tokens_first(query, key, value):
    q, k, v = (x.swapaxes(1, 2) for x in (query, key, value))
    return scaled_dot_product_attention(q, k, v).swapaxes(1, 2)


def side_by_side(query, key, value):
    output = scaled_dot_product_attention(query, key, value, is_causal=True)
    return output.swapaxes(1, 2).reshape(len(output), query.shape[2], -1)


def unit_length(query, key, value):
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key))
    return scaled_dot_product_attention(q, k, value)


def rms(query, key, value):
    parts = [x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) for x in (query, key)]
    return scaled_dot_product_attention(*parts, value)


def in_float16(sink, late=0):
    """Round scores and weights; with `late`, scores are divided by √d only then."""

    def function(query, key, value):
        half, groups = np.float16, query.shape[1] // key.shape[1]
        q, k, v = (np.asarray(x, float) for x in (query, key, value))
        k, v = (np.repeat(x, groups, axis=1) for x in (k, v))
        q, d = q / q.shape[-1] ** ((1 - late) / 2), q.shape[-1]
        s = (q @ k.swapaxes(-1, -2)).astype(half).astype(float) / d ** (late / 2)
        top = np.maximum(s.max(-1, keepdims=True), sink)
        e = np.exp(s.astype(half).astype(float) - top)
        w = e / (e.sum(-1, keepdims=True) + np.exp(sink - top))
        return (w.astype(half).astype(float) @ v).astype(half)

    return function


def rotary_from_the_last_key(query, key, value):
    n, m = query.shape[-2], key.shape[-2]
    q = rotary_embedding(query, positions=np.arange(n) + m - n)
    k = rotary_embedding(key, positions=np.arange(m))
    return scaled_dot_product_attention(
        q, k, value, softcap=30.0, is_causal=True, query_offset=m - n
    )


def wide_at_the_end(query, key, value):
    more = key.shape[-2] - query.shape[-2]
    keywords = {"window": (32, 32), "query_offset": more, "scale": 0.125}
    return scaled_dot_product_attention(query, key, value, **keywords)


def first_keys_kept(query, key, value):
    """A window, beside which the first four keys stay, as StreamingLLM has it."""
    n, m = query.shape[-2], key.shape[-2]
    i, j = np.arange(n) + m - n, np.arange(m)
    q, k = rotary_embedding(query, positions=i), rotary_embedding(key, positions=j)
    seen = (j <= i[:, None]) & ((i[:, None] - j < 12) | (j < 4))
    return scaled_dot_product_attention(q, k, value, mask=seen)


START, ROTARY = {"alignment": "start"}, {"alignment": "start", "position": "rotary"}
RIGHT = {
    "plain": (attention(), {"scale_name": "1/√d_k", "alignment": "none"}),
    "causal": (attention(is_causal=True), START),
    "causal at the end": (plain(sees=causal_at_end, low=-1e30), {"alignment": "end"}),
    "window": (attention(window=(3, 2)), {"window": (3, 2), "alignment": "none"}),
    "window of 100": (
        attention(window=(100, 0), is_causal=True),
        {"window": (100, 0), "alignment": "start"},
    ),
    "groups": (attention(enable_gqa=True), {"grouping": "repeat"}),
    "cap 5": (attention(softcap=5.0), {"softcap": 5.0, "scale_name": "1/√d_k"}),
    "cap 50": (attention(softcap=50.0, is_causal=True), {"softcap": 50.0, **START}),
    "rotary, backwards": (turned(sign=-1), ROTARY),
    "cap and constant scale": (
        attention(softcap=20.0, scale=0.125),
        {"softcap": 20.0, "scale_name": "0.125"},
    ),
    "cap and rotary": (
        rotary_from_the_last_key,
        {"softcap": 30.0, "position": "rotary", "alignment": "end"},
    ),
    "wide window at the end": (wide_at_the_end, {"window": (32, 32)}),
    "scale": (attention(scale=0.3), {"scale": 0.3, "scale_name": "0.3"}),
    "rotary": (turned(), ROTARY),
    "rotary pairs": (turned(interleaved=True, base=5e5), ROTARY),
    "half rotary": (turned(rotary_dim=32), ROTARY),
    "own rotary": (
        plain(turn=lambda x: rope(x, pairs=True, base=1e6)),
        {"position": "rotary"},
    ),
    "first keys kept": (
        first_keys_kept,
        {"alignment": "end", "window": (11, 0), "position": "rotary"},
    ),
    "alibi": (alibi, {"position": "alibi", "alignment": "start"}),
    "bias by distance": (drawn_by_distance, {"position": "other", "scale": 1.0}),
    "sink": (plain(sink=0.5), {"normalized": "sink"}),
    "tokens first": (tokens_first, {"layout": "bnhd"}),
    "heads side by side": (side_by_side, START),
    "unit length": (unit_length, {"alignment": "none"}),
    "rms": (rms, {"alignment": "none", "scale_name": "1/√d_k"}),
}
QUICK = {"plain", "window", "groups", "cap 5", "tokens first", "sink"}
LONG = {"window of 100", "bias by distance"}  # they show in long calls


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow)
        for name in RIGHT
    ],
)
def test_right_functions_raise_no_alarm(name, request):
    if name not in LONG:
        request.getfixturevalue("short")
    function, facts = RIGHT[name]
    report = ask(function)
    assert report.problems == [], str(report)
    assert {key: report.facts[key] for key in facts} == facts
    assert list(report.facts) == list(FACTS)
    assert all(row["explained"] for row in report.calls)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_other_formats(dtype, short):
    narrow = dtype if dtype == "bfloat16" else ""
    function = rounded(narrow) if narrow else attention(is_causal=True)
    report = ask(function, dtype="float32" if narrow else dtype)
    codes = [problem.code for problem in report.problems]
    assert codes == (["few-bits"] if narrow else [])
    assert report.facts["alignment"] == "start"


@pytest.mark.slow
@pytest.mark.parametrize(("sink", "sums"), [(-np.inf, "keys"), (0.5, "sink")])
def test_float16_throughout_raises_no_alarm(sink, sums):
    report = ask(in_float16(sink), dtype="float16")
    assert report.problems == [], str(report)
    assert report.facts["normalized"] == sums


def summed_in_float16(query, key, value):
    s = query.astype(np.float32) @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    total = np.add.accumulate(e.astype(np.float16), -1)[..., -1:]
    return e / total.astype(np.float32) @ value


@pytest.mark.release
def test_what_passes_the_range_of_float16_is_noticed():
    (problem,) = ask(in_float16(-np.inf, late=1), dtype="float16").problems
    assert problem.code == "overflow"
    report = ask(summed_in_float16, dtype="float16")
    assert [problem.code for problem in report.problems] == ["two-rules"]
    assert report.claim.words == "n_keys ≥ 5000"


def rms_in_float32(query, key, value):
    arrays = (x.astype(np.float32) for x in (query, key, value))
    return rms(*arrays).astype(query.dtype)


FEW_BITS = {"cap 5": RIGHT["cap 5"], "rms": (rms_in_float32, RIGHT["rms"][1])}


@pytest.mark.release
@pytest.mark.parametrize("name", FEW_BITS)
def test_few_bits_change_no_fact(name):
    function, facts = FEW_BITS[name]
    report = ask(function, dtype="float16")
    assert report.problems == [], str(report)
    assert {key: report.facts[key] for key in facts} == facts


def keys_of_items(query, key, value, mask=None):
    """A mask without the axes of heads and queries is (batch, keys)."""
    if mask is not None and np.ndim(mask) == 2:
        mask = mask.reshape(len(query), 1, 1, key.shape[2])
    return scaled_dot_product_attention(query, key, value, mask=mask)


def test_a_mask_of_two_axes_may_be_of_items_and_keys():
    assert ask(keys_of_items).problems == []


@pytest.mark.parametrize("layout", ["nd", "hnd", "bnd", "bnhd"])
def test_other_layouts(layout, short):
    function = tokens_first if layout == "bnhd" else scaled_dot_product_attention
    report = ask(function, layout=layout)
    assert (report.status, report.facts["layout"]) == (0, layout), str(report)


def test_the_mask_of_a_keyword_and_its_calls():
    report = ask(scaled_dot_product_attention)
    assert (report.facts["mask"], report.facts["empty_row"]) == ("may attend", "zeros")
    rows = [row for row in report.calls if row["mask"] == "mask"]
    assert {row["id"] for row in rows} >= {"mask", "mask-heads", "mask-empty"}


def test_expected_facts_that_hold_and_one_that_does_not():
    expected = {"alignment": "start", "scale": "1/sqrt(d_k)", "window": None}
    report = ask(attention(is_causal=True), expected=expected)
    assert (report.status, report.problems) == (0, [])
    assert "as expected" in report.verdict
    report = ask(attention(is_causal=True), expected={**expected, "softcap": 30.0})
    assert [problem.code for problem in report.problems] == ["softcap"]
    assert report.status == 1


def test_without_an_expectation_the_page_says_so():
    report = ask(attention(is_causal=True))
    assert "no expectation given" in str(report).splitlines()[0]
    assert "backward pass is not asked" in str(report)


def test_what_is_expected_is_no_problem_though_nobody_means_it():
    one_more = plain(sees=lambda i, j, more: j <= i + 1)
    assert ask(one_more).status == 1
    assert ask(one_more, expected={"alignment": "one-too-many"}).problems == []


def softened(query, key, value):
    s = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    return softmax(s + 0.05 * s**3) @ value


@pytest.mark.slow
def test_unexplained_is_a_problem(short):
    report = ask(softened, expected={"scale": "1/sqrt(d_k)"})
    assert [problem.code for problem in report.problems] == ["unexplained"]
    assert (report.status, set(report.facts.values())) == (2, {None})
    assert not all(row["explained"] for row in report.calls)
    first = next(row for row in report.calls if not row["explained"])
    assert first["id"] in report.problems[0].sentence


class Module:
    def __call__(self, x):
        return x


def test_a_module_is_told_what_to_pass():
    report = ask(Module())
    assert (report.status, [p.code for p in report.problems]) == (2, ["refused"])
    assert "Pass the function in it" in str(report)


def for_tiles(query, key, value):
    n, m, d = query.shape[-2], key.shape[-2], query.shape[-1]
    if d != 128 or n % 64 or m % 64:
        raise ValueError("tiles of 64 × 128 alone")
    return scaled_dot_product_attention(query, key, value, enable_gqa=True)


def test_shapes_say_what_a_kernel_takes():
    tiles = {"d": 128, "n": range(64, 513, 64), "m": range(64, 513, 64)}
    report = ask(for_tiles, shapes=tiles)
    assert (report.problems, report.refused) == ([], []), str(report)
    assert {row["d"] for row in report.calls if row["mask"] is None} == {128}
    assert "Not seen" in "\n".join(str(report).splitlines()[:6])


def test_calls_that_are_refused_are_listed():
    report = ask(for_tiles)
    assert report.facts["scale_name"] == "1/√d_k"
    assert "plain" in dict(report.refused)
    assert "a step of decoding" in {shows for _, shows in report.unseen}


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"expected": {"aligned": "end"}}, "got 'aligned'"),
        ({"expected": {"alignment": "middle"}}, "got 'middle'"),
        ({"layout": "bhd"}, "got 'bhd'"),
        ({"dtype": "int8"}, "got 'int8'"),
        ({"shapes": {"x": 3}}, "got 'x'"),
        ({"arrays": "tensorflow"}, "got 'tensorflow'"),
    ],
)
def test_wrong_questions_are_refused(keywords, words):
    with pytest.raises(ValueError, match=words):
        ask(plain(), **keywords)


def test_no_two_scales_have_one_spelling():
    letters = [in_our_spelling({"scale": name})["scale"] for name in SCALES]
    assert letters == list(SCALES)
    for spelled in ("1/sqrt(d_k)", "1 / sqrt(d)", "d_k**-0.5"):
        assert in_our_spelling({"scale": spelled}) == {"scale": "1/√d_k"}
