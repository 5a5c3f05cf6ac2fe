"""The tables of known mistakes: each can be told from a right answer and is named."""

import re

import numpy as np
import pytest

from attncourse.practice import EXERCISES
from attncourse.practice.check import faulty
from named_mistakes.compare import Judged
from named_mistakes.exercise import Mistake
from named_mistakes.formula import Formula
from named_mistakes.runner import Outcome
from tests.attncourse.practice.judging import (
    SEEDS,
    assert_found,
    kept,
    with_code,
    without_source,
)

pytestmark = pytest.mark.slow

# All but one_pass_attention, which has the table of attention.
WITH_TABLES = [name for name in EXERCISES if name != "one_pass_attention"]
# Codes that the exercises promise and no answer in `answers` has.
PROMISED = {
    "masked_attention": "scaled-after-softmax wrong-one-transposed",
    "multi_head_attention": """scaled-by-d_k key-not-transposed query-key-swapped
        scaled-after-softmax softmax-missing not-normalized""",
    "masked_multi_head_attention": """mask-after-softmax missing-scale wrong-axis
        scaled-by-d_model weights-transposed one-head-only scaled-after-softmax
        mask-ignored mask-inverted mask-too-weak mask-added""",
    "grouped_attention": "one-head-for-all missing-scale",
    "window_mask": "looks-ahead inverted",
    "rotate_pairs": "rotates-backwards minus-missing",
    "rotary_attention": "missing-scale",
    "capped_attention": "cap-ignored mask-ignored missing-scale",
    "sample_with_temperature": "not-normalized",
    "head_effect": "sentences-added",
    "append_to_cache": "cache-ignored",
}


@pytest.mark.parametrize("name", WITH_TABLES)
def test_the_tables_own_mistakes_are_named(name):
    exercise = EXERCISES[name]
    for i, one in enumerate(exercise.mistakes):
        assert one.steps.keys() <= exercise.recipe.keys()
        answer = without_source(faulty(exercise, one))
        if one.written:
            answer = with_code(answer, one.written)
        assert_found(name, one.code, answer, (i % 2,))


@pytest.mark.parametrize("name", PROMISED)
def test_every_promised_code_is_in_the_table(name):
    assert set(PROMISED[name].split()) <= {one.code for one in EXERCISES[name].mistakes}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda one: one.name)
def test_no_formula_is_told_twice(exercise):
    """Two lines with one formula are two findings, unless something parts them."""
    codes: dict[tuple, set[str]] = {}
    for one in exercise.mistakes:
        if all(isinstance(step, Formula) for step in one.steps.values()):
            steps = ((name, str(step)) for name, step in one.steps.items())
            codes.setdefault((*steps, one.written), set()).add(one.code)
    hidden = {code for one in exercise.mistakes for code in one.hides}
    assert not [told for told in codes.values() if len(told - hidden) > 1]


# These show in large numbers only.
LARGE_ONLY = ("mask-renormalized", "overflow", "scores-clipped", "sum-left-out")
# These are small numbers by nature.
SMALL = ("epsilon-too-large", "floor-under-logarithm", "mask-too-weak")
WITH_RECIPE = [one for one in EXERCISES.values() if one.recipe]


@pytest.mark.parametrize("exercise", WITH_RECIPE, ids=lambda one: one.name)
def test_recipe_without_mistakes_is_the_reference(exercise):
    for case in exercise.draw(np.random.default_rng(0)):
        wanted = exercise.wanted(case)
        for x, w in zip(exercise.mistaken(case, {}), wanted, strict=True):
            np.testing.assert_allclose(x, w, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("exercise", WITH_RECIPE, ids=lambda one: one.name)
def test_every_difference_is_far_above_the_tolerance(exercise):
    """On each draw, some number of some ordinary case is off by a thousand times it."""
    exercise = kept(exercise.name)  # with what the tests before have computed
    for seed in SEEDS:
        cases = exercise.draw(np.random.default_rng(seed))
        ordinary = [(c, exercise.wanted(c)) for c in cases if not c.is_large]
        for one in exercise.mistakes:
            if one.code in (*LARGE_ONLY, *SMALL):
                continue
            assert any(_distance(exercise, c, w, one.steps) > 2e-2 for c, w in ordinary)


def _distance(exercise, case, wanted, steps):
    try:
        given = exercise.mistaken(case, steps)
    except (ValueError, IndexError):
        return 0.0
    if any(g.shape != w.shape for g, w in zip(given, wanted, strict=True)):
        return np.inf
    pairs = zip(given, wanted, strict=True)
    off = [np.abs(np.subtract(g, w, dtype=float)) for g, w in pairs]
    return max(float(np.max(x, initial=0, where=np.isfinite(x))) for x in off)


def test_kept_axes_are_no_mistake_of_numbers():
    exercise = EXERCISES["softmax"]
    case = exercise.draw(np.random.default_rng(0))[0]
    (wanted,) = exercise.wanted(case)
    judged = Judged(Outcome(case, (wanted[None],)), (wanted,))
    assert not judged.fits
    assert judged.is_explained_by((wanted,)) == (True, False)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_known_mistake_is_told_in_at_most_two_sentences(name):
    for one in EXERCISES[name].mistakes:
        assert isinstance(one, Mistake)
        assert re.fullmatch(r"[a-z0-9_]+(-[a-z0-9_]+)*", one.code)
        text = f"exactly what you get from {one.cause}. Look at {one.look}."
        assert text.count(". ") == 1, text
        assert len(text) < 220
