"""Every matrix that a lesson's text names stands on its page with its numbers.

Read from what the cells put out: arrays as NumPy prints them, tables of rows side by
side, and the words of the machine, in which a matrix follows its name.
"""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse import story
from attncourse.story import in_order, layers

BOOK = Path(__file__).resolve().parents[2] / "book"
NAMED = re.compile(r"W\^\{?([QKVO])\b|W_([12])\b")
LIST = re.compile(r"\[+([-+.\de ]+)\]+")
FIND, GATHER = (dict(zip("QKV", one, strict=True)) for one in story.heads().values())
ORDER = in_order.who_ate()
W_1, _, W_2, _ = layers.tidy()


def filled(w, columns=slice(None)):
    """Return the rows of a matrix that are not empty."""
    return w[w.any(axis=1)][:, columns]


def expected(lesson):
    """List what each name means in a lesson: one matrix, or several."""
    if lesson < 6:
        return {name: [w] for name, w in FIND.items()}
    both = {name: [FIND[name], GATHER[name]] for name in "QKV"}
    if lesson == 6:
        return both | {"O": [story.w_output()]}
    if lesson == 7:
        query = [filled(ORDER.w_query[:6]), filled(ORDER.w_query[6:, 2:]).round(2)]
        return {
            "Q": query,
            "K": [filled(ORDER.w_key[:6])],
            "V": [filled(ORDER.w_value)],
            "O": [np.eye(2)],
        }
    outputs = {"O": [story.w_output()[2:], story.w_output()[:2]]}
    return both | outputs | {"1": [W_1], "2": [W_2]}


def numbers(text):
    return [float(x) for x in text.replace("−", "-").split()]


def shown(text):
    """Yield the tables of numbers in what a cell has put out, as lists of rows."""
    lines = [[numbers(one) for one in LIST.findall(line)] for line in text.splitlines()]
    for column in range(max(map(len, lines), default=0)):
        yield [line[column] for line in lines if len(line) > column]
    for matrix in re.findall(
        r"W(?:\^[QKVO]|_[12])[^:]*: ([^.:]+?(?:\.\d+[^.:]*?)*)(?:\. |\.$)", text
    ):
        rows = re.findall(
            r"((?: ?[−-]?\d+(?:\.\d+)?)+)$", matrix.replace(";", "\n"), re.M
        )
        yield [numbers(row) for row in rows]


def stands_in(w, table):
    """Say whether a matrix's rows, or its columns, follow each other in a table."""
    for rows in (w.tolist(), w.T.tolist()):
        starts = range(len(table) - len(rows) + 1)
        if any(table[at : at + len(rows)] == rows for at in starts):
            return True
    return False


def page(lesson):
    (path,) = BOOK.glob(f"{lesson:02d}_*.ipynb")
    return nbformat.read(path, as_version=4).cells


def tables(cells):
    outputs = [one for cell in cells for one in cell.get("outputs", [])]
    texts = [one.get("text") or one["data"]["text/plain"] for one in outputs]
    return [table for text in texts for table in shown(text)]


@pytest.mark.parametrize("lesson", range(6, 10))
def test_a_named_matrix_is_shown(lesson):
    cells = page(lesson)
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    named = {"".join(one) for one in NAMED.findall(text)}
    found = tables(cells)
    for name in named & expected(lesson).keys():
        for w in expected(lesson)[name]:
            assert any(stands_in(w, table) for table in found), (name, w)
