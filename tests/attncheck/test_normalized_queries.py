"""Queries and keys that are brought to one length before they are multiplied."""

import numpy as np
import pytest

from attncheck import ask
from attnlib import causal_mask, rms_norm, rotary_embedding, softmax

pytestmark = pytest.mark.slow


def attend(q, k, v, scale, sees=None):
    scores = q @ k.mT * scale
    return softmax(scores if sees is None else np.where(sees, scores, -np.inf)) @ v


def qk_norm(q, k, v):
    q, k = (rms_norm(x, eps=1e-6) for x in (q, k))
    return attend(q, k, v, q.shape[-1] ** -0.5, causal_mask(q.shape[-2]))


def qk_norm_and_rotary(q, k, v):
    q, k = (rotary_embedding(rms_norm(x, eps=1e-6)) for x in (q, k))
    return attend(q, k, v, q.shape[-1] ** -0.5)


def cosines(q, k, v, eps=1e-12):
    q, k = (x / np.sqrt((x * x).sum(-1, keepdims=True) + eps) for x in (q, k))
    return attend(q, k, v, 20)


@pytest.mark.parametrize("function", [qk_norm, qk_norm_and_rotary])
def test_qk_norm_is_told_with_its_scale(function):
    report = ask(function, meant={"scale": "1/√d_k"})
    assert (report.problems, report.unexplained) == ([], "")
    assert "(QK-norm)" in report.verdict
    assert report.facts["scale"] == pytest.approx(0.125, rel=1e-4)
    assert report.details["bits"] > 17


def test_qk_norm_without_a_scale_is_a_problem_where_one_was_meant():
    def function(q, k, v):
        return attend(rms_norm(q), rms_norm(k), v, 1.0)

    report = ask(function, meant={"scale": "1/√d_k"})
    assert [p.code for p in report.problems] == ["scale"]
    assert report.facts["scale_name"] == "1 (none)"


def test_cosines_are_told_with_their_factor():
    report = ask(cosines)
    assert "cosines of queries and keys" in report.verdict
    assert report.facts["scale_name"] == "20, whatever d_k is"
    assert report.problems == []


def test_cosines_are_a_problem_where_a_scale_of_products_was_meant():
    def function(q, k, v):
        q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (q, k))
        return attend(q, k, v, q.shape[-1] ** -0.5)

    report = ask(function, meant={"scale": "1/√d_k"})
    assert [p.code for p in report.problems] == ["cosines"]
    assert ask(cosines, meant={"scale": 20}).problems == []


def test_nothing_is_said_of_large_scores_that_cannot_be():
    assert not any("andom scores of up to" in line for line in ask(cosines).sentences)


@pytest.mark.parametrize("axis", [-2, (-2, -1)])
def test_one_length_over_another_axis_is_not_called_qk_norm(axis):
    def function(q, k, v):
        q, k = (x / np.sqrt((x * x).mean(axis, keepdims=True)) for x in (q, k))
        return attend(q, k, v, q.shape[-1] ** -0.5)

    report = ask(function)
    assert report.status == 2
    assert "QK-norm" not in str(report)


def test_a_key_whose_weight_vanishes_in_float16_is_not_called_hidden():
    def in_half(q, k, v):
        with np.errstate(invalid="ignore"):  # a query of 0 has no direction
            wide = cosines(*(x.astype(np.float32) for x in (q, k, v)), eps=0.0)
        return wide.astype(np.float16)

    report = ask(in_half, dtype="float16", arrays="numpy")
    assert (report.problems, report.unexplained) == ([], "")
    assert "a query of 0 gets NaN" in report.but
