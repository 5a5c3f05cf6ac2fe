"""The download with Python inside: opened from a folder, with no network, cells run.

In Chromium, before a release: every cell of every page, as a reader has it after a
double-click, prints what the page shows. Each time, `test_live_code.py` runs those of
a lesson from a host, and `attncourse/site/test_inside.py` packs a small site.
"""

import os
import re
import shutil
import zipfile

import pytest
from built_site import HTML, ROOT, Watch, uncover, wait_until
from pyodide_files import PyodideFiles
from test_firefox import ASKED, LISTEN
from test_live_code import LESSON, SAID, cell, cells, press, run, status, wait, write
from test_policy import REFUSED

from attncourse.site.inside.pack import COMPILES, has_cells, pack

REAL = "book/12_inside_a_real_model.html"
pytestmark = [pytest.mark.long, pytest.mark.release, pytest.mark.pages(LESSON, REAL)]
PATIENCE = 900  # seconds, for the pages that train models on a machine with others
RUN_ALL = """() => {
    for (const one of document.querySelectorAll(".live-bar button"))
        if (one.getAttribute("aria-label").startsWith("Run ")) one.click();
}"""
RUN = """(cell) => [...cell.querySelectorAll(".live-bar button")]
    .find((one) => one.getAttribute("aria-label").startsWith("Run ")).click()"""
STATES = "all => all.map((one) => one.dataset.live)"
# Pages whose cells train many models, most of a minute each: they run once.
TRAINS = ("book/11_two_layers_that_copy.html", "book/what_the_scale_does.html")


def pages_with_cells():
    """Every page of the built site with cells that run, puzzles too."""
    found = [path for path in HTML.rglob("*.html") if "_static" not in path.parts]
    pages = [path for path in found if has_cells(path.read_text(encoding="utf-8"))]
    return sorted(str(path.relative_to(HTML)) for path in pages)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The zip with Python inside, unpacked."""
    release = PyodideFiles.of(LESSON).folder
    folders = [ROOT / "node_modules" / "pyodide", *([release] if release else [])]
    target = tmp_path_factory.mktemp("inside")
    place = target / "python.zip"
    pack(HTML / "downloads" / "site.zip", place, folders)
    with zipfile.ZipFile(place) as archive:
        archive.extractall(target)
    place.unlink()
    (top,) = target.iterdir()
    return top


@pytest.fixture
def open_offline(browser, folder):
    """A function that opens a page of the folder, or of another, with no network."""
    contexts = []

    def open_it(name, home=folder):
        context = browser.new_context(offline=True)
        contexts.append(context)
        page = context.new_page()
        page.watch = Watch(page, home.as_uri())
        page.goto(f"{home.as_uri()}/{name}")
        uncover(page)
        return page

    yield open_it
    for context in contexts:
        context.close()


def run_all(page):
    """Press every Run; return how the cells ended, once all have."""
    page.evaluate(RUN_ALL)
    for _ in range(PATIENCE * 5):
        states = cells(page).evaluate_all(STATES)
        if not {"running", None} & {*states}:
            return states
        page.wait_for_timeout(200)
    raise AssertionError(f"after {PATIENCE} s: {states}")


@pytest.fixture(scope="module")
def real(browser, folder):
    """A lesson of the folder, in which its first cell has run."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.watch = Watch(page, folder.as_uri())
    page.goto(f"{folder.as_uri()}/{REAL}")
    uncover(page)
    first = cells(page).first
    before = first.evaluate(SAID)
    assert run(first) == ("done", before)
    yield page
    context.close()


@pytest.mark.parametrize("name", pages_with_cells())
def test_every_cell_runs_and_says_what_the_page_shows(open_offline, name):
    """Top to bottom; then some again, backwards, as later cells changed names."""
    page = open_offline(name)
    here = cells(page)
    shown = here.evaluate_all(f"cells => cells.map({SAID})")
    html = (HTML / name).read_text(encoding="utf-8")
    assert len(shown) == len(re.findall('class="cell [^"]*nk-runs', html)) > 0
    assert run_all(page) == ["done"] * len(shown)
    assert here.evaluate_all(f"cells => cells.map({SAID})") == shown
    assert page.watch.clean(), (page.watch.errors, page.watch.strangers)
    for at in range(len(shown))[::-6] if name not in TRAINS else ():
        here.nth(at).evaluate(RUN)
        assert wait(here.nth(at)) == "done"
    assert here.evaluate_all(f"cells => cells.map({SAID})") == shown


def test_a_figure_may_ask_it_too(real):
    assert real.evaluate("nokernelPython('n * 7', { n: 6 })") == "42"


def test_a_plain_figure_is_drawn(real):
    here = cell(real, "practice-effect")
    code = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])"
    assert run(here, code)[0] == "done"
    assert here.locator(".cell_output img").get_attribute("alt")


def test_a_package_that_is_not_inside_is_named(real):
    state, says = run(cell(real, "practice-effect"), "import sympy")
    assert state == "error"
    assert "Not fetched: sympy" in says
    assert "This folder does not have it." in says


def test_python_reads_no_file_outside_the_folder(real, folder):
    """The page hands over scripts of its own folder, and of no other."""
    outside = folder.parent / "secret"
    outside.with_name("secret.js").write_text('nokernelHeld("never");')
    code = "from pyodide.http import pyfetch\n"
    code += f"await pyfetch('{outside.as_uri()}')"
    state, says = run(cell(real, "practice-effect"), code)
    assert state == "error"
    assert "is not in this folder" in says


def test_stopped_it_starts_again(real):
    """By what test_live_code.py looks at in a page from a host."""
    here = cell(real, "practice-effect")
    write(here, "while True: pass")
    press(here, "Run")
    press(here, "Stop")
    assert wait(here) == "failed"
    assert status(here).startswith("Stopped.")
    assert run(here, "print(tokens.count('it'))") == ("done", "1")


def test_it_refuses_what_the_site_refuses(open_offline):
    """What lets WebAssembly be compiled lets nothing else in: no code from strings."""
    page = open_offline(LESSON)
    page.evaluate(LISTEN)
    for expression, rule in REFUSED.values():
        page.evaluate("said.length = 0")
        page.evaluate(expression)
        asked = ASKED.get(rule, rule)
        wait_until(page, f"said.some((one) => one.startsWith('{asked}'))")
        assert page.evaluate("window.done") is None


def test_only_pages_with_cells_may_compile(folder):
    may = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.html")
        if COMPILES in path.read_text(encoding="utf-8").partition("</head>")[0]
    }
    assert may == {*pages_with_cells()}


def test_what_was_not_unpacked_is_told(open_offline, folder, tmp_path):
    """Python itself; a package would be named like one that no folder has."""
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken, copy_function=os.link)
    (missing,) = broken.glob("_static/pyodide/pyodide.asm.wasm.js")
    missing.unlink()
    page = open_offline(LESSON, home=broken)
    here = cell(page, "walks")
    press(here, "Run")
    assert wait(here) == "failed"
    assert "Python could not be read from this folder" in status(here)
