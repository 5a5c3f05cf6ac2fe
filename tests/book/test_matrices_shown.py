"""Lessons 2 to 5: every matrix that the text names is on the page with its numbers."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse import story
from attncourse.figures.machine.inputs import DECODER, given
from attncourse.figures.machine.tables import tables
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
START = re.compile(
    r"(?:^|[.] )(X|W\^[QKV]|[QKV]|scores|scaled scores|weights|output): "
)


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
    outputs = [
        o.data["text/plain"]
        for c in cells
        for o in c.get("outputs", [])
        if "data" in o and o.data["text/plain"].startswith("The machine")
    ]
    _, *parts = START.split(" ".join(outputs).replace("row by row. ", "row by row. . "))
    return {
        name: numbers(body) for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def numbers(body):
    rows = [
        re.findall(r"(?<=\s)[-−]?\d+(?:\.\d+)?(?!\w)", f" {row}")
        for row in body.split(";")
    ]
    return np.array([[float(n.replace("−", "-")) for n in row] for row in rows])


@pytest.mark.parametrize("number", LEAST)
def test_every_matrix_that_is_named_is_shown_with_its_numbers(number):
    cells = lesson(number)
    names, matrices = named(cells), shown(cells)
    assert names >= LEAST[number]
    for name in names:
        assert name in matrices, f"lesson {number} names {name} and does not show it"
        np.testing.assert_allclose(matrices[name], MATRICES[name], atol=0.0051)


def test_a_name_that_is_not_shown_is_noticed():
    cells = lesson(2)
    without = [c for c in cells if "machine.panel" not in c.source]
    assert shown(without) == {}
    assert named(without) >= {"W^Q", "Q"}


def test_the_page_of_the_decoder_shows_every_matrix_that_it_names():
    cells = nbformat.read(BOOK / "ask_another_sentence.ipynb", as_version=4).cells
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    formulas = " ".join(re.findall(r"\$[^$]+\$|\*\*[A-Z]\*\*", text))
    names = set(re.findall(r"W\^[QKVO]|(?<![\w^])[XRQKV](?![\w^])", formulas))
    assert names == {"X", "R", "Q", "K", "V", "W^Q", "W^K", "W^V", "W^O"}
    (machine,) = (
        o.data["text/plain"]
        for c in cells
        for o in c.get("outputs", [])
        if "data" in o and o.data["text/plain"].startswith("The machine")
    )
    table = tables(given(DECODER), 0)[0][1]
    for name in names:
        (said,) = re.findall(
            rf"\. {re.escape(name)}: (.*?)(?=\. [A-Za-z]|\.$)", machine
        )
        np.testing.assert_allclose(numbers(said), table[name.replace("^", "")])
