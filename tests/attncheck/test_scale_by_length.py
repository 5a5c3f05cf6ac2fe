"""A scale that depends on how many keys there are is told, with what it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attncheck import ask
from attnlib import scaled_dot_product_attention

pytestmark = pytest.mark.slow

NAMED = {"scale": "1/√d_k"}


def by_logarithm(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Multiply the scores by ln n_keys too."""
    scale = math.log(k.shape[-2]) / math.sqrt(q.shape[-1])
    return scaled_dot_product_attention(q, k, v, scale=scale)


def by_root(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Divide the scores by √n_keys too."""
    scale = (k.shape[-2] * q.shape[-1]) ** -0.5
    return scaled_dot_product_attention(q, k, v, scale=scale)


def test_a_scale_with_the_logarithm_of_the_number_of_keys_is_told():
    report = ask(by_logarithm)
    assert "depends on the number of keys: 0.3973 with 24" in report.verdict
    assert "proportional to the logarithm" in report.verdict
    assert report.facts["scale"] is None


def test_another_dependence_is_told_without_a_name():
    report = ask(by_root)
    assert "depends on the number of keys: 0.02552 with 24" in report.verdict
    assert "logarithm" not in report.verdict


@pytest.mark.parametrize("function", [by_logarithm, by_root])
def test_it_is_a_problem_where_a_scale_was_meant(function):
    report = ask(function, meant=NAMED)
    assert [problem.code for problem in report.problems] == ["scale"], report
    assert "it depends on the number of keys" in report.problems[0].sentence
    assert list(report.problems[0].numbers) == [
        *("with 24 keys", "with 48 keys", "with 96 keys")
    ]
