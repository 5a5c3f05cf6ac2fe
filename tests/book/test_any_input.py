"""What a reader is asked to do can be done with any input, or keys are said beside it.

"Move", "choose" and "press" are for every hand; where one is to drag, tap or point,
the same paragraph, or the same text of a figure, has words for a keyboard.
"""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BY_POINTER = re.compile(r"(?<!-)\b(drag|tap|click|hover|point at)\b", re.IGNORECASE)
BY_KEYS = re.compile(r"arrow keys|Enter|[Ss]lider|digit")
BOOK = [*sorted((ROOT / "book").rglob("*.ipynb"))]
FIGURES = ROOT / "course" / "attncourse" / "figures"
QUOTED = re.compile(r'(?<!")"[^"\n]+"(?!")|`[^`]*`')


def asked(texts):
    """Texts that ask for a pointer, and say nothing of keys."""
    pointed = [one for one in texts if BY_POINTER.search(one)]
    return [one for one in pointed if not BY_KEYS.search(one)]


@pytest.mark.parametrize("path", BOOK, ids=lambda one: one.stem)
def test_a_paragraph_that_asks_for_a_pointer_says_the_keys(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    assert asked(part for text in texts for part in text.split("\n\n")) == []


def test_a_text_of_a_figure_that_asks_for_a_pointer_says_the_keys():
    paths = [*FIGURES.rglob("*.js"), *FIGURES.rglob("*.py")]
    texts = [one for path in paths for one in QUOTED.findall(path.read_text("utf-8"))]
    assert asked(one for one in texts if one.count(" ") > 1) == []
