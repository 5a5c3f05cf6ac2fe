"""Helpers of the browser tests for lesson 12's figure."""

LESSON = "book/12_inside_a_real_model.html"
CAT = "The cat drank the milk because it was thirsty"


def form(page):
    """Open the form."""
    page.locator(".aw-own > summary").first.click()
    page.locator(".aw-load").wait_for()


def sliders(page):
    """Unfold the sliders, and what every word looks at."""
    page.evaluate("window.mountWidgets.ready")
    unfold = "all => all.forEach((one) => { one.open = true; })"
    page.locator("details.nk-fold").evaluate_all(unfold)


def says(page, part):
    """Wait until the figure says something that contains a text; return all of it."""
    told = page.locator(".aw-own .aw-says", has_text=part).first
    told.wait_for(timeout=120_000)
    return told.inner_text()


def write(page, text, field="Your sentence"):
    page.get_by_label(field).fill(text)


def captions(page):
    """What the asking token looks at, in each sentence that is shown."""
    return page.locator(".aw-caption:visible", has_text="looks at").all_inner_texts()
