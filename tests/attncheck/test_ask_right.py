"""First of all, no false alarm: of right functions ask reports facts, no problems."""

import numpy as np
import pytest
from attentions import causal, causal_at_end, make, plain, repeat, rope

from attncheck import ask
from attncheck.formats import round_to
from attnlib import (
    alibi_bias,
    rotary_embedding,
    scaled_dot_product_attention,
    softmax,
)


def attention(**keywords):
    def function(query, key, value):
        return scaled_dot_product_attention(query, key, value, **keywords)

    return function


def rounded(name):
    """Compute in float32 and round the weights and the output, as kernels do."""
    inner = plain(sees=causal)

    def function(query, key, value):
        return round_to(inner(query, key, value), name).astype(query.dtype)

    return function


def narrow_products(query, key, value):
    """Multiply in bfloat16, as on chips that have nothing wider; the rest is wider."""
    q, k = (round_to(x, "bfloat16") for x in (query, key))
    scores = round_to(q @ k.swapaxes(-1, -2), "bfloat16") / query.shape[-1] ** 0.5
    return softmax(scores) @ value


def turned(sign=1, **keywords):
    def function(query, key, value):
        places = sign * np.arange(query.shape[-2])
        q, k = (rotary_embedding(x, positions=places, **keywords) for x in (query, key))
        return scaled_dot_product_attention(q, k, value, is_causal=True)

    return function


def alibi(query, key, value):
    bias = alibi_bias(query.shape[1], query.shape[2], key.shape[2])
    return scaled_dot_product_attention(query, key, value, mask=bias, is_causal=True)


def tokens_first(query, key, value):
    q, k, v = (x.swapaxes(1, 2) for x in (query, key, value))
    return scaled_dot_product_attention(q, k, v).swapaxes(1, 2)


def side_by_side(query, key, value):
    output = scaled_dot_product_attention(query, key, value, is_causal=True)
    return output.swapaxes(1, 2).reshape(len(output), query.shape[2], -1)


def unit_length(query, key, value):
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key))
    return scaled_dot_product_attention(q, k, value)


START, ROTARY = {"alignment": "start"}, {"alignment": "start", "position": "rotary"}
RIGHT = {
    "plain": (attention(), {"scale_name": "1/√d_k", "alignment": "none"}),
    "causal": (attention(is_causal=True), START),
    "causal at the end": (plain(sees=causal_at_end), {"alignment": "end"}),
    "window": (attention(window=(3, 2)), {"window": (3, 2), "alignment": "none"}),
    "window of 100": (
        attention(window=(100, 0), is_causal=True),
        {"window": (100, 0), "alignment": "start"},
    ),
    "groups": (attention(enable_gqa=True), {"grouping": "repeat"}),
    "cap 5": (attention(softcap=5.0), {"softcap": 5.0, "scale_name": "1/√d_k"}),
    "cap 50": (attention(softcap=50.0, is_causal=True), {"softcap": 50.0, **START}),
    "cap 2": (attention(softcap=2.0), {"softcap": 2.0}),
    "cap 100": (attention(softcap=100.0), {"softcap": 100.0}),
    "rotary, backwards": (turned(sign=-1), ROTARY),
    "scale": (attention(scale=0.3), {"scale": 0.3}),
    "rotary": (turned(), ROTARY),
    "rotary pairs": (turned(interleaved=True, base=5e5), ROTARY),
    "half rotary": (turned(rotary_dim=32), ROTARY),
    "alibi": (alibi, {"position": "alibi", "alignment": "start"}),
    "sink": (plain(sink=0.5), {"normalized": "sink"}),
    "tokens first": (tokens_first, {"layout": "bnhd"}),
    "heads side by side": (side_by_side, START),
    "rounded to bfloat16": (rounded("bfloat16"), START),
    "rounded to float16": (rounded("float16"), START),
    "products in bfloat16": (narrow_products, {"scale_name": "1/√d_k"}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_functions_raise_no_alarm(name):
    function, facts = RIGHT[name]
    report = ask(function)
    assert [str(problem) for problem in report.problems] == []
    assert report.unexplained == ""
    for fact, expected in facts.items():
        if isinstance(expected, float):
            expected = pytest.approx(expected, rel=1e-3)
        assert report.facts[fact] == expected
    assert not [note for note in report.notes if "Error" in note]


@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_other_formats(dtype):
    report = ask(attention(is_causal=True), dtype=dtype)
    assert (report.status, report.facts["alignment"]) == (0, "start")
    assert report.facts["scale"] == pytest.approx(0.125, rel=1e-3)


@pytest.mark.parametrize("layout", ["nd", "hnd", "bnd", "bnhd"])
def test_other_layouts(layout):
    def function(query, key, value):
        if layout != "bnhd":
            return scaled_dot_product_attention(query, key, value)
        return tokens_first(query, key, value)

    report = ask(function, layout=layout)
    assert (report.status, report.facts["layout"]) == (0, layout)


def test_details_of_rotary_positions():
    report = ask(turned(interleaved=True, base=5e5))
    assert report.details["rotary"] == {
        "base": 5e5,
        "rotary_dim": 64,
        "interleaved": True,
    }
    assert ask(turned(rotary_dim=32)).details["rotary"]["rotary_dim"] == 32


def test_own_rotary_written_out():
    function = make(turn=lambda x: rope(x, pairs=True, base=1e6), groups=repeat)
    assert ask(function).details["rotary"]["interleaved"]


def test_a_mask_with_two_corners_is_told_apart_by_shape():
    def function(query, key, value):
        more = key.shape[-2] - query.shape[-2]
        return plain(sees=causal_at_end if more > 0 else causal)(query, key, value)

    report = ask(function)
    assert (report.status, report.facts["alignment"]) == (0, "end")
    assert report.details["corner_with_more_queries"] == "start"


def test_queries_of_unit_length_are_no_problem():
    report = ask(unit_length)
    assert (report.status, report.problems) == (0, [])
    assert "its scores are made of the cosines of queries and keys" in report.but


def test_the_mask_of_a_keyword():
    facts = ask(scaled_dot_product_attention).facts
    assert (facts["mask"], facts["empty_row"]) == ("may attend", "zeros")


def test_meant_facts_that_hold():
    meant = {
        "alignment": "start",
        "scale": "1/√d_k",
        "window": None,
        "scale_name": "1/√d_k",
    }
    assert ask(attention(is_causal=True), meant=meant).problems == []
    assert ask(plain(sink=0.0), meant={"normalized": "sink"}).problems == []
