"""Python in the page: every cell runs there, prints what the page shows, and obeys."""

import csv
import gzip
import json
import re
import subprocess
import sys

import pytest
from built_site import (
    HTML,
    PAINTED,
    PHONE,
    SOON,
    Watch,
    uncover,
    violations,
    wait_for,
    wait_until,
)
from pyodide_files import PyodideFiles
from python_here import answer
from test_configuration_box import MISTRAL_LIKE
from test_drop_run import as_text, wrong_scale
from test_remember import NEXT, download, keep, line, panel, task, told

from attncourse.figures.configuration.live import READER
from sphinx_nokernel.live_code import SCRIPTS

LESSON = "book/03_scaling.html"
pytestmark = [pytest.mark.pages(LESSON), pytest.mark.long]
NARROW = {"width": 320, "height": 640}
PATIENCE = 120_000  # milliseconds
# Keeps all that a status says, however short a time.
NOTE = """(status) => {
    window.said = [];
    const note = () => said.push(status.textContent);
    new MutationObserver(note).observe(status, { childList: true });
}"""
# What an output says: its text as laid out, pictures by the words that describe them.
SAID = """cell => {
    const output = cell.querySelector(".cell_output")?.cloneNode(true);
    if (!output) return "";
    for (const one of output.querySelectorAll("[role=img]"))
        one.replaceWith(one.getAttribute("aria-label"));
    output.querySelectorAll("button, .aw-array").forEach(one => one.remove());
    output.querySelectorAll(".output").forEach(one => one.append(" "));
    return output.textContent.split(/\\s+/).join(" ").trim();
}"""


@pytest.fixture(scope="module")
def pyodide():
    return PyodideFiles.of(LESSON)


def cells(page):
    return page.locator("div.cell:has(.live-bar)")


def cell(page, name):
    return page.locator(f"#cell-{name}")


def press(cell, name):
    cell.get_by_role("button", name=re.compile(rf"^{name} ")).click()


