"""Predictions and quizzes give nothing away: not by place, length or pattern."""

import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
QUESTION = re.compile(r"^:::\{(?:predict|quiz)\} (.*)\n((?:.*\n)*?):::", re.MULTILINE)
CHOICE = re.compile(r"^- \[([ x])\] (.*)$", re.MULTILINE)
DENIAL = re.compile(r"(No|None|Neither|Nothing|Nobody|Never)\b")


def questions():
    """Every question of the book: (page, question, [(right, choice), …])."""
    for path in sorted(BOOK.rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(c.source for c in cells if c.cell_type == "markdown")
        for question, body in QUESTION.findall(text + "\n"):
            choices = [(mark == "x", choice) for mark, choice in CHOICE.findall(body)]
            yield path.stem, question, choices


@pytest.fixture(scope="module")
def asked():
    return list(questions())


@pytest.fixture(scope="module")
def of_three(asked):
    return [choices for _, _, choices in asked if len(choices) == 3]


def test_each_question_has_one_right_choice(asked):
    assert len(asked) > 80
    for page, question, choices in asked:
        assert sum(right for right, _ in choices) == 1, (page, question)


def test_the_place_of_a_choice_tells_nothing(of_three):
    places = Counter(
        [right for right, _ in choices].index(True) for choices in of_three
    )
    for place in range(3):
        assert 0.2 < places[place] / len(of_three) < 0.45, places


def test_the_length_of_a_choice_tells_nothing(of_three):
    longest = shortest = 0
    for choices in of_three:
        (its_own,) = (len(choice) for right, choice in choices if right)
        others = [len(choice) for right, choice in choices if not right]
        longest += its_own > max(others)
        shortest += its_own < min(others)
    assert 0.2 < longest / len(of_three) < 0.45
    assert 0.2 < shortest / len(of_three) < 0.45


def test_what_is_denied_is_sometimes_so(asked):
    """A choice such as “none of them” is right about as often as any other."""
    denials = [
        right for _, _, cs in asked for right, choice in cs if DENIAL.match(choice)
    ]
    assert len(denials) >= 5
    assert 0.1 < sum(denials) / len(denials) < 0.6


def test_no_question_is_asked_twice(asked):
    texts = Counter(question.casefold() for _, question, _ in asked)
    right = Counter(choice for _, _, cs in asked for right, choice in cs if right)
    assert [text for text, n in (texts + right).items() if n > 1] == []
