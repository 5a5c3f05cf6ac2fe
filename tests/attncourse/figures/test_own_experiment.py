"""What a reader's experiment computes, beside the lesson's own."""

import itertools

import numpy as np
import pytest
from scipy import stats

from attncourse.figures.own_sentence import live
from attncourse.real_model import load_extract

MODULE = "own_sentence/experiment"


def call(figure_javascript, *calls):
    return figure_javascript([[MODULE, *one] for one in calls])


def test_lines_are_the_lessons_pairs(figure_javascript):
    search, fresh = live.pair_lines(load_extract())
    assert (len(search), len(fresh)) == (20, 24)
    (parsed,) = call(figure_javascript, ["parsePairs", "\n".join(["", *search, " "])])
    assert parsed[0] == {
        "texts": [
            "The dog ate the food because it was hungry",
            "The dog ate the food because it was delicious",
        ],
        "nouns": ["dog", "food"],
    }
    assert len(parsed) == 20


def test_places_are_those_of_the_tokens(figure_javascript):
    one = "[CLS] the Dog saw it and it was un ##fit [SEP]".lower().split()
    two = ["[cls]", "the", "dog", "saw", "it", "and", "it", "was", "loud", "[sep]"]
    (found,) = call(figure_javascript, ["places", [one, two], ["dog", "saw"]])
    assert found == {"it": 4, "nouns": [2, 3], "last": 8}


def test_preferences_and_summary_are_the_lessons(figure_javascript):
    rng = np.random.default_rng(5)
    weights = rng.random((6, 12, 7, 7))
    reading = {"tokens": list("abcdefg"), "weights": weights.ravel().tolist()}
    extract = load_extract()
    pairs = extract["pair_weights"][extract["pair_group"] == "held_out"].astype(float)
    preference = pairs[..., 0] - pairs[..., 1]
    effects = (preference[:, 0] - preference[:, 1]).reshape(24, 72)
    got, told = call(
        figure_javascript,
        ["preferences", reading, {"it": 4, "nouns": [1, 6]}],
        ["summary", effects.tolist(), 3 * 12 + 1],
    )
    expected = weights[:, :, 4, 1] - weights[:, :, 4, 6]
    np.testing.assert_allclose(got, expected.ravel(), rtol=1e-12)
    ours = effects[:, 37]
    low, high = stats.t.interval(0.95, 23, ours.mean(), stats.sem(ours))
    np.testing.assert_allclose([told["low"], told["high"]], [low, high], atol=1e-4)
    assert (told["n"], told["positive"], told["asLarge"]) == (24, 21, 0)
    np.testing.assert_allclose(told["means"], effects.mean(axis=0))


def by_chance(effects, head, signs):
    """The mean number of heads that do as well, over rows of signs."""
    sums = signs @ effects
    return (sums >= effects[:, head].sum() - 1e-9).sum(axis=1).mean()


def test_what_chance_does_as_well(figure_javascript, rng):
    few, many = rng.normal(0.1, 1, (7, 5)), rng.normal(0.2, 1, (24, 72))
    middling = int(np.argsort(many.sum(axis=0))[50])
    got = call(
        figure_javascript,
        ["byChance", few.tolist(), 3],
        ["byChance", many.tolist(), middling],
    )
    signs = np.array(list(itertools.product([1, -1], repeat=7)))
    assert got[0] == by_chance(few, 3, signs)  # every way
    coins = rng.choice([1, -1], (40_000, 24))
    expected = by_chance(many, middling, coins)
    assert 1 < expected < 40
    assert got[1] == pytest.approx(expected, rel=0.05)


def test_quantiles_of_student(figure_javascript):
    degrees = [1, 2, 7, 23, 30, 31, 60, 500]
    got = call(figure_javascript, *[["studentT", d] for d in degrees])
    np.testing.assert_allclose(got, stats.t.ppf(0.975, degrees), atol=0.003)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("The dog ran because it was {}; dog; tired", "Line 2: five parts .* 3 are"),
        ("The dog ran because it was; dog; cat; a; b", r"Line 2: .* needs one \{\}"),
        ("The dog {} ran; dog; cat; a; b", "Line 2: .* “it” before"),
        ("It was {}; dog; cat; ; b", "Line 2: five parts .* 4 are there"),
    ],
)
def test_a_line_that_is_no_pair_is_named(figure_javascript, line, says):
    good = "The dog ate it, it was {}; dog; food; hungry; delicious"
    with pytest.raises(AssertionError, match=says):
        call(figure_javascript, ["parsePairs", f"{good}\n{line}"])


def test_a_noun_that_is_no_single_token_is_named(figure_javascript):
    tokens = ["[CLS]", "the", "photos", "##yn", "was", "it", "[SEP]"]
    with pytest.raises(AssertionError, match="no single token “photosyn”"):
        call(figure_javascript, ["places", [tokens, tokens], ["the", "photosyn"]])
