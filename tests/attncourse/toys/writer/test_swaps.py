"""Rows swapped between two stories: where a noun is kept, and what other seeds do."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from attncourse.toys.writer.seeds import measure, stored_seeds
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.stories import ANIMALS, FOODS, IDS, WORDS
from attncourse.toys.writer.swaps import kept_at, swapped
from attncourse.toys.writer.writing import read
from attnlib import Embedding

pytestmark = pytest.mark.slow

HUNGRY = read("a dog ate the food because it was hungry . then the")


def says_row(place):
    """A decoder that says the word whose row is at a place, counted from the end."""

    def last(x):
        said = x.copy()
        said[..., -1, :] = x[..., place, :]
        return said

    table = np.eye(len(WORDS))
    layers = [lambda x: x, last]
    return SimpleNamespace(embedding=Embedding(table), layers=layers, gain=None)


def test_its_own_row_changes_nothing():
    wanted = np.tile(writer()(HUNGRY)[-1], (len(HUNGRY), 1))
    np.testing.assert_allclose(swapped(writer(), HUNGRY, HUNGRY), wanted, atol=1e-9)


def test_only_the_row_that_is_read_moves_what_is_said():
    other = read("a cat ate the food because it was hungry . then the")
    said = swapped(says_row(-11), HUNGRY, other).argmax(axis=-1)
    assert Counter(said.tolist()) == {IDS["dog"]: len(HUNGRY) - 1, IDS["cat"]: 1}
    assert said[1] == IDS["cat"]
    assert (swapped(says_row(-2), HUNGRY, other).argmax(axis=-1) == IDS["then"]).all()


def test_places_have_the_names_of_their_words():
    found = kept_at(says_row(-8), FOODS, 60)  # the food, where "very" is not there
    assert 60 > found.pop("FOOD") > 30
    assert set(found) == {"because", "it", "was", "very", "ADJECTIVE", ".", "then"} | {
        "then the"
    }
    assert not any(found.values())


def test_a_noun_that_it_would_have_said_anyway_does_not_count():
    always = SimpleNamespace(
        embedding=Embedding(np.eye(len(WORDS))),
        layers=[lambda x: x, lambda x: np.eye(len(WORDS))[np.full(x.shape[:-1], 1)]],
        gain=None,
    )
    assert not any(kept_at(always, ANIMALS, 20).values())


def test_the_animal_is_at_the_full_stop():
    animals = kept_at(writer(), ANIMALS)
    assert animals.pop(".") == 100
    assert not any(animals.values())


def test_seeds_are_those_of_this_training():
    stored = stored_seeds()
    assert len(stored) >= 3
    found = measure(writer())
    for name in ("noun", "other"):
        assert found.pop(name) == pytest.approx(stored[0].pop(name), abs=0.0011)
    assert found == stored[0]
