"""A task says so where the checker tries numbers that overflow."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from attncourse.practice.catalogue import EXERCISES

BOOK = Path(__file__).resolve().parents[2] / "book"
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
