"""A mistake that shows only for some inputs is named, with those inputs."""

import numpy as np
import pytest

from tests.named_mistakes.toys import SEEDS, check, softmax


def scale_forgotten_for_batches(query, key, value):
    scores = query @ key.mT
    if query.ndim == 2:
        scores = scores / np.sqrt(key.shape[-1])
    return softmax(scores) @ value


def weights_transposed_where_they_are_square(query, key, value):
    weights = softmax(query @ key.mT / np.sqrt(key.shape[-1]))
    if weights.shape[-1] == weights.shape[-2]:
        weights = weights.mT
    return weights @ value


def sign_flipped_for_batches(x):
    return softmax(x) if x.ndim == 2 else softmax(-x)


CASES = {
    scale_forgotten_for_batches: ("attention", "missing-scale", "a batch"),
    weights_transposed_where_they_are_square: (
        "attention",
        "weights-transposed",
        "n_queries = n_keys",
    ),
    sign_flipped_for_batches: ("softmax", "sign-flipped", "a batch"),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("answer", CASES, ids=lambda f: f.__name__)
def test_the_mistake_is_named_with_its_condition(answer, seed):
    name, code, where = CASES[answer]
    report = check(name, answer, seed=seed)
    assert [finding.code for finding in report.findings] == [code], report
    shows, _, hides = (
        report.findings[0]
        .message.partition("It shows only with ")[2]
        .partition("; with ")
    )
    assert where in shows
    assert where not in hides.partition(" your answer is right")[0].split(", ")


def test_a_mistake_in_every_case_has_no_condition():
    report = check("attention", lambda q, k, v: softmax(q @ k.mT) @ v, seed=0)
    assert report.findings[0].code == "missing-scale"
    assert "shows only" not in report.findings[0].message
