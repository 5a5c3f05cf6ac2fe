"""What a card tells beside its text, as a reader meets it who has guessed nothing."""

import nbformat
import pytest
from built_site import ROOT, WIDE

PAGES = sorted(
    path.stem
    for path in (ROOT / "book").glob("*.ipynb")
    if ":::{model-part}" in path.read_text("utf-8")
)
# The heading above each card, and whether its facts and their names are shown.
SHOWN = """all => all.map((one) => [
  one.closest("section").querySelector("h2").firstChild.textContent.trim(),
  [one, ...one.querySelectorAll(".admonition-title, summary")].every((part) =>
    part.checkVisibility()),
])"""


def cards(page):
    """The titles of a page's cards."""
    found, title = [], ""
    for cell in nbformat.read(ROOT / "book" / f"{page}.ipynb", as_version=4).cells:
        if cell.source.startswith("## "):
            title = cell.source.splitlines()[0][3:]
        if ":::{model-part}" in cell.source:
            found.append(title)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_no_question_covers_the_facts_of_a_card(browser, site, page):
    context = browser.new_context(viewport=WIDE)
    opened = context.new_page()
    opened.goto(f"{site}/book/{page}.html")
    assert opened.locator(".nk-covered:not([hidden])").count() == 0
    shown = opened.locator(".aw-card").evaluate_all(SHOWN)
    context.close()
    assert [title for title, _ in shown] == cards(page)
    assert [title for title, seen in shown if not seen] == []
