"""A selected sentence is reported with its page, heading and version."""

from urllib.parse import parse_qs, urlsplit

import pytest
from built_site import PHONE, resize, wait_for

PAGE = "book/04_softmax.html"
pytestmark = pytest.mark.pages(PAGE)
SELECT = """(words) => {
  const article = document.querySelector("article");
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts, at = node.data.indexOf(words);
    if (at < 0 || !node.parentElement.checkVisibility()) continue;
    getSelection().setBaseAndExtent(node, at, node, at + words.length);
    return node.parentElement.closest("section").id;
  }
}"""
# Where links lead is noted; nothing is opened.
NOTE = """() => {
  const note = (event) => {
    const link = event.target.closest("a[target=_blank]");
    if (link) { led.push(link.href); event.preventDefault(); }
  };
  if (!window.led) addEventListener("click", note, true);
  window.led = [];
  getSelection().removeAllRanges();
  document.activeElement.blur();
  for (const one of document.querySelectorAll("[role=status]"))
    if (one.textContent.startsWith("Copied")) one.textContent = "";
}"""
WORDS = "The four other words score 0"


@pytest.fixture
def page(visit):
    """The lesson, with nothing selected, no focus, and nothing noted."""
    page = visit(PAGE, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate(NOTE)
    here = page.get_by_role("button", name="Report this sentence")
    here.wait_for(state="hidden")
    return page


def named(page, **data):
    page.locator("[data-report]").evaluate(
        "(button, data) => Object.assign(button.dataset, data)",
        {"repository": "", "mail": "", **data},
    )


def report(page):
    """Select a sentence, report it; return the section that it stands in."""
    section = page.evaluate(SELECT, WORDS)
    page.get_by_role("button", name="Report this sentence").click()
    return section


def test_it_becomes_an_issue_of_the_repository(page):
    named(page, repository="owner/course", mail="a@example.org")
    section = report(page)
    (address,) = page.evaluate("led")
    parts = urlsplit(address)
    assert (parts.netloc, parts.path) == ("github.com", "/owner/course/issues/new")
    asked = parse_qs(parts.query)
    (title,), (body,) = asked["title"], asked["body"]
    heading = page.locator("h1").first.inner_text().rstrip("#").strip()
    assert title == f"{heading}: “{WORDS}”"
    assert f"> {WORDS}\n" in body
    assert f"{PAGE}#{section})" in body
    assert page.locator(".aw-version").inner_text() in body


def test_without_a_repository_it_becomes_a_mail(page):
    named(page, mail="a@example.org")
    report(page)
    (address,) = page.evaluate("led")
    assert address.startswith("mailto:a@example.org?subject=")
    assert "%3E%20The%20four" in address


def test_without_either_it_is_copied_and_a_screen_reader_hears_so(page):
    named(page)
    report(page)
    page.get_by_role("status").filter(has_text="Copied: paste it").wait_for()
    assert f"> {WORDS}" in page.evaluate("navigator.clipboard.readText()")
    assert page.watch.clean()


def test_a_keyboard_reports_without_a_selection(page):
    named(page, repository="owner/course")
    page.get_by_role("button", name="Report a mistake on this page").press("Enter")
    (address,) = page.evaluate("led")
    assert "the+sentence" in address


def test_from_a_selection_tab_leads_to_its_button_and_what_was_selected_is_kept(page):
    named(page)
    page.get_by_text(WORDS).first.click()  # from where Tab goes on
    page.evaluate(SELECT, WORDS)
    here = page.get_by_role("button", name="Report this sentence")
    here.wait_for()
    before = here.evaluate("one => one.previousElementSibling.textContent")
    assert WORDS in before
    page.evaluate("getSelection().modify('extend', 'forward', 'paragraph')")
    page.evaluate("getSelection().modify('extend', 'forward', 'paragraph')")
    behind = "(one, text) => one.previousElementSibling.textContent !== text"
    wait_for(page, lambda: here.evaluate(behind, before))
    for _ in range(20):  # what can be focused in the text before it
        page.keyboard.press("Tab")
        if here.evaluate("one => one === document.activeElement"):
            break
    page.wait_for_timeout(500)  # for all that follows when nothing is selected
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="Copied: paste it").wait_for()
    quoted = page.evaluate("navigator.clipboard.readText()")
    assert f"> {WORDS}" in quoted
    assert "Report this" not in quoted


def test_it_stays_in_sight_on_a_phone_and_goes_with_the_selection(page):
    resize(page, PHONE)
    page.evaluate(SELECT, WORDS)
    here = page.get_by_role("button", name="Report this sentence")
    here.wait_for()
    box = here.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    page.evaluate("getSelection().removeAllRanges()")
    here.wait_for(state="hidden")
