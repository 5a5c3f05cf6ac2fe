"""A figure says what changed when a control of it moves, and nothing before that."""

import pytest
from built_site import WIDE, Watch, pages_with_figures, uncover

pytestmark = pytest.mark.long

FIGURES = ".nk-live:has(.aw-panel input[type=range])"
VOICE = "#aw-voice"
SAYS = "before => (document.getElementById('aw-voice')?.textContent ?? '') !== before"
MOST = 30  # words: a clause is said whole


@pytest.fixture(scope="module", params=pages_with_figures())
def visit(request, browser, site):
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{request.param}")
    uncover(page)
    yield page
    context.close()


def spoken(page):
    return page.locator(VOICE).inner_text() if page.locator(VOICE).count() else ""


def test_every_figure_says_what_a_control_changed(visit):
    assert not spoken(visit)
    for figure in visit.locator(FIGURES).all():
        slider, before = figure.locator("input[type=range]").first, spoken(visit)
        slider.evaluate("one => one.closest('details')?.setAttribute('open', '')")
        slider.focus()
        at_end = slider.input_value() == slider.get_attribute("max")
        visit.keyboard.press("Home" if at_end else "End")
        visit.wait_for_function(SAYS, arg=before)
        assert len(spoken(visit).split()) <= MOST
        assert visit.locator(VOICE).evaluate("one => one.childNodes.length") == 1
    assert visit.watch.clean()
