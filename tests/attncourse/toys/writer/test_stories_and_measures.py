"""The writer's stories, and what is measured of what it writes."""

import math
from collections import Counter
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from attncourse.toys.writer.counting import EXTRA, counted_losses
from attncourse.toys.writer.drafting import draw, propose, propose_block, words_a_step
from attncourse.toys.writer.floor import floor_of_a_story, floor_of_texts, text_losses
from attncourse.toys.writer.seeds import measure, stored_seeds
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.stories import (
    ANIMALS,
    FIRST,
    FOODS,
    IDS,
    OF_ANIMALS,
    SECOND,
    WORDS,
    next_words,
    words_right,
    write_story,
    write_texts,
)
from attncourse.toys.writer.swaps import kept_at, swapped
from attncourse.toys.writer.writing import read
from attnlib import Embedding

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


def test_the_floor_is_that_of_a_pencil():
    """Size, animal, verb, food, "very", adjective; and an end, for one story in two."""
    nats = (
        (math.log(2) + math.log(4)) / 2
        + math.log(6) * 3
        + math.log(4) * 1.5
        - (math.log(1 / 4) + 3 * math.log(3 / 4)) / 4
    )
    words = 10 + 1 / 2 + 1 / 4 + (5 + 6) / 2
    np.testing.assert_allclose(floor_of_a_story(), [nats, words], rtol=1e-12)


def test_the_floor_is_what_texts_cost(rng):
    """Over 3,000 stories, within four standard errors."""
    costs = []
    for _ in range(3000):
        row = [[IDS[word] for word in write_story(rng)]]
        costs.append(text_losses(np.array(row)).sum())
    error = 4 * np.std(costs) / math.sqrt(len(costs))
    assert abs(np.mean(costs) - floor_of_a_story()[0]) < error < 0.1


def test_the_floor_of_short_texts_is_that_of_a_pencil():
    """The second word may be a size; the third is then an animal, and else a verb."""
    second = (math.log(4) + math.log(12)) / 2
    third = (math.log(6) + math.log(4)) / 2
    assert floor_of_texts(2) == pytest.approx(second, rel=1e-12)
    assert floor_of_texts(3) == pytest.approx((second + third) / 2, rel=1e-12)


def test_the_floor_of_texts_is_what_they_cost(rng):
    """Within four standard errors; a text that never ends costs what a story does."""
    costs = text_losses(write_texts(400, 48, rng)).mean(axis=1)
    error = 4 * costs.std() / math.sqrt(len(costs))
    assert abs(costs.mean() - floor_of_texts(48)) < error < 0.01
    nats, n_words = floor_of_a_story()
    assert floor_of_texts(48) - nats / n_words > 0.02
    assert floor_of_texts(3000) == pytest.approx(nats / n_words, rel=2e-3)


SWAPS_HUNGRY = read("a dog ate the food because it was hungry . then the")


def says_row(place):
    """A decoder that says the word whose row is at a place, counted from the end."""

    def last(x):
        said = x.copy()
        said[..., -1, :] = x[..., place, :]
        return said

    table = np.eye(len(WORDS))
    layers = [lambda x: x, last]
    return SimpleNamespace(embedding=Embedding(table), layers=layers, gain=None)


@pytest.mark.slow
def test_its_own_row_changes_nothing():
    wanted = np.tile(writer()(SWAPS_HUNGRY)[-1], (len(SWAPS_HUNGRY), 1))
    np.testing.assert_allclose(
        swapped(writer(), SWAPS_HUNGRY, SWAPS_HUNGRY), wanted, atol=1e-9
    )


@pytest.mark.slow
def test_only_the_row_that_is_read_moves_what_is_said():
    other = read("a cat ate the food because it was hungry . then the")
    said = swapped(says_row(-11), SWAPS_HUNGRY, other).argmax(axis=-1)
    assert Counter(said.tolist()) == {IDS["dog"]: len(SWAPS_HUNGRY) - 1, IDS["cat"]: 1}
    assert said[1] == IDS["cat"]
    assert (
        swapped(says_row(-2), SWAPS_HUNGRY, other).argmax(axis=-1) == IDS["then"]
    ).all()


