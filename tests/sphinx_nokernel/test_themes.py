"""In the themes of other people's books, light and dark: axe finds nothing of ours."""

from pathlib import Path

import ipywidgets as w
import nbformat
import pytest
from books import Book, notebook
from nbformat.v4 import new_code_cell, new_markdown_cell

pytestmark = pytest.mark.slow

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# That of this course, sphinx_book_theme, is looked at in tests/site.
THEMES = ("furo", "pydata_sphinx_theme", "sphinx_rtd_theme")
TEXT = """\
# Widgets

:::{quiz} Which one?
- [ ] This one.
  - No: look again.
- [x] That one.
  - It is.
:::

:::{predict} And now?
- [ ] Less.
  - More, in fact.
- [x] More.
  - It grows.
:::

What was covered.

## Folds

:::{admonition} A fold
:class: dropdown
Words in it.
:::
"""
CELL = "print(1)\nfor n in range(3):\n    print(n)"
# What this package puts into a page; all else is the theme's, or the book's.
OURS = (
    ".nk-question, .nk-covered, .nk-figure, .nk-mounted, .nk-live, .live-bar, "
    ".live-editor, [data-nk-scrolls]"
)
FOUND = """async (ours) => {
  const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a",
    "wcag21aa", "wcag22aa", "best-practice"] });
  return violations.flatMap(({ id, nodes }) => nodes
    .filter(({ target }) => document.querySelector(target.flat().at(-1))?.closest(ours))
    .map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`));
}"""
LUMINANCE = """() => {
  const { color } = getComputedStyle(document.querySelector(".nk-question"));
  const [r, g, b] = color.match(/[\\d.]+/g).map(Number);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


def source():
    """A stored notebook with questions, folds, a cell that runs, and widgets."""
    controls = [
        w.IntSlider(3, 0, 9, description="height"),
        w.Dropdown(options=["a", "b"], description="letter"),
        w.ToggleButtons(options=["left", "right"], description="side"),
        w.Text("words", description="text"),
        w.Checkbox(True, description="on"),
        w.IntProgress(4, description="so far"),
    ]
    made = nbformat.reads(notebook(w.VBox(controls)), 4)
    made.cells[:1] = [new_markdown_cell(TEXT), new_code_cell(CELL, id="loop")]
    return nbformat.writes(made)


@pytest.fixture(scope="module", params=THEMES)
def site(request, tmp_path_factory):
    book = Book(tmp_path_factory.mktemp(request.param))
    book.write("index.ipynb", source())
    # The list of its own, since themes add to Sphinx's, which all builds here share.
    book.build(html_theme=request.param, templates_path=[])
    return book.out


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_of_ours(browser, site, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.route("https://**", lambda route: route.fulfill(body=""))
    page.goto((site / "index.html").as_uri())
    assert page.evaluate("mountWidgets.ready.then((all) => all.live)") == 1
    for question in page.locator(".nk-question").all():
        question.locator("input").first.check()
        question.press("Enter")
    page.locator("summary").first.click()
    page.get_by_role("button", name="Edit").first.click()
    page.evaluate("scrollTo(0, 0)")  # from below the bar of a theme
    page.add_script_tag(path=AXE)
    found = page.evaluate(FOUND, OURS)
    light = page.evaluate(LUMINANCE)
    context.close()
    assert found == []
    if "rtd" not in site.parent.name:  # which has no dark
        assert (light > 128) == (scheme == "dark")
