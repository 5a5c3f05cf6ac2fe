"""What a task says: keys beside a pointer, and how large the checker's numbers are.

"Move", "choose" and "press" are for every hand; where one is to drag, tap or point,
the same paragraph, or the same text of a figure, has words for a keyboard.
"""

import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse.practice.catalogue import EXERCISES

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"

BY_POINTER = re.compile(r"(?<!-)\b(drag|tap|click|hover|point at)\b", re.IGNORECASE)
BY_KEYS = re.compile(r"arrow keys|Enter|[Ss]lider|digit")
FIGURES = ROOT / "course" / "attncourse" / "figures"
QUOTED = re.compile(r'(?<!")"[^"\n]+"(?!")|`[^`]*`')


def asked(texts):
    """Texts that ask for a pointer, and say nothing of keys."""
    pointed = [one for one in texts if BY_POINTER.search(one)]
    return [one for one in pointed if not BY_KEYS.search(one)]


@pytest.mark.parametrize(
    "path", sorted(BOOK.rglob("*.ipynb")), ids=lambda one: one.stem
)
def test_a_paragraph_that_asks_for_a_pointer_says_the_keys(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    assert asked(part for text in texts for part in text.split("\n\n")) == []


def test_a_text_of_a_figure_that_asks_for_a_pointer_says_the_keys():
    paths = [*FIGURES.rglob("*.js"), *FIGURES.rglob("*.py")]
    texts = [one for path in paths for one in QUOTED.findall(path.read_text("utf-8"))]
    assert asked(one for one in texts if one.count(" ") > 1) == []


ASKED = re.compile(r'^check\("(\w+)", \w+\)$', re.MULTILINE)
SAID = re.compile(r"thousands|10,000")


def asked_large():
    """Every empty function whose exercise draws large numbers: (page, name, task)."""
    for path in sorted(BOOK.glob("*.ipynb")):
        task = ""
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                starts = re.search(r"^(###|\*\*)", cell.source)
                task = cell.source if starts else task + cell.source
            elif "# your code" in cell.source:
                for name in ASKED.findall(cell.source):
                    cases = EXERCISES[name].draw(np.random.default_rng(0))
                    if any(case.is_large for case in cases):
                        yield path.stem, name, task


CASES = list(asked_large())


def test_they_are_found():
    assert len({name for _, name, _ in CASES}) >= 7


@pytest.mark.parametrize(
    ("page", "name", "task"), CASES, ids=[f"{page}-{name}" for page, name, _ in CASES]
)
def test_the_task_says_how_large_numbers_are(page, name, task):
    assert SAID.search(task), f"{page} asks for {name} and does not say that"