def wait(cell, *states):
    """Wait for the end of a run, so that routed requests keep moving meanwhile."""
    for rest in [*SOON, *[50] * (PATIENCE // 50)]:
        state = cell.get_attribute("data-live")
        if state in (states or ("done", "error", "failed")):
            return state
        cell.page.wait_for_timeout(rest)
    raise AssertionError(f"still {state}: {status(cell)}")


def status(cell):
    return cell.get_by_role("status").inner_text()


def run(cell, code=None):
    """Run a cell, with other code if given; return how it ended and what it says."""
    if code is not None:
        write(cell, code)
    press(cell, "Run")
    return wait(cell), cell.evaluate(SAID)


def show_all(page):
    """Show all code of a page."""
    switch = page.get_by_role("button", name="Show hidden code")
    if switch.get_attribute("aria-pressed") == "false":
        switch.click()


def write(cell, code):
    if not cell.is_visible():
        show_all(cell.page)
    box = cell.get_by_role("textbox")
    if not box.is_visible():  # Edit stands there for a moment longer
        cell.get_by_role("button", name=re.compile("^Edit ")).click()
    box.fill(code)


# ── Before the first Run, and at it ──


def test_adds_seven_kilobytes_at_most():
    files = [HTML / "_static" / script for script in SCRIPTS]
    files.append(HTML / "_static" / "nokernel" / "live-code.css")
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 7000


@pytest.fixture(scope="module")
def lesson(browser, site, pyodide):
    """One lesson with Python running, for tests that put back what they change.

    Its first run is that of a cell in the middle; `said` and `ran` tell of it, and
    `shown` of what the cells said before it.
    """
    context = browser.new_context(viewport=NARROW)
    page = context.new_page()
    page.watch = Watch(page, site)
    pyodide.serve(context)
    pyodide.asked.clear()
    page.goto(f"{site}/{LESSON}")
    page.shown = cells(page).evaluate_all(f"cells => cells.map({SAID})")
    here = cell(page, "divide")
    here.get_by_role("status").evaluate(NOTE)
    press(here, "Run")
    assert wait(here) == "done"
    page.said = page.evaluate("said")
    page.ran = page.locator("[data-live]").evaluate_all(
        "all => all.map(e => [e.id, e.dataset.live])"
    )
    page.asked, page.megabytes = [*pyodide.asked], pyodide.megabytes()
    yield page
    context.close()


def test_first_run_fetches_ten_megabytes_at_most_and_says_so(lesson):
    for name, size in (("Python", r"5\.8"), ("NumPy", r"3\.1")):
        progress = re.compile(rf"Getting {name}, once: [\d.]+ of {size} MB")
        assert any(progress.search(text) for text in lesson.said), name
    assert 5 < lesson.megabytes <= 10
    assert not [name for name in lesson.asked if "matplotlib" in name]


def test_cells_it_builds_on_run_first_and_no_others(lesson):
    built_on = "walks example divide"
    assert lesson.ran == [[f"cell-{name}", "done"] for name in built_on.split()]


RIGHT = "def f(x):\n    powers = np.exp(x - x.max(axis=-1, keepdims=True))\n"
RIGHT += "    return powers / powers.sum(axis=-1, keepdims=True)\n"
RIGHT += 'from attncourse.practice import check\ncheck("softmax", f)'
WRONG = "factor = 1\n\n\ndef g(scores, d_k):\n    return factor * scores / d_k\n\n\n"
WRONG += 'from attncourse.practice import check\ncheck("scale_scores", g)'
SCORES = {
    "exercise": "dot_product_scores",
    "function": "h",
    "source": "def h(query, key):\n    return query @ key.mT\n",
    "verdict": {"passed": True, "findings": []},
}


def judged(cell, code):
    """Run an exercise; return whether its verdict is right, and the codes it names."""
    assert run(cell, code)[0] == "done", status(cell)
    report = cell.locator(".cell_output .verdict").last
    codes = report.locator(".verdict-findings > li > code:first-child")
    return "verdict-passed" in report.get_attribute("class"), codes.all_text_contents()


@pytest.mark.pages(NEXT, "book/index.html")
def test_what_the_page_showed_is_saved_and_graded_alike(lesson, tmp_path, site):
    """Of two exercises that ran in one lesson, and one that was kept by another."""
    lesson.evaluate("nokernelPredictions?.show()")
    shown = {"scale_scores": judged(task(lesson, 1), WRONG)}
    assert shown["scale_scores"] == (False, ["scaled-by-d_k"])
    assert line(lesson).startswith("0 of ")
    wait_until(lesson, "'scale_scores/g' in nokernelMemory.get('answers')")
    shown["softmax"] = judged(task(lesson), RIGHT)
    assert shown["softmax"] == (True, [])
    wait_until(lesson, "'softmax/f' in nokernelMemory.get('answers')")
    assert line(lesson).startswith("1 of ")
    # A right answer stays when another one is tried.
    assert judged(task(lesson), RIGHT.replace("powers /", "-powers /"))[0] is False
    lesson.evaluate(PAINTED)
    for cell in task(lesson), task(lesson, 1):
        press(cell, "Reset")
    other = lesson.context.new_page()
    other.watch = Watch(other, site)
    other.goto(f"{site}/{NEXT}")
    keep(other, "answers", "scores/h", SCORES, "book/02_queries_keys_values")
    shown["dot_product_scores"] = (True, [])
    box = panel(other)
    name = box.get_by_label("Name, if you hand it in")
    assert name.get_attribute("autocomplete") == "name"
    name.fill("Ada L")
    file = download(other, box.get_by_role("button", name="Save my answers"))
    assert file.suggested_filename == "Ada_L.json"
    assert told(box) == "Saved 3 answers as Ada_L.json."
    file.save_as(tmp_path / "in" / file.suggested_filename)
    saved = json.loads((tmp_path / "in" / "Ada_L.json").read_text())
    said = {x["exercise"]: tuple(x["verdict"].values()) for x in saved["answers"]}
    assert said == shown
    lessons = sorted(x["lesson"] for x in saved["answers"])
    assert lessons == ["02_queries_keys_values", "03_scaling", "03_scaling"]
    sources = {x["exercise"]: x["source"] for x in saved["answers"]}
    assert "factor = 1" in sources["scale_scores"]
    assert "-powers" not in sources["softmax"]
    assert graded(tmp_path) == shown
    assert other.watch.clean(), other.watch.errors
    other.close()


def graded(folder):
    """What the grader says of the one file: by exercise, whether right, and codes."""
    names = "scale_scores,softmax,dot_product_scores"
    command = [sys.executable, "-m", "attncourse.teach.grade", "in", "--to", "."]
    subprocess.run([*command, "--exercises", names], cwd=folder, check=True)
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["student_id"] == "Ada L"
    page = (folder / "grades.html").read_text(encoding="utf-8")
    codes = [x for x in re.findall(r"<code>([\w-]+)</code>", page) if "-" in x]
    right = {name: row[name] == "1" for name in names.split(",")}
    return {name: (one, [] if one else codes) for name, one in right.items()}


# ── What a reader does ──


@pytest.fixture
def scratch(lesson):
    """A cell to write into, as it was before and after."""
    here = cell(lesson, "practice-thought-code")
    yield here
    if here.get_by_role("button", name=re.compile("^Reset ")).is_visible():
        press(here, "Reset")


OWN_SENTENCE = """
from attncourse.real_model import load_minilm
trace = load_minilm(page_sized=True)("A dog ate the food because it was hungry")
print(trace.tokens[7], trace.tokens[2], trace.weights[5, 11, 7, 2].round(2))
"""


def test_figures_and_boxes_ask_the_pages_python(lesson):
    """It tells those of lessons 14 and 16 what `python_here.py` does in its place."""
    ask = """([code, values]) =>
        nokernelPython(code, values).catch((error) => `no: ${error.message}`)"""
    assert lesson.evaluate(ask, ["x + 1", {"x": 41}]) == "42"
    assert lesson.evaluate(ask, ["x", {}]) == "no: NameError: name 'x' is not defined"
    script = (HTML / "_static" / "drop-run.js").read_text(encoding="utf-8")
    drop = json.loads(re.search('"from attncourse.shipped[^"]*"', script)[0])
    run = {"name": "mine.npz", "data": as_text(wrong_scale()), "sees": "every"}
    text = {"text": json.dumps(MISTRAL_LIKE)}
    for asked in ([READER, text], [drop, {**run, "window": ""}]):
        assert lesson.evaluate(ask, asked) == answer(*asked)


def test_the_real_model_reads_a_sentence_in_the_pages_python(scratch, lesson):
    """The numbers of the landing page's head, from the weights that the site has."""
    assert run(scratch, OWN_SENTENCE) == ("done", "it dog 0.6")
    assert lesson.watch.clean()


# Of the next run, Python does not say that it is done before it is told to.
LATE = """() => {
    const { heard } = nokernelWorker;
    nokernelWorker.heard = (data) => {
        if (data.type !== "ran") return heard(data);
        nokernelWorker.heard = heard;
        window.done = () => heard(data);
    };
}"""


def test_a_cell_runs_again_as_soon_as_it_has_ended(scratch, lesson):
    lesson.evaluate(LATE)
    assert run(scratch, "print(1)") == ("done", "1")
    wait_until(lesson, "Boolean(window.done)")
    write(scratch, "print(2)")
    press(scratch, "Run")
    lesson.evaluate("done()")
    assert (wait(scratch), scratch.evaluate(SAID)) == ("done", "2")


def test_an_array_that_a_reader_prints_is_a_table(scratch):
    code = "import numpy as np\nprint('eye')\nprint(np.eye(2))\nnp.ones((2, 3))"
    for _ in range(2):  # the second time in place of the first
        assert run(scratch, code)[0] == "done"
        tables = scratch.locator(".aw-array").get_by_role("table")
        captions = tables.locator("caption").all_inner_texts()
        assert captions == ["eye", "Printed array"]
        assert tables.get_by_role("columnheader").count() == 2 + 3
        assert tables.get_by_role("cell", name="1", exact=True).count() == 2 + 6


def test_an_edit_runs_and_what_builds_on_it_follows(lesson):
    here, later = cell(lesson, "example"), cell(lesson, "divide")
    source = here.locator("pre").first.inner_text()
    before = later.evaluate(SAID)
    write(here, f"{source}\nscores = 2 * scores")
    state, said = run(later)
    assert (state, said.split()[0]) == ("done", "hungry")
    assert said != before
    press(here, "Reset")
    assert run(later) == ("done", before)
    press(later, "Reset")


def test_reset_gives_code_and_output_back(scratch, lesson):
    here = cell(lesson, "divide")
    code, before = here.locator("pre").first.inner_text(), here.evaluate(SAID)
    assert run(here, "print('mine')") == ("done", "mine")
    press(here, "Reset")
    assert here.evaluate(SAID) == before
    assert here.locator("pre").first.inner_text() == code
    assert here.get_by_role("textbox").count() == 0


@pytest.mark.pages("book/puzzles/passes_every_shape_check.html")
def test_editing_begins_where_the_code_begins(open_page):
    page = open_page("book/puzzles/passes_every_shape_check.html", viewport=PHONE)
    edit = page.locator("button[aria-label^='Edit ']").first
    assert not edit.evaluate("one => { one.click(); return one.hidden; }")
    wait_for(page, edit.is_hidden)  # not before it is heard where the focus went
    at = "one => [one.selectionStart, one.scrollLeft, one.scrollTop]"
    assert page.get_by_role("textbox").evaluate(at) == [0, 0, 0]


def test_shift_enter_runs_and_enter_keeps_the_indentation(scratch):
    write(scratch, "")
    scratch.get_by_role("textbox").focus()
    keyboard = scratch.page.keyboard
    keyboard.type("for i in range(2):\nprint(i)\nprint('in')")
    keyboard.press("Shift+Enter")
    assert wait(scratch, "done", "error") == "done"
    assert scratch.evaluate(SAID) == "0 in 1 in"


def test_all_that_a_cell_shows_comes_in_order(scratch):
    state, says = run(
        scratch,
        "import sys\nprint('out'); print('err', file=sys.stderr)\n"
        "display([1]); print('again')\n2 + 2",
    )
    assert (state, says) == ("done", "out err [1] again 4")
    classes = scratch.locator(".cell_output > *").evaluate_all(
        "all => all.map(e => e.classList[1])"
    )
    assert classes == ["stream", "stderr", "text_plain", "stream", "text_plain"]


def test_an_exercise_gets_its_verdict(scratch):
    task = "from attncourse.practice import check\n"
    task += "def scale_scores(scores, d_k):\n    {}\n"
    task += "check('scale_scores', scale_scores)"
    blank = run(scratch, task.format("..."))
    assert blank[0] == "done"
    assert "nothing to check yet" in blank[1]
    assert "missing-scale" in run(scratch, task.format("return scores"))[1]
    assert re.search(r"✗ .*missing-scale.*Look at", status(scratch))
    assert "right" in run(scratch, task.format("return scores / d_k**0.5"))[1]
    assert scratch.locator(".verdict-passed").is_visible()
    assert re.match(r"Done\.\s✓ scale_scores: right\.", status(scratch))
    run(scratch, "print(1.0)")
    assert re.fullmatch(r"Done\.\s1\.0", status(scratch))


def test_stop_ends_endless_printing_and_python_starts_again(scratch, lesson):
    write(scratch, "while True: print('more')")
    press(scratch, "Run")
    wait_for(lesson, lambda: "more" in scratch.evaluate(SAID))
    press(scratch, "Stop")
    assert wait(scratch) == "failed"
    assert status(scratch).startswith("Stopped.")
    assert len(scratch.evaluate(SAID)) <= 110_000
    assert run(scratch, "walks.shape") == ("done", "(16, 4)")


def test_every_cell_prints_what_the_page_shows(lesson):
    """In the Python that has just started: top to bottom; then some again, backwards,
    as later cells changed names. `test_python_inside.py` has the other lessons.
    """
    uncover(lesson)
    show_all(lesson)
    folds = lesson.locator("details")
    folds.evaluate_all("all => all.forEach((one) => { one.open = true; })")
    order = range(len(lesson.shown))
    for index in [*order, *order[::-6]]:
        here = cells(lesson).nth(index)
        assert run(here) == ("done", lesson.shown[index]), here.get_attribute("id")
    assert lesson.watch.clean(), lesson.watch.errors


def test_a_failing_cell_above_is_named(scratch, lesson):
    uncover(lesson)
    above = cell(lesson, "walks")
    write(above, "walks = (")
    assert run(scratch, "walks")[0] == "error"
    assert status(scratch) == "Not run: cell 1 above ended with an error."
    assert "SyntaxError" in above.evaluate(SAID)
    press(above, "Reset")
    assert run(scratch, "walks.shape") == ("done", "(16, 4)")


# ── Where Python cannot be had ──


def moves(page):
    slider = page.locator(".nk-live input[type=range]").first
    view = page.locator(".nk-live .aw-view").first
    before = view.inner_html()
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    return view.inner_html() != before


def test_blocked_it_says_one_sentence_and_the_page_goes_on(open_page):
    page = open_page(LESSON)
    broken = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    here = cell(page, "divide")
    before = here.evaluate(SAID)
    assert run(here) == ("failed", before)
    assert re.fullmatch(r"[^.]*(\.[^ ][^.]*)*\.", status(here))
    assert "check the connection" in status(here)
    asks = "[1, 2].map((n) => nokernelPython(n).catch((error) => error.message))"
    assert page.evaluate(f"Promise.all({asks})") == [status(here)] * 2
    assert broken == []
    assert moves(page)


def test_from_a_folder_it_says_what_to_do(open_page):
    page = open_page(LESSON, home=HTML.as_uri())
    here = cell(page, "divide")
    before = here.evaluate(SAID)
    assert run(here) == ("failed", before)
    assert "http.server" in status(here)
    assert page.watch.strangers == []
    assert moves(page)


# ── For everyone ──


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_an_edited_cell(lesson, scratch, theme):
    lesson.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    run(scratch, "1 / 0")
    assert violations(lesson, "#cell-practice-thought-code") == []


def test_nothing_runs_over_at_320_pixels(lesson, scratch):
    run(scratch, "print('a long line ' * 40)")
    assert lesson.evaluate("document.documentElement.scrollWidth") <= 320
    for button in scratch.get_by_role("button").all():
        if button.is_visible():
            box = button.bounding_box()
            assert box["height"] >= 24
            assert box["x"] + box["width"] <= 320


def test_paper_gets_no_buttons(open_page):
    """Nor do cells that cannot run; on the screen the style has kept room for them."""
    page = open_page(LESSON)
    assert page.locator(".tag_no-live").count()
    assert page.locator(".tag_no-live .live-bar").count() == 0
    height = "document.querySelector('.bd-article').getBoundingClientRect().height"
    with_buttons = page.evaluate(height)
    page.emulate_media(media="print")
    assert not page.locator(".live-bar").first.is_visible()
    page.emulate_media(media="screen")
    page.evaluate("document.querySelectorAll('.live-bar').forEach(bar => bar.remove())")
    wait_until(page, f"Math.abs({height} - {with_buttons}) < 1")


def test_buttons_say_which_cell_they_are_for(lesson):
    names = lesson.locator(".live-bar button").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label'))"
    )
    assert len(set(names)) == len(names)
