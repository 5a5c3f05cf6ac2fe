"""Every matrix that a lesson's text names stands on its page with its numbers.

Read from what the cells put out: in lessons 2 to 5 and on the decoder's page the words
of the machine, in lessons 6 to 9 also arrays as NumPy prints them, and tables of rows
side by side.
"""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse import story
from attncourse.figures.machine.inputs import DECODER, given
from attncourse.figures.machine.tables import tables
from attncourse.story import in_order
from attnlib import SelfAttention

BOOK = Path(__file__).resolve().parents[2] / "book"
WEIGHTS = dict(zip(("W^Q", "W^K", "W^V"), story.find_weights(), strict=True))
TRACE = SelfAttention(*story.find_weights()).trace(story.embed(story.sentence()))
MATRICES = WEIGHTS | {
    "X": story.embed(story.sentence()),
    "Q": TRACE.query,
    "K": TRACE.key,
    "V": TRACE.value,
    "scores": TRACE.scores,
    "scaled scores": TRACE.scaled_scores,
    "weights": TRACE.weights,
    "output": TRACE.output,
}
# How a formula names each of them.
SIGNS = {
    **{name: re.escape(name) for name in WEIGHTS},
    **{letter: rf"(?<![\w^{{])({letter})(?![\w^])" for letter in "XQKV"},
    "K": r"(?<![\w^{])Q?K(?![\w^])|K\^\\top",
    "scores": r"\\text\{scores\}",
    "scaled scores": r"\\text\{scaled scores\}",
    "weights": r"w_i = |w_\{i1\}|`weights @ value`",
    "output": r"\\text\{output\}_i",
}
LEAST = {2: {"W^Q", "W^K", "W^V", "X", "Q", "K", "V"}, 3: {"scores", "scaled scores"}}
LEAST |= {4: {"weights"}, 5: {"Q", "K", "V", "weights", "output"}}
LINE = re.compile(r"^((?:\w+ \d, )?[\w^ ]+), [^:,]+: numbers (.*)$", flags=re.MULTILINE)


def lesson(number):
    (path,) = BOOK.glob(f"{number:02}_*.ipynb")
    return nbformat.read(path, as_version=4).cells


def named(cells):
    """The matrices that formulas of the open text name."""
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    text = re.split(r"^:::\{admonition\} .*\n:class: dropdown posts", text, flags=re.M)[
        0
    ]
    math = " ".join(re.findall(r"\$\$?[^$]+\$\$?|`[^`]+`", text))
    return {name for name, sign in SIGNS.items() if re.search(sign, math)}


def shown(cells):
    """The matrices that the page's machine prints, by name."""
    outputs = [one for cell in cells for one in cell.get("outputs", [])]
    texts = [one.get("data", {}).get("text/plain", "") for one in outputs]
    return in_words("\n".join(one for one in texts if one.startswith("The machine")))


def in_words(text):
    found = {}
    for name, row in LINE.findall(text):
        found.setdefault(name, []).append(numbers(row))
    return found


def numbers(row):
    found = re.findall(r"(?<=\s)[-−]?\d+(?:\.\d+)?(?=,|$)", row)
    return [float(n.replace("−", "-")) for n in found]


@pytest.mark.parametrize("number", LEAST)
def test_every_matrix_that_is_named_is_shown_with_its_numbers(number):
    cells = lesson(number)
    names, matrices = named(cells), shown(cells)
    assert names >= LEAST[number]
    for name in names:
        assert name in matrices, f"lesson {number} names {name} and does not show it"
        np.testing.assert_allclose(matrices[name], MATRICES[name], atol=0.0051)


def test_the_page_of_the_decoder_shows_every_matrix_that_it_names():
    cells = nbformat.read(BOOK / "ask_another_sentence.ipynb", as_version=4).cells
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    formulas = " ".join(re.findall(r"\$[^$]+\$|\*\*[A-Z]\*\*", text))
    names = set(re.findall(r"W\^[QKVO]|(?<![\w^])[XRQKV](?![\w^])", formulas))
    assert names == {"X", "R", "Q", "K", "V", "W^Q", "W^K", "W^V", "W^O"}
    found, table = shown(cells), tables(given(DECODER), 0)[0][1]
    for name in names:
        np.testing.assert_allclose(found[name], table[name.replace("^", "")])


# Lessons 6 to 9: a name may stand for a matrix of each head.

NAMED = re.compile(r"W\^\{?([QKVO])\b|W_([12])\b")
LIST = re.compile(r"\[+([-+.\de ]+)\]+")
FIND, GATHER = (dict(zip("QKV", one, strict=True)) for one in story.heads().values())
ORDER = in_order.who_ate()


def filled(w, columns=slice(None)):
    """Return the rows of a matrix that are not empty."""
    return w[w.any(axis=1)][:, columns]


def expected(number):
    """List what each name means in a lesson from 6 on: one matrix, or several."""
    both = {name: [FIND[name], GATHER[name]] for name in "QKV"}
    if number == 6:
        return both | {"O": [story.w_output()]}
    if number == 7:
        query = [filled(ORDER.w_query[:6]), filled(ORDER.w_query[6:, 2:]).round(2)]
        return {
            "Q": query,
            "K": [filled(ORDER.w_key[:6])],
            "V": [filled(ORDER.w_value)],
            "O": [np.eye(2)],
        }
    outputs = {"O": [story.w_output()[2:], story.w_output()[:2]]}
    return both | outputs


def row(text):
    return [float(x) for x in text.replace("−", "-").split()]


def printed(text):
    """Yield the tables of numbers in what a cell has put out, as lists of rows."""
    lines = [[row(one) for one in LIST.findall(line)] for line in text.splitlines()]
    for column in range(max(map(len, lines), default=0)):
        yield [line[column] for line in lines if len(line) > column]
    yield from in_words(text).values()
    for rows in re.findall(r"^W\^[QKVO][^:]*: (.*; .*)\.$", text, flags=re.MULTILINE):
        yield [row(one) for one in rows.split(";")]


def stands_in(w, table):
    """Say whether a matrix's rows, or its columns, follow each other in a table."""
    for rows in (w.tolist(), w.T.tolist()):
        starts = range(len(table) - len(rows) + 1)
        if any(table[at : at + len(rows)] == rows for at in starts):
            return True
    return False


def printed_tables(cells):
    outputs = [one for cell in cells for one in cell.get("outputs", [])]
    texts = [one.get("text") or one["data"]["text/plain"] for one in outputs]
    return [table for text in texts for table in printed(text)]


@pytest.mark.parametrize("number", range(6, 10))
def test_a_named_matrix_of_several_heads_is_shown(number):
    cells = lesson(number)
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    names = {"".join(one) for one in NAMED.findall(text)}
    found = printed_tables(cells)
    for name in names & expected(number).keys():
        for w in expected(number)[name]:
            assert any(stands_in(w, table) for table in found), (name, w)
