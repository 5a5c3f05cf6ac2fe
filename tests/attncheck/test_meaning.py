"""What may be meant, in the spellings that people use."""

import numpy as np
import pytest

from attncheck import ask
from attncheck.meaning import in_our_spelling
from attncheck.model import SCALES
from attnlib import scaled_dot_product_attention as attend
from attnlib import softmax


def plain(q, k, v):
    return softmax(q @ k.mT / q.shape[-1] ** 0.5) @ v


@pytest.mark.parametrize("fact", ["scale", "scale_name"])
@pytest.mark.parametrize(
    "spelled", ["1/√d_k", "1/sqrt(d_k)", "1 / sqrt(d)", "d_k**-0.5", "d**-0.5"]
)
def test_a_scale_is_meant_in_any_spelling(spelled, fact):
    report = ask(plain, meant={fact: spelled})
    assert (report.problems, report.unexplained) == ([], "")


def test_another_scale_in_plain_letters_is_a_problem():
    report = ask(plain, meant={"scale": "1/sqrt(n_heads*d_k)"})
    assert [p.code for p in report.problems] == ["scale"]
    assert "1/√(n_heads·d_k)" in report.problems[0].sentence


def test_no_two_scales_have_one_spelling():
    letters = [in_our_spelling({"scale": name})["scale"] for name in SCALES]
    assert letters == list(SCALES)


@pytest.mark.parametrize("spelled", ["1/sqrt(", "sqrt", "1/sqrt(d_q)", ""])
def test_what_names_no_scale_is_refused_as_it_was_written(spelled):
    with pytest.raises(ValueError, match="got") as error:
        ask(plain, meant={"scale": spelled})
    assert repr(spelled) in str(error.value)


def test_products_that_overflow_before_the_scale_are_in_the_first_line():
    def scaled_last(q, k, v):
        s = (q @ k.mT).astype(np.float16) * np.float16(q.shape[-1] ** -0.5)
        return softmax(s.astype(np.float32)).astype(np.float16) @ v

    last = ask(scaled_last, dtype="float16", arrays="numpy")
    assert any(x.endswith("it gives NaN") for x in last.but)
    assert last.problems == []
    in_single = ask(
        lambda *x: plain(*(one.astype(np.float32) for one in x)).astype(np.float16),
        dtype="float16",
        arrays="numpy",
    )
    assert in_single.but == []


@pytest.mark.parametrize(
    ("window", "said"),
    [((3, 0), ["each query sees only a window of 4 keys"]), (None, [])],
)
def test_a_window_that_nobody_spoke_of_is_in_the_first_line(window, said):
    causal = {"is_causal": True, "window": window}
    report = ask(attend, meant={"alignment": "start"}, **causal)
    assert (report.problems, report.but) == ([], said)
    with_it = ask(attend, meant={"alignment": "start", "window": window}, **causal)
    assert (with_it.problems, with_it.but) == ([], [])
    assert ask(attend, **causal).but == []


def test_a_ring_cache_that_overwrites_its_last_slot_is_told_in_the_first_line():
    def ring(q, k, v):
        i, j = np.arange(q.shape[-2])[:, None], np.arange(k.shape[-2])
        seen = (j <= i) & ((j < 63) | (j == i))
        return attend(q, k, v, mask=seen)

    report = ask(ring, meant={"alignment": "start"})
    assert report.but == ["the first 63 keys stay visible beside its window"]
    assert "Query i sees its own key and the first 63, none later" in str(report)


def test_rows_of_nan_are_no_problem_where_they_were_meant():
    def strict(q, k, v):
        i, j = np.arange(q.shape[-2])[:, None], np.arange(k.shape[-2])
        return softmax(np.where(j < i, q @ k.mT / q.shape[-1] ** 0.5, -np.inf)) @ v

    as_nan = {"alignment": "strict", "empty_row": "nan"}
    assert ask(lambda *x: fill_empty(strict(*x), np.nan), meant=as_nan).problems == []
    other = ask(lambda *x: fill_empty(strict(*x), np.nan), meant={"empty_row": "zeros"})
    assert [p.code for p in other.problems] == ["empty-row", "nan"]


def fill_empty(output, x):
    output[..., 0, :] = x  # of the first query, which sees no key
    return output


def test_a_window_to_both_sides_may_be_meant_from_its_corner():
    meant = {"alignment": "start", "window": (2, 2)}
    assert ask(attend, meant=meant, window=(2, 2)).problems == []
    (problem,) = ask(attend, meant=meant, window=(2, 1)).problems
    assert problem.code == "window"
    wrong = ask(attend, meant={"alignment": "start"}, window=(2, 2)).problems
    assert [p.code for p in wrong] == ["alignment"]


def test_a_scale_over_the_root_of_d_k_is_named():
    report = ask(lambda q, k, v: attend(q, k, v, scale=0.25 / q.shape[-1] ** 0.5))
    assert report.facts["scale_name"] == "0.25/√d_k"
