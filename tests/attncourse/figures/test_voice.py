"""Numbers that are written to be read, and what is spoken after a change."""

import pytest

from tests.attncourse.figures.conftest import run


def test_numbers_are_readable_at_any_size():
    numbers = [0, 1, 7.389, 54.6, 1234.4, 162754.8, -0.25, 3.8e-11, 0.0049, 9.96e-5]
    expected = ["0.000", "1.000", "7.389", "54.60", "1234", "1.6×10⁵", "−0.250"]
    expected += ["3.8×10⁻¹¹", "0.005", "1.0×10⁻⁴"]
    assert run([["kit/draw", "readable", x] for x in numbers]) == expected


BEFORE = "Query: alive 2.0, edible 0.3. Weights: dog 0.507, ate 0.123, food 0.247."
AFTER = "Query: alive 2.5, edible 0.3. Weights: dog 0.577, ate 0.099, food 0.247."


def said(before, after):
    parts = run([["kit/voice", "clausesOf", words] for words in (before, after)])
    (fresh,) = run([["kit/voice", "newClauses", *parts]])
    (words,) = run([["kit/voice", "shortened", fresh]]) if fresh else [""]
    return words


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (BEFORE, BEFORE, ""),
        (BEFORE, AFTER, "Query: alive 2.5, Weights: dog 0.577, ate 0.099"),
        ("At (1.0, 2.5), length 2.", "At (1.0, 3.5), length 2.", "At (1.0, 3.5)"),
        ("A 0.50; b 1.", "A 0.40; b 1.", "A 0.40"),
    ],
)
def test_only_what_is_new_is_said(before, after, expected):
    assert said(before, after) == expected


def test_of_many_changes_the_first_are_said_and_the_rest_counted():
    names = "abcdefghij"
    before, after = (", ".join(f"{x} is {n}" for x in names) + "." for n in (1, 2))
    words = said(before, after)
    assert words == "a is 2, b is 2, c is 2, 7 more"


@pytest.mark.parametrize("count", [11, 20])
def test_a_single_clause_is_said_whole_however_long_it_is(count):
    long = " ".join(["word"] * count)
    assert said("Nothing.", f"{long}. Another one.") == long
