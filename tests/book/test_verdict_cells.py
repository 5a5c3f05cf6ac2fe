"""In a notebook a verdict is displayed once, as HTML and as text."""

import re
from itertools import chain

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

CELLS = {
    "from attncourse.practice import check": 0,
    "check('softmax', None)": 1,
    "report = check('softmax', None)": 1,
    "report": 1,
    "report = check('softmax', None)\nreport": 1,
    "check('softmax', None)\ncheck('project', None)": 2,
    "check('softmax', lambda x: x)\nprint(report.passed)": 1,
}


@pytest.fixture(scope="module")
def cells():
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    nbformat.validate(notebook)
    return NotebookClient(notebook, timeout=60).execute().cells


def test_each_verdict_is_displayed_once(cells):
    shown = [
        [output for output in cell.outputs if "text/html" in output.get("data", {})]
        for cell in cells
    ]
    assert list(map(len, shown)) == list(CELLS.values())
    for output in chain.from_iterable(shown):
        assert set(output.data) == {"text/plain", "text/html"}
        words = re.sub("<.*?>", "", output.data["text/html"])
        assert words.startswith(output.data["text/plain"].splitlines()[0])


def test_nothing_else_is_printed(cells):
    streams = [o.text for cell in cells for o in cell.outputs if "text" in o]
    assert streams == ["False\n"]
