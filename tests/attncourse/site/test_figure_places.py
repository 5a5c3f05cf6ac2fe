"""Where figures stand in the book, what is asked there, and with which state."""

import json

import pytest

from attncourse.site.figure_places import places_in


def notebook(*cells):
    kinds = ("markdown", "code")
    made = [{"cell_type": kinds["import " in one], "source": [one]} for one in cells]
    return json.dumps({"cells": made})


def placed(*cells):
    return [*places_in("book/one", notebook(*cells))]


SHOWN = "from attncourse.figures.softmax import live\n\nfigure = live.panel({})\nfigure"


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("", (2.0, 1.0, 0.0)),
        ("(3, 2, 1)", (3, 2, 1)),
        ("scores=(1, 0, -1)", (1, 0, -1)),
    ],
)
def test_its_state_is_what_the_lesson_says(said, state):
    (one,) = placed(SHOWN.format(said))
    assert (one.name, one.page) == ("softmax", "book/one")
    assert one.state == {"scores": state, "added": 0.0, "temperature": 1.0}


ABOVE = "# One\n\nIt is so. **Who, then?** **No question.**\n\nAnd so on."


@pytest.mark.parametrize(
    ("cells", "question"),
    [
        ([ABOVE], "It is so. **Who, then?**"),
        ([ABOVE, "## Two\n\n**Where** is it?"], "**Where** is it?"),
        ([ABOVE, "## Two\n\nText.\n\n- **One**: no.\n"], "It is so. **Who, then?**"),
        ([ABOVE, "**A?**\n\n:::{predict} B?\n:name: b\n:::"], "**A?**"),
        ([ABOVE, "## Two\n\n**C.**\n\n:::{predict} B?\n:name: b\n:::"], "B?"),
        (["# One"], ""),
    ],
)
def test_its_question_is_the_last_one_before_it(cells, question):
    (one,) = placed(*cells, SHOWN.format(""), "## Later\n\n**Why?**")
    assert one.question == question


def test_two_in_a_lesson_and_one_that_is_not_declared():
    called = SHOWN.replace("softmax import live", "masks import live as covered")
    found = placed(
        SHOWN.format(""),
        called.format("ahead=2").replace("live.p", "covered.p"),
        "from attncourse.figures.machine import live as machine\n\nmachine.panel()",
    )
    assert [one.name for one in found] == ["softmax", "masks"]
    assert found[1].state["ahead"] == 2


def test_a_cell_that_only_imports_other_things_has_none():
    assert placed("import numpy as np\n\nprint(1)", "from attnlib import softmax") == []