@pytest.mark.slow
def test_places_have_the_names_of_their_words():
    found = kept_at(says_row(-8), FOODS, 60)  # the food, where "very" is not there
    assert 60 > found.pop("FOOD") > 30
    assert set(found) == {"because", "it", "was", "very", "ADJECTIVE", ".", "then"} | {
        "then the"
    }
    assert not any(found.values())


@pytest.mark.slow
def test_a_noun_that_it_would_have_said_anyway_does_not_count():
    always = SimpleNamespace(
        embedding=Embedding(np.eye(len(WORDS))),
        layers=[lambda x: x, lambda x: np.eye(len(WORDS))[np.full(x.shape[:-1], 1)]],
        gain=None,
    )
    assert not any(kept_at(always, ANIMALS, 20).values())


@pytest.mark.slow
def test_seeds_are_those_of_this_training():
    stored = stored_seeds()
    assert len(stored) >= 3
    found = measure(writer())
    for name in ("noun", "other"):
        assert found.pop(name) == pytest.approx(stored[0].pop(name), abs=0.0011)
    assert found == stored[0]


N_WORDS, N_TEXTS = 3, 40_000


def chances(rng, *shape):
    numbers = rng.random((*shape, N_WORDS)) ** 3
    return numbers / numbers.sum(axis=-1, keepdims=True)


def written(large, write, rng):
    """Write a step behind the words 0 and 1; return the texts and their new words."""
    texts = np.zeros((N_TEXTS, 8), dtype=int)
    texts[:, 1] = 1
    seen = []

    def model(ids):
        seen.append(ids)
        return large[ids]  # what comes next depends on the last word alone

    ends = np.full(N_TEXTS, 2)
    n_new = words_a_step(model, texts, ends, write, 1, rng)
    assert not texts[:, 2:].any()  # the caller's own are left as they were
    return seen[0], n_new


@pytest.mark.parametrize("n_drafts", [0, 1, 3])
@pytest.mark.parametrize("way", ["one by one", "a block", "a block with pairs"])
def test_what_comes_out_has_the_large_models_probabilities(rng, way, n_drafts):
    large, draft = chances(rng, N_WORDS), chances(rng, N_WORDS, N_WORDS)
    write = partial(propose, draft=draft, n_drafts=n_drafts)
    if way != "one by one":
        tables = [chances(rng, N_WORDS, N_WORDS) for _ in range(n_drafts)]
        pairs = chances(rng, N_WORDS) if way.endswith("pairs") else None
        write = partial(propose_block, tables=tables, pairs=pairs)
    texts, n_new = written(large, write, rng)
    first = np.bincount(texts[:, 2], minlength=N_WORDS) / N_TEXTS
    np.testing.assert_allclose(first, large[1], atol=0.015)  # six standard errors
    assert 1 <= n_new.min() <= n_new.max() <= n_drafts + 1
    for word in range(N_WORDS):
        after = texts[(n_new > 1) & (texts[:, 2] == word), 3]
        if len(after) > 2000:
            shares = np.bincount(after, minlength=N_WORDS) / len(after)
            np.testing.assert_allclose(shares, large[word], atol=3 / len(after) ** 0.5)


def test_a_draft_as_good_as_the_model_is_kept_whole(rng):
    large = chances(rng, N_WORDS)
    draft = np.broadcast_to(large, (N_WORDS, N_WORDS, N_WORDS))
    assert (
        written(large, partial(propose, draft=draft, n_drafts=3), rng)[1] == 4
    ).all()


def test_of_a_draft_that_says_other_words_nothing_is_kept(rng):
    large = np.tile([0.5, 0.5, 0.0], (N_WORDS, 1))
    draft = np.tile([0.0, 0.0, 1.0], (N_WORDS, N_WORDS, 1))
    texts, n_new = written(large, partial(propose, draft=draft, n_drafts=2), rng)
    assert (n_new == 1).all()
    assert (texts[:, 2] < 2).all()


def test_words_are_drawn_as_often_as_they_are_likely(rng):
    found = draw(np.tile([1.0, 0.0, 3.0], (N_TEXTS, 1)), rng)
    shares = np.bincount(found, minlength=3) / N_TEXTS
    np.testing.assert_allclose(shares, [0.25, 0, 0.75], atol=0.015)
