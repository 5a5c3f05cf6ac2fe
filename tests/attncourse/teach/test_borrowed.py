"""An answer that is the library's function is listed; one that uses a helper is not."""

import json
from pathlib import Path

import made_up_class
import numpy as np
import pytest
from made_up_class import RIGHT

from attncourse.practice.catalogue import named
from attncourse.teach.borrowed import Watched
from attncourse.teach.class_of import grade
from attncourse.teach.notebooks import collected
from attncourse.teach.tables import as_page
from attncourse.teach.worker import GIVEN

BOOK = Path(__file__).parents[3] / "book"
ATTEND = "scaled_dot_product_attention"
LIBRARYS = {
    "called": ("softmax", "def f(x):\n    return softmax(x)", "softmax"),
    "the reference itself": (
        "log_softmax",
        "from attncourse.practice.catalogue import named\n"
        "f = named('log_softmax').reference",
        "log_softmax",
    ),
    "a wrapped function": (
        "attention",
        f"def f(query, key, value):\n    return {ATTEND}(query, key, value)",
        ATTEND,
    ),
    "moved about": (
        "softmax",
        "def f(x):\n    return np.array(softmax(x - x.max())) * 1.0",
        "softmax",
    ),
    "another function with the same inputs": (
        "masked_attention",
        f"def f(query, key, value, mask):\n"
        f"    return {ATTEND}(query, key, value, mask=mask)",
        ATTEND,
    ),
    "a class": (
        "multi_head_attention",
        "def f(x, a, b, c, d, n):\n"
        "    return MultiHeadAttention(a, b, c, d, n_heads=n)(x)",
        "MultiHeadAttention",
    ),
    "a class that looks up": (
        "look_up",
        "def f(token_ids, table):\n    return Embedding(table)(token_ids)",
        "Embedding",
    ),
}
OWN = {
    "softmax inside attention": (
        "attention",
        "def f(query, key, value):\n"
        "    return softmax(query @ key.mT / key.shape[-1] ** 0.5) @ value",
    ),
    "scores and softmax inside attention": (
        "attention",
        "def f(query, key, value):\n    return attention_weights(query, key) @ value",
    ),
    "a name of the library's for one's own": (
        "softmax",
        RIGHT["softmax"].replace("def f(", "def softmax(") + "\nf = softmax",
    ),
    "a helper called and not used": (
        "softmax",
        RIGHT["softmax"].replace("    return", "    relu(x)\n    return"),
    ),
}


def worked_by(exercise, source):
    """Say who does the work, in this process."""
    space = dict(GIVEN)
    exec(source, space)
    return watched(exercise, space["f"]).by


def watched(exercise, function):
    one = Watched(function, named(exercise))
    for case in named(exercise).draw(np.random.default_rng(0)):
        one(*case.copies())
    return one


@pytest.mark.parametrize(
    ("exercise", "source", "name"), LIBRARYS.values(), ids=LIBRARYS
)
def test_the_librarys_function(exercise, source, name):
    assert worked_by(exercise, source).partition(" ")[2] == name


@pytest.mark.parametrize(("exercise", "source"), OWN.values(), ids=OWN)
def test_an_answer_of_ones_own(exercise, source):
    assert worked_by(exercise, source) == ""


@pytest.mark.parametrize("path", sorted(BOOK.glob("*.ipynb")), ids=lambda x: x.stem)
def test_no_solution_of_a_lesson_is_the_librarys(path):
    cells = json.loads(path.read_text())["cells"]
    cells = [
        {"text": "".join(cell["source"]), "tags": []}
        for cell in cells
        if cell["cell_type"] == "code"
    ]
    for one in collected(cells, path.stem):
        if one.function.endswith("solution"):
            space = dict(GIVEN)
            exec(one.source, space)
            assert watched(one.exercise, space[one.function]).by == "", one.function


@pytest.mark.slow
def test_the_page_lists_it_under_worth_a_look(tmp_path):
    theirs = [made_up_class.answer(*x[:2]) for x in LIBRARYS.values()]
    made_up_class.put(tmp_path, "librarys", theirs)
    own = [made_up_class.answer(*x) for x in (*RIGHT.items(), *OWN.values())]
    made_up_class.put(tmp_path, "own", own)
    graded = grade(tmp_path)
    assert {one.state for x in graded.files for one in x.run.graded} == {"right"}
    page = as_page(graded)
    look = page[page.index("Worth a look") : page.index("Every file")]
    assert look.count("does the work") == len(LIBRARYS)
    assert "softmax: attnlib&#x27;s softmax does the work" in look
    assert "own.json" not in look
