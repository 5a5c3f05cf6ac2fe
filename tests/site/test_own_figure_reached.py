"""Lesson 12's figure by keyboard alone, narrow, dark, and as a screen reader has it."""

import pytest
from built_site import HTML, Watch, violations, wait_for
from own_figure import CAT, LESSON, captions, says, sliders

pytestmark = pytest.mark.pages(LESSON)
NARROW = {"width": 320, "height": 700}
FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  return {
    name: one.ariaLabel || one.labels?.[0]?.textContent || one.textContent,
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    inView: box.top < innerHeight && box.bottom > 0 && box.left >= 0
      && box.right <= innerWidth + 1,
  };
}"""
SMALL = """() => {
  const kinds = ":is(button, input, summary, select)";
  return [...document.querySelectorAll(`.aw-own-sentence ${kinds}`)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
    .map((one) => one.outerHTML.slice(0, 80));
}"""
NAMELESS = """() => {
  const all = [...document.querySelectorAll(".aw-own-sentence svg")];
  const named = (one) => ["img", "group"].includes(one.role) && one.ariaLabel;
  return all.filter((one) => one.checkVisibility() && !named(one)).length;
}"""


@pytest.fixture(scope="module")
def dark(browser):
    """The lesson in the dark, 320 pixels wide; with a mouse nothing is ever touched."""
    assert (HTML / "_static" / "minilm" / "worker.js").exists(), "The site has no model"
    context = browser.new_context(viewport=NARROW, color_scheme="dark")
    page = context.new_page()
    page.watch = Watch(page, "file:")
    page.goto((HTML / LESSON).as_uri())
    page.evaluate("window.mountWidgets.ready")
    yield page
    assert page.watch.clean(), page.watch.errors
    context.close()


def tab_to(page, name, most=40):
    """Press Tab until a control is reached; every stop on the way can be seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop["name"].strip().startswith(name):
            assert stop["ring"], stop
            assert stop["inView"], stop
            return
    raise AssertionError(f"Tab does not come to {name!r}")


def test_all_of_it_by_keyboard(dark):
    """Open, type, load, compare, choose a head and a token, see whole matrices."""
    dark.get_by_label("Sentences", exact=True).focus()
    tab_to(dark, "Try your own sentence")
    dark.keyboard.press("Enter")
    dark.locator(".aw-load").wait_for()
    tab_to(dark, "Your sentence")
    dark.keyboard.press("ControlOrMeta+a")
    dark.keyboard.type(CAT)
    says(dark, "needs the model")
    tab_to(dark, "Load the model")
    dark.keyboard.press("Enter")
    says(dark, "tokens. In head")
    assert dark.evaluate(FOCUSED)["name"] == "Your sentence"  # the button is gone
    tab_to(dark, "Compare with")
    dark.keyboard.press("ControlOrMeta+a")
    dark.keyboard.type(CAT.replace("thirsty", "white"))
    says(dark, "11 tokens and 11 tokens")
    assert len(captions(dark)) == 2
    before = captions(dark)
    sliders(dark)
    dark.get_by_role("slider", name="Layer").focus()
    dark.keyboard.press("ArrowLeft")
    wait_for(dark, lambda: captions(dark) != before)
    dark.locator(".aw-map [tabindex='0']").focus()
    tab_to(dark, "Show every head's whole matrix")
    dark.keyboard.press("Space")
    assert dark.evaluate("document.activeElement.ariaPressed") == "true"
    assert "whole matrix" in dark.locator(".aw-map + .aw-caption").inner_text()


def test_the_experiment_by_keyboard(dark):
    dark.get_by_label("Sentences", exact=True).focus()
    tab_to(dark, "Your own experiment")
    dark.keyboard.press("Enter")
    for label in ("Pairs to search in", "Fresh pairs"):
        tab_to(dark, label)
        dark.keyboard.press("ControlOrMeta+a")
        dark.keyboard.insert_text(
            "The dog ate the food as it was {}; dog; food; hungry; delicious"
        )
    tab_to(dark, "1. Search")
    dark.keyboard.press("Enter")
    dark.locator(".aw-says", has_text="leads, as it is").wait_for(timeout=120_000)
    tab_to(dark, "2. Fix")
    dark.keyboard.press("Enter")
    assert dark.evaluate(FOCUSED)["name"].startswith("3. Open")
    dark.keyboard.press("Enter")
    said = dark.locator(".aw-says", has_text="1 of 1 is positive")
    said.wait_for(timeout=120_000)
    assert "One pair has no interval" in said.inner_text()
    assert "Loading what" not in dark.locator(".aw-says").first.inner_text()


def test_it_fits_and_has_names(dark):
    """With both forms open, one's own sentences in it, and nothing covered."""
    dark.evaluate("window.nokernelPredictions?.show()")
    sliders(dark)
    assert dark.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert dark.evaluate(SMALL) == []
    assert dark.evaluate(NAMELESS) == 0
    assert violations(dark, ".aw-own-sentence") == []
    tree = dark.locator(".aw-own-sentence").aria_snapshot()
    for part in (
        'textbox "Your sentence"',
        'textbox "Compare with"',
        'button "Copy link"',
        "status:",
        'img "Layer 3, head 1. … because it was white: “it” looks at milk',
        'img "All weights of head 3.1 in “… because it was white”',
        'combobox "Read the pairs"',
        'button "2. Fix the hypothesis"',
    ):
        assert part in tree, tree
