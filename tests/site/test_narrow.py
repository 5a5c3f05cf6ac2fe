"""On a phone all fits, turned or not, with and without JavaScript."""

import pytest
from built_site import PHONE, resize, wait_until

TURNED = {"width": PHONE["height"], "height": PHONE["width"]}
TABLET = {"width": 800, "height": 900}


@pytest.mark.pages("book/api.html")
def test_a_turned_phone_is_looked_at_anew(open_page):
    """What scrolls only upright gives its place in the order of focus back."""
    page = open_page("book/api.html", viewport=PHONE)
    marked = "document.querySelectorAll('[data-nk-scrolls]').length"
    overflowing = """[...document.querySelectorAll("[data-nk-scrolls]")].filter((one) =>
        one.scrollWidth <= one.clientWidth).length"""
    wait_until(page, f"{marked} > 0")
    for screen in (TURNED, PHONE):
        page.set_viewport_size(screen)
        wait_until(page, f"{overflowing} === 0")
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]


def scrolled_up(page):
    page.mouse.move(page.viewport_size["width"] / 2, 400)
    page.mouse.wheel(0, 3000)
    wait_until(page, "scrollY > 1000")
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, -500)
    wait_until(page, f"scrollY < {before}")
    return page.locator("#pst-back-to-top")


def test_the_way_back_up_lies_on_nothing_that_is_touched(open_page):
    """On a phone it is not there; on a tablet in a corner, in the site's color."""
    page = open_page("book/glossary.html", viewport=PHONE)
    assert scrolled_up(page).is_hidden()
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    resize(page, TABLET)
    button = scrolled_up(page)
    button.wait_for(state="visible")
    assert button.bounding_box()["x"] > 0.75 * TABLET["width"]
    color, accent = button.evaluate("""(button) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--aw-weights)";
        const [has, wanted] = [button, probe].map((one) => getComputedStyle(one));
        return [has.backgroundColor, wanted.color];
    }""")
    assert color == accent


# Of each letter below the first row of its line of code: where that line and it begin.
HANGING = """() => {
  const range = document.createRange(), pairs = [];
  for (const pre of document.querySelectorAll(".cell_input pre")) {
    const walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    for (let first = null; walk.nextNode();)
      [...walk.currentNode.data].forEach((letter, i) => {
        range.setStart(walk.currentNode, i);
        range.setEnd(walk.currentNode, i + 1);
        const box = range.getBoundingClientRect();
        if (letter === "\\n") first = null;
        else if (letter !== " " && box.width) first ??= box;
        if (letter === " " || !first || box.top < first.bottom - 2) return;
        pairs.push([first.left, box.left]);
      });
  }
  return pairs;
}"""
COPIED = "all => all.filter((pre) => pre.innerText !== pre.textContent).length"


@pytest.mark.pages("book/09_masks.html")
def test_code_that_wraps_hangs_under_its_own_indentation(open_page):
    page = open_page("book/09_masks.html", viewport=PHONE)
    hanging = page.evaluate(HANGING)
    assert len({first for first, _ in hanging}) > 2  # lines of several depths
    assert [pair for pair in hanging if pair[1] < pair[0] + 8] == []
    assert page.locator(".cell_input pre:visible").evaluate_all(COPIED) == 0
    page.get_by_role("button", name="Edit cell 1", exact=True).click()
    editor = page.locator(".live-editor")  # scrolls, so that its lines stay lines
    assert editor.evaluate("box => getComputedStyle(box).whiteSpace") == "pre"
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
