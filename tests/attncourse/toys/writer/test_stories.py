"""The stories: what may follow what, how often, and how little is left to guess."""

import math
from collections import Counter

import numpy as np
import pytest

from attncourse.toys.writer.counting import EXTRA, counted_losses
from attncourse.toys.writer.stories import (
    ANIMALS,
    FIRST,
    FOODS,
    OF_ANIMALS,
    SECOND,
    WORDS,
    next_words,
    words_right,
    write_story,
    write_texts,
)

HUNGRY = "a dog ate the food because it was hungry . then the dog slept ."
HUNGRY = HUNGRY.split()


def test_every_word_has_one_place_and_all_are_used(rng):
    assert len(set(WORDS)) == len(WORDS) == 37
    assert {WORDS[i] for i in write_texts(100, 48, rng).ravel()} == set(WORDS)


@pytest.mark.parametrize("chances", [*FIRST.values(), *SECOND.values()])
def test_probabilities_add_up_to_1(chances):
    assert sum(chances.values()) == pytest.approx(1, rel=1e-12)


def test_the_second_sentence_is_about_what_it_meant(rng):
    for _ in range(200):
        story = write_story(rng)
        first, second = story[: story.index(".")], story[story.index("then") + 2 :]
        nouns = ANIMALS if first[-1] in OF_ANIMALS else FOODS
        assert second[0] in nouns
        assert second[0] in first
        assert (second[1:] == ["was", "gone", "."]) == (nouns is FOODS)
        assert 15 <= len(story) <= 18


def test_drawn_words_follow_the_probabilities(rng):
    """Pearson's test of fit for the word after "was", at one in a million or so."""
    stories = [write_story(rng) for _ in range(8000)]
    found = Counter(story[story.index("was") + 1] for story in stories)
    expected = {word: 8000 * p for word, p in FIRST["was"].items()}
    assert found.keys() == expected.keys()
    square = sum((found[w] - n) ** 2 / n for w, n in expected.items())
    freedom = len(expected) - 1
    assert square < freedom + 5 * math.sqrt(2 * freedom) + 12


def test_next_words_by_hand():
    assert next_words(HUNGRY[:12]) == {"dog": 1.0}
    delicious = [*HUNGRY, *HUNGRY[:8], "delicious", ".", "then", "the"]
    assert next_words(delicious) == {"food": 1.0}
    assert next_words(HUNGRY[:8])["very"] == 1 / 4
    assert next_words(HUNGRY[:8])["fresh"] == 1 / 8
    assert next_words(HUNGRY) == {"a": 1.0}


def test_words_are_counted_up_to_the_first_wrong_one():
    assert words_right(HUNGRY) == len(HUNGRY)
    assert words_right([*HUNGRY[:12], "food", "was"]) == 12
    assert words_right([*HUNGRY, "the"]) == len(HUNGRY)
    assert words_right(["a"]) == 1


@pytest.mark.parametrize(
    "text", ["", "dog", "a dog dog ate then the", "a a wolf", "a dog ate then the"]
)
def test_what_is_no_story_is_refused(text):
    with pytest.raises(ValueError, match=rf"next_words: .* story, got '{text}'"):
        next_words(text.split())


def test_counts_by_hand():
    texts, test = np.array([[0, 1, 0, 2], [0, 1, 0, 1]]), np.array([[0, 1, 2, 0]])
    losses, n_runs = counted_losses(1, texts, test)
    after_0, after_1, never = 4 + 37 * EXTRA, 2 + 37 * EXTRA, 1 / 37
    wanted = [(3 + EXTRA) / after_0, EXTRA / after_1, never]
    np.testing.assert_allclose(losses, [-np.log(wanted)], rtol=1e-12)
    assert n_runs == 2
    losses, n_runs = counted_losses(2, texts, test)
    after_start = (2 + EXTRA) / (2 + 37 * EXTRA), EXTRA / (2 + 37 * EXTRA), never
    np.testing.assert_allclose(losses, [-np.log(after_start)], rtol=1e-12)
    assert n_runs == 3
    assert counted_losses(0, texts, test)[1] == 1
    with pytest.raises(ValueError, match="from 0 to 9, got 10"):
        counted_losses(10, texts, test)
