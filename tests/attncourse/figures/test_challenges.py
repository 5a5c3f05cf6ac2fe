"""Each challenge of the book is met where its figure says so, and not as it begins."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from attncourse.figures.kit.slots import plain
from attncourse.figures.listed import figure, names
from tests.attncourse.figures.conftest import in_node

BOOK = Path(__file__).parents[3] / "book"
CHALLENGE = re.compile(r"^:::\{challenge\}.*\n:name: (.*)\n", re.MULTILINE)
FIGURE = {"no-live", "hide-input"}, {"no-live", "remove-input"}  # the tags of its cell


def posed():
    """List every challenge as its page, its name and the panel before it."""
    found = []
    for path in sorted(BOOK.rglob("*.ipynb")):
        if "{challenge}" not in (text := path.read_text(encoding="utf-8")):
            continue
        names, panel = {}, None
        for cell in nbformat.reads(text, as_version=4).cells:
            if {*cell.metadata.get("tags", ())} in FIGURE:
                *made, shown = ast.parse(cell.source).body
                exec(compile(ast.Module(made, []), path.name, "exec"), names)
                panel = eval(ast.unparse(shown), names)
            found += [(path.stem, one, panel) for one in CHALLENGE.findall(cell.source)]
    return found


POSED = posed()


@pytest.fixture(scope="module")
def met():
    """Whether each challenge is met as its figure begins, and once it is shown."""
    given = [
        {
            "script": str(panel.figure.script),
            "data": panel.figure.data,
            "begun": plain(panel.state),
            "solved": panel.figure.spec["solved"],
        }
        for *_, panel in POSED
    ]
    return dict(
        zip([name for _, name, _ in POSED], in_node("goals", given), strict=True)
    )


@pytest.mark.parametrize("name", [f"{page}-{name}" for page, name, _ in POSED])
def test_a_challenge_is_met_where_show_me_goes_and_not_before(name, met):
    before, after = met[name.partition("-")[2]]
    assert not all(before)
    assert all(after)


@pytest.mark.parametrize("panel", [panel for *_, panel in POSED])
def test_what_is_shown_can_be_set(panel):
    panel.figure.begun(**panel.state | panel.figure.spec["solved"])  # or it raises


def test_a_goal_is_nowhere_without_what_meets_it():
    declared = {one: figure(one) for one in names()}
    goals = {n for n, f in declared.items() if "challenge(" in f.script.read_text()}
    assert goals == {n for n, f in declared.items() if "solved" in f.spec}
    written = (path.read_text(encoding="utf-8") for path in BOOK.rglob("*.ipynb"))
    assert len(POSED) == sum(text.count(":::{challenge}") for text in written) > 0
