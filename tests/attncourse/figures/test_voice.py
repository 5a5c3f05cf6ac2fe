"""What is said of a change: clauses that are new, and no more than one listens to."""

import pytest

from tests.attncourse.figures.test_javascript import run

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
    assert words == "a is 2, b is 2, c is 2, d is 2, and 6 more"


def test_a_single_clause_is_said_whole_however_long_it_is():
    long = " ".join(["word"] * 20)
    assert said("Nothing.", f"{long}. Another one.") == f"{long}, and 1 more"
