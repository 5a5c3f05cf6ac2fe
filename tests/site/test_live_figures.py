"""Every slider of every page moves its figure, however it is moved."""

import pytest
from built_site import HTML, PHONE, pages_with_figures

SLIDER = ".nk-live input[type=range]"


@pytest.fixture(params=pages_with_figures())
def name(request):
    return request.param


def picture(page, slider):
    """Everything that a slider's own figure shows and says."""
    figure = slider.locator("xpath=ancestor::*[contains(@class, 'nk-live')]")
    return figure.locator(".aw-view").inner_html()


def sliders(page):
    found = page.locator(SLIDER).all()
    assert found, "a page with a live figure has no slider"
    return found


def test_scaling_lesson_has_a_figure():
    assert "book/03_scaling.html" in pages_with_figures()


def test_keyboard_moves_every_slider(open_page, name):
    page = open_page(name)
    for slider in sliders(page):
        before, value = picture(page, slider), slider.input_value()
        slider.focus()
        page.keyboard.press("Home" if value != slider.get_attribute("min") else "End")
        assert slider.input_value() != value
        assert picture(page, slider) != before
    assert page.watch.clean()


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_pointer_moves_every_slider(open_page, name, touch):
    page = open_page(name, viewport=PHONE, has_touch=touch)
    for slider in sliders(page):
        slider.scroll_into_view_if_needed()
        before, box = picture(page, slider), slider.bounding_box()
        low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
        share = (float(slider.input_value()) - low) / (high - low)
        x = box["x"] + box["width"] * (0.1 if share > 0.5 else 0.9)
        press = page.touchscreen.tap if touch else page.mouse.click
        press(x, box["y"] + box["height"] / 2)
        assert picture(page, slider) != before
    assert page.watch.clean()


def test_lives_from_a_folder(open_page, name):
    page = open_page(name, home=HTML.as_uri())
    slider = sliders(page)[0]
    slider.focus()
    page.keyboard.press("Home")
    before = picture(page, slider)
    page.keyboard.press("End")
    assert picture(page, slider) != before
    assert page.watch.clean()


def test_controls_have_names_and_values(open_page, name):
    page = open_page(name)
    for slider in sliders(page):
        label = page.locator(f"label[for='{slider.get_attribute('id')}']")
        assert label.inner_text().strip()
        assert slider.get_attribute("aria-valuetext")


def test_change_reaches_the_picture_at_once(open_page, name):
    """The picture changes within the input event itself: no frame in between."""
    page = open_page(name)
    for slider in sliders(page):
        assert slider.evaluate(
            """input => {
                const view = input.closest(".nk-live").querySelector(".aw-view");
                const before = view.innerHTML;
                input.value = input.value === input.min ? input.max : input.min;
                input.dispatchEvent(new Event("input", {bubbles: true}));
                return view.innerHTML !== before;
            }"""
        )


def test_picture_speaks_its_state(open_page, name):
    page = open_page(name)
    slider = sliders(page)[0]
    said = page.locator(".aw-view [role=img]").first
    before = said.get_attribute("aria-label")
    slider.focus()
    at_end = slider.input_value() == slider.get_attribute("max")
    page.keyboard.press("Home" if at_end else "End")
    assert said.get_attribute("aria-label") != before


def test_still_picture_without_javascript(open_page, name):
    page = open_page(name, java_script_enabled=False)
    stills = page.locator(".nk-still .aw-picture").all()
    assert stills
    for still in stills:
        assert still.is_visible()
        assert still.get_attribute("aria-label")


def test_still_picture_in_print(open_page, name):
    page = open_page(name)
    assert not page.locator(".nk-still").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator(".nk-still").first.is_visible()
    assert not page.locator(".nk-live").first.is_visible()
