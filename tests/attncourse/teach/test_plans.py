"""The plans of *Teach this* add up, and all that they name is there."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest
import teach_page

from attncourse.figures.machine import live as machine
from attncourse.figures.machine.inputs import given, sizes
from attncourse.figures.machine.tables import tables
from attncourse.figures.machine.told import parsed
from attncourse.practice import EXERCISES
from attncourse.practice.check import said_of
from attncourse.teach.plans import KINDS, LENGTHS, plans, question, text_of

BOOK = Path(__file__).resolve().parents[3] / "book"
EVERY = {plan["page"]: plan for plan in plans()}
STATES = [
    (plan["page"], step["at"])
    for plan in plans()
    for step in plan["steps"]
    if "at" in step
]
each = pytest.mark.parametrize("plan", EVERY.values(), ids=EVERY)


def test_the_page_is_what_the_tool_writes():
    page = teach_page.PAGE.read_text(encoding="utf-8")
    assert page == teach_page.written(page), "run tools/teach_page.py"


def test_each_lesson_has_a_plan():
    assert list(EVERY) == sorted(path.stem for path in BOOK.glob("[0-9]*.ipynb"))


@each
def test_minutes_add_up(plan):
    minutes = [step["minutes"] for step in plan["steps"]]
    assert tuple(np.sum(minutes, axis=0)) == LENGTHS
    assert all(0 <= short <= long for short, long in minutes)
    assert all(long >= 5 and (short == 0 or short >= 5) for short, long in minutes)


@each
def test_each_lesson_shows_and_asks_at_both_lengths(plan):
    for i in (0, 1):
        kinds = {k for s in plan["steps"] for k in KINDS if k in s and s["minutes"][i]}
        assert kinds == set(KINDS), (plan["page"], LENGTHS[i])


@each
def test_a_step_is_of_one_kind(plan):
    for step in plan["steps"]:
        assert len(step.keys() & KINDS.keys()) == 1
        assert ("at" in step) == ("{machine}" in "".join(map(str, step.values())))


@each
def test_homework_is_asked_in_the_lesson(plan):
    pages = [plan["page"], *plan.get("beside", ())]
    text = "".join((BOOK / f"{page}.ipynb").read_text("utf-8") for page in pages)
    for name in plan["homework"]:
        assert name in EXERCISES
        assert re.search(rf'check\(\\*"{name}\\*"', text), name
    assert plan["homework"] or plan["also"]


@each
def test_mistakes_are_in_the_tables(plan):
    assert 1 <= len(plan["mistakes"]) <= 2
    for name, code in plan["mistakes"]:
        assert code in {one.code for one in EXERCISES[name].mistakes}


@each
def test_what_is_named_in_italics_is_in_the_lesson(plan):
    text = text_of(BOOK, plan)
    done = " ".join(step.get("do", "") for step in plan["steps"])
    named = re.findall(r"\*([^*]+)\*", done)
    missing = [
        words
        for words in named
        if not re.search(rf"^#+ .*{re.escape(words)}", text, re.M)
    ]
    assert missing == []


@pytest.mark.parametrize(("page", "state"), STATES)
def test_the_machine_understands_each_state(page, state):
    said = {name: values[0] for name, values in parse_qs(state).items()}
    assert said["stage"] == str(int(page[:2]))
    machine.panel(**{k: int(v) if v.isdigit() else v for k, v in said.items()})
    size = sizes(given(int(said["stage"])))
    cells = [said["at"].split(".")] if "at" in said else []
    cells += [cell for _, *cell, _ in parsed(said.get("edits", ""))]
    for base, i, j in cells:
        assert int(i) < size[base][0], state
        assert int(j) < size[base][1], state


def weights_of_hungry(stage, *edits):
    return tables(given(stage), 0, edits)[0][0].weights[4]


def test_what_the_plans_say_of_changed_numbers():
    """A dog that is not alive, food that is, and a word that asks for nothing."""
    np.testing.assert_allclose(weights_of_hungry(4, (0, "X", 0, 0, 0)), 0.2)
    shared = weights_of_hungry(5, (0, "X", 2, 0, 1))
    assert shared[0] == shared[2] > 0.4
    silent = tables(given(2), 0, [(0, "WQ", 4, 0, 0)])[0][0]
    assert not silent.query[4].any()


def test_links_of_the_page_lead_to_files():
    page = teach_page.PAGE.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links
    files = {link.partition("#")[0] for link in links}
    assert [name for name in files if not (BOOK / name).exists()] == []


def test_a_prediction_that_is_not_there_is_refused():
    with pytest.raises(LookupError, match="'nobody-asks': 0 predictions, not one"):
        question("# Title\n\n:::{predict} Which?\n:name: which\n:::", "nobody-asks")


def test_a_verdict_with_another_name_is_refused():
    one = EXERCISES["softmax"].mistakes[0]
    with pytest.raises(LookupError, match="softmax: elsewhere is said to be"):
        said_of(EXERCISES["softmax"], one.__class__("elsewhere", "", "", one.steps))
