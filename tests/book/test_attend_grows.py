"""`attend` is one piece of code: lesson 6's, taken up again, and in 9 with a mask."""

import ast
import inspect
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse import story

BOOK = Path(__file__).resolve().parents[2] / "book"


def page(lesson):
    (path,) = BOOK.glob(f"{lesson:02}_*.ipynb")
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


def in_a_lesson(lesson):
    """Return the statements of the `attend` that a lesson shows, unfolded."""
    (found,) = (
        node
        for cell in page(lesson)
        if not {"hide-cell", "hide-input"} & set(cell.metadata.get("tags", []))
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef) and node.name == "attend"
    )
    return found


def statements(function):
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return [ast.unparse(line) for line in body]


def test_what_is_taken_up_is_what_lesson_6_shows():
    (taken_up,) = ast.parse(inspect.getsource(story.attend)).body
    assert statements(taken_up) == statements(in_a_lesson(6))
    assert ast.unparse(taken_up.args) == ast.unparse(in_a_lesson(6).args)


@pytest.mark.parametrize("lesson", [7, 8])
def test_who_takes_it_up_says_so(lesson):
    source = "\n".join(cell.source for cell in page(lesson))
    assert "def attend" not in source
    assert "import attend" in source


def test_in_lesson_9_one_line_is_new():
    earlier, later = (statements(in_a_lesson(lesson)) for lesson in (6, 9))
    loops = [ast.parse(lines[1]).body[0].body for lines in (earlier, later)]
    before, after = ([ast.unparse(line) for line in loop] for loop in loops)
    assert [line for line in after if line not in before] == [
        "scores = np.where(mask, scores, -np.inf)"
    ]
    assert [line for line in after if line in before] == before
    assert [earlier[0], earlier[2]] == [later[0], later[2]]


def test_a_row_for_each_word():
    x = story.embed(story.sentence("hungry"))
    update = story.attend(x, story.heads().values(), story.w_output())
    assert update[3].round(2).tolist() == [0.2, 0.2, 0, 0, 0.95, 0]
    assert np.shape(update) == (5, 6)
