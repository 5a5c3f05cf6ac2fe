"""Lesson 11's pretrained decoder, run by attnlib: the model, and what is stored."""

import numpy as np
import pytest

from attncourse.real_model import induction
from tests.parity import measure_induction as measured
from tests.parity import smollm2


@pytest.fixture(scope="module")
def weights():
    return smollm2.load()


def test_the_heads_look_where_it_is_stored(weights):
    found = induction.stored()
    looks = measured.looks(weights, measured.texts(1)[:10])
    for head, stored in zip(found["heads"], found["on_next"], strict=True):
        np.testing.assert_allclose(looks[:, *head], stored[:10], atol=0.01)


def test_cuts_cost_what_is_stored(weights):
    found, ids = induction.stored(), measured.texts(1)[:10]
    for name, cut in (("right", ()), ("without_found", found["heads"])):
        right = measured.right(weights, ids, [tuple(head) for head in cut])
        assert abs(np.mean(right) - np.mean(found[name][:10])) < 0.02, name


def test_others_are_of_the_same_layers_and_not_those_found():
    found = [(3, 0), (3, 8), (7, 1)]
    drawn = measured.others(found, np.random.default_rng(0))
    assert sorted(layer for layer, _ in drawn) == [3, 3, 7]
    assert not {*drawn} & {*found}
    assert len({*drawn}) == 3
