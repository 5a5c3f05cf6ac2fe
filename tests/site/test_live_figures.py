"""Every slider of every page moves its figure, however it is moved."""

import re

import pytest
from built_site import PHONE, WIDE, Watch, pages_with_figures, uncover

pytestmark = pytest.mark.long

NARROW = {"width": 320, "height": 800}
SMALLEST = 7.5  # pixels: the letters of a drawing as they stand on the screen
LETTERS = """picture => {
  const scale = picture.querySelector("svg").getScreenCTM().a;
  return Math.min(...[...picture.querySelectorAll("text")].map((one) =>
    parseFloat(getComputedStyle(one).fontSize) * scale));
}"""
SLIDER = ".nk-live input[type=range]"
# A change of the input reaches the picture within the event: no frame in between.
AT_ONCE = """input => {
    const view = input.closest(".nk-live").querySelector(".aw-view");
    const before = view.innerHTML;
    input.value = input.value === input.min ? input.max : input.min;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    return view.innerHTML !== before;
}"""


@pytest.fixture(scope="module", params=pages_with_figures())
def visit(request, browser, site):
    """A page with figures, opened once, on a phone that takes touches too."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{request.param}")
    uncover(page)
    yield page
    context.close()


def picture(page, slider):
    """Everything that a slider's own figure shows and says."""
    figure = slider.locator("xpath=ancestor::*[contains(@class, 'nk-live')]")
    return figure.locator(".aw-view").first.inner_html()


def sliders(page):
    """List the sliders; a lesson has at least one."""
    found = page.locator(SLIDER).all()
    assert found or not re.search(r"book/\d\d_", page.url)
    return found


def press(page, slider, touch):
    """Press a slider at the end that it is not at."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    share = (float(slider.input_value()) - low) / (high - low)
    x = box["x"] + box["width"] * (0.1 if share > 0.5 else 0.9)
    act = page.touchscreen.tap if touch else page.mouse.click
    act(x, box["y"] + box["height"] / 2)


def test_every_slider_moves_its_figure_by_keyboard_mouse_and_touch(visit):
    for slider in sliders(visit):
        before, value = picture(visit, slider), slider.input_value()
        slider.focus()
        visit.keyboard.press("Home" if value != slider.get_attribute("min") else "End")
        assert slider.input_value() != value
        assert picture(visit, slider) != before
        for touch in (False, True):
            before = picture(visit, slider)
            press(visit, slider, touch)
            assert picture(visit, slider) != before, slider.get_attribute("id")
    assert visit.watch.clean()


def test_controls_have_names_and_values_and_act_at_once(visit):
    for slider in sliders(visit):
        label = visit.locator(f"label[for='{slider.get_attribute('id')}']")
        assert label.inner_text().strip()
        assert slider.get_attribute("aria-valuetext")
        assert slider.evaluate(AT_ONCE)


def test_picture_speaks_its_state(visit):
    for slider in sliders(visit)[:1]:
        _speaks(visit, slider)


def _speaks(visit, slider):
    figure = slider.locator("xpath=ancestor::*[contains(@class, 'nk-live')]")
    said = figure.locator(".aw-view [role=img]").first
    before = said.get_attribute("aria-label")
    slider.focus()
    at_end = slider.input_value() == slider.get_attribute("max")
    visit.keyboard.press("Home" if at_end else "End")
    assert said.get_attribute("aria-label") != before


def test_still_picture_in_print(visit):
    still, live = visit.locator(".nk-still").first, visit.locator(".nk-live").first
    assert not still.is_visible()
    visit.emulate_media(media="print")
    assert still.is_visible()
    assert not live.is_visible()
    visit.emulate_media(media="screen")


@pytest.fixture(scope="module", params=pages_with_figures())
def plain(request, browser, site):
    """A page with figures, opened once without JavaScript."""
    context = browser.new_context(viewport=WIDE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{request.param}")
    yield page
    context.close()


def test_still_picture_without_javascript(plain):
    stills = plain.locator(".nk-still .aw-picture").all()
    assert stills
    for still in stills:
        assert still.is_visible()
        assert still.get_attribute("aria-label")


def test_letters_of_drawings_are_readable_at_320_pixels(plain):
    plain.set_viewport_size(NARROW)
    pictures = plain.locator("article .aw-picture:has(text):visible").all()
    assert pictures
    sizes = [picture.evaluate(LETTERS) for picture in pictures]
    assert min(sizes) >= SMALLEST, sizes
