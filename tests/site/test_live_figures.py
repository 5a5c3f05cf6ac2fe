"""Every figure of every page: its controls move it, and all of it can be read.

A page is opened twice for all that is looked at in it: from its folder, and from a host
without JavaScript.
"""

import re

import drawings
import pytest
from built_site import (
    HTML,
    HURRY,
    PHONE,
    SAID,
    WIDE,
    Watch,
    left,
    now,
    pages_with_figures,
    real_pages,
    resize,
    turn,
    uncover,
    wait_for,
    wait_until,
)

from attncourse.figures import listed

pytestmark = pytest.mark.long

NARROW = {"width": 320, "height": 800}
DESK = {"width": 1280, "height": 720}
SMALLEST = 7.5  # pixels: the letters of a still picture, as they stand on the screen
CONTRAST = [[4.5, drawings.LETTERS], [3, drawings.LINES]]
# Colors follow the theme, drawings the width: each once, and the colors of the system.
LOOKS = ("dark", PHONE, "none"), ("light", DESK, "none"), ("light", DESK, "active")
FRAMED = ("book/10_learn_the_weights.html", "book/what_the_scale_does.html")
SLIDER = ".nk-live input[type=range]"
# The name of each slider, its value in words, and whether a change of it reaches the
# picture within the event: no frame in between.
AT_ONCE = """all => all.map((input) => {
    const view = input.closest(".nk-live").querySelector(".aw-view");
    const name = document.querySelector(`label[for='${input.id}']`).innerText.trim();
    const before = view.innerHTML, value = input.ariaValueText;
    input.value = input.value === input.min ? input.max : input.min;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    return [name, value, view.innerHTML !== before];
})"""
# What a slider's own figure shows; which one it is; the words of its picture, if it has
# one.
PICTURE = """input => {
    const figure = input.closest(".nk-live");
    return [figure.querySelector(".aw-view").innerHTML,
        [...document.querySelectorAll(".nk-live")].indexOf(figure),
        figure.querySelector("[role=img]")?.ariaLabel ?? null];
}"""
FOLDS = "details.hide.above-input > summary, details.nk-solution > summary"
SPEAKING = ".nk-live:has(.aw-panel input[type=range])"
MOST = 12  # words


@pytest.fixture(scope="module", params=pages_with_figures())
def opened(request, browser):
    """A page with figures, opened from its folder on a phone that takes touches."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.name, page.watch = request.param, Watch(page, HTML.as_uri())
    page.add_init_script(drawings.LISTENING + HURRY)
    page.goto((HTML / request.param).as_uri())
    uncover(page)
    page.said = page.evaluate(SAID)
    yield page
    context.close()


@pytest.fixture
def visit(opened):
    """The page on a phone, in the light theme, whatever another test looked at."""
    resize(opened, PHONE)
    opened.emulate_media(media="screen", color_scheme="light")
    return opened


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


def move(page, slider):
    """Move a slider by keyboard, to the end that it is not at."""
    slider.focus()
    at_end = slider.input_value() == slider.get_attribute("max")
    page.keyboard.press("Home" if at_end else "End")


def heard(page, sliders):
    """Move sliders in turn until something new is said; return it.

    Where a hand that has not rested yet moves one back, nothing has changed; and the
    temperature of equal scores changes nothing.
    """
    before = page.evaluate(SAID)
    for slider in sliders * 15:
        move(page, slider)
        for _ in range(20):
            if (said := page.evaluate(SAID)) != before:
                return said
            page.wait_for_timeout(50)
    raise AssertionError(f"nothing said of {len(sliders)} sliders")


# Which of a page's things to hold, and where to pull it.
HELD = {
    "book/01_embeddings.html": (0, (0, -40)),
    "book/02_queries_keys_values.html": (1, (0, -30)),
    "book/03_scaling.html": (0, (0, 40)),
    "book/04_softmax.html": (0, (20, 0)),
    "book/05_weighted_sum.html": (0, (0, -40)),
    "book/07_positional_encoding.html": (3, (40, 20)),
    "book/13_go_long.html": (0, (0, 30)),
    "book/tame_scores.html": (0, (40, 0)),
    "book/around_attention.html": (1, (0, -30)),
}
VALUES = """all => all.map((one) => one.type === "radio" ? one.checked : one.value)"""


def values(page):
    controls = ".nk-live :is(input[type=range], input[type=radio])"
    return page.locator(controls).evaluate_all(VALUES)


def middle(page, number):
    """Bring what can be held into view; return its middle."""
    hold = page.locator(".aw-hold").nth(number)
    hold.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = hold.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page, x, y, across, down):
    """Pull with a finger, in small steps, one in each frame."""
    screen = page.context.new_cdp_session(page)

    def touch(kind, *points):
        places = [{"x": left, "y": top} for left, top in points]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + across * step / 8, y + down * step / 8))
        page.wait_for_timeout(16)
    touch("touchEnd")


def test_a_finger_drags_it_and_not_the_page(visit):
    """Where it stands at first, before other tests move it."""
    if visit.name not in HELD:
        return
    number, way = HELD[visit.name]
    visit.emulate_media(reduced_motion="reduce")
    x, y = middle(visit, number)
    canceled = "addEventListener('pointercancel', () => { window.canceled = true; })"
    visit.evaluate(canceled)
    before, top = values(visit), visit.evaluate("scrollY")
    pull(visit, x, y, *way)
    assert visit.evaluate("[scrollY, Boolean(window.canceled)]") == [top, False]
    if "03" not in visit.name:  # at its end already: only the page could move
        wait_for(visit, lambda: values(visit) != before)
    visit.emulate_media(reduced_motion="no-preference")


def test_every_slider_moves_its_figure_by_keyboard_and_mouse_or_touch(visit):
    """A mouse and a finger in turn: the browser makes one event of both.

    The first picture that has words says something else after one of its moves.
    """
    said = {}
    for i, slider in enumerate(sliders(visit)):
        value, (before, figure, words) = slider.input_value(), slider.evaluate(PICTURE)
        move(visit, slider)
        assert slider.input_value() != value
        moved, _, other_words = slider.evaluate(PICTURE)
        assert moved != before
        press(visit, slider, touch=i % 2 == 0)
        wait_for(visit, lambda: slider.evaluate(PICTURE)[0] != moved)  # noqa: B023
        said.setdefault(figure, set()).update((words, other_words))
    spoken = [words for words in said.values() if words != {None}]
    assert not spoken or len(spoken[0]) > 1
    assert visit.watch.clean()


def test_controls_have_names_and_values_and_act_at_once(visit):
    for name, value, at_once in visit.locator(SLIDER).evaluate_all(AT_ONCE):
        assert name
        assert value
        assert at_once, name


def test_every_figure_says_what_a_control_changed_and_nothing_before_that(visit):
    assert not visit.said
    for figure in visit.locator(SPEAKING).all():
        for folded in figure.locator("details:has(input[type=range])").all():
            folded.evaluate("one => one.setAttribute('open', '')")
        found = figure.locator("input[type=range]").all()
        assert 0 < len(heard(visit, found).split()) <= MOST
        assert (
            visit.evaluate("document.getElementById('aw-voice').childNodes.length") == 1
        )
    assert visit.watch.clean()


def test_what_is_pressed_or_dragged_is_large_enough(visit):
    """On a phone; what looks at the letters looks for it at a desk, too."""
    visit.locator("details").evaluate_all("all => all.map((one) => one.open = true)")
    assert left(visit, drawings.TOO_SMALL) == []


def test_what_a_pointer_changes_has_a_control_besides(visit):
    """What is pressed or dragged in a declared figure, and takes no focus itself."""
    for name, key in visit.evaluate(drawings.POINTED):
        control = listed.figure(name).controls[key]
        assert control.widgets(key, control.default), (name, key)


def test_a_graphic_is_a_picture_with_words_or_is_not_heard(visit):
    """As is the icon of each button that copies code."""
    assert left(visit, drawings.BARE) == []


def test_folds_of_code_have_names_of_their_own(visit):
    names = visit.locator(FOLDS).evaluate_all(
        "all => all.map((one) => one.textContent)"
    )
    assert all(re.search(r": \S", one) for one in names)
    assert len({*names}) == len(names)


def test_still_picture_in_print(visit):
    still, live = visit.locator(".nk-still").first, visit.locator(".nk-live").first
    assert not still.is_visible()
    visit.emulate_media(media="print")
    assert still.is_visible()
    assert not live.is_visible()


def test_letters_and_lines_stand_out_and_named_cells_are_framed(visit):
    """And at a desk what is pressed or dragged is large enough."""
    if visit.name in FRAMED:
        assert visit.locator(".aw-marked").count() > 1
    for theme, screen, forced in LOOKS:
        visit.emulate_media(color_scheme=theme, forced_colors=forced)
        wait_until(visit, f"document.documentElement.dataset.theme === '{theme}'")
        resize(visit, screen)
        assert left(visit, drawings.FAINT, CONTRAST) == [], (theme, screen, forced)
        if forced == "none":
            assert left(visit, drawings.UNFRAMED) == [], (theme, screen)
            assert left(visit, drawings.TOO_SMALL) == [], (theme, screen)
    visit.emulate_media(forced_colors="none")


def test_cells_whose_strength_is_a_number_are_read_as_numbers(visit):
    assert visit.evaluate(drawings.TINTED) == []


def test_letters_stand_out_more_for_who_asks_for_contrast(visit):
    """On the bare page, 7 : 1 but for three words; on tinted cells, as without.

    The colors are those of all figures: a third of the pages is asked, in turn.
    """
    if visit.name not in turn(pages_with_figures(), 3):
        return
    for theme in ("dark", "light"):
        visit.emulate_media(color_scheme=theme, contrast="more")
        wait_until(visit, f"document.documentElement.dataset.theme === '{theme}'")
        asked = [[5.5, drawings.LETTERS, True], *CONTRAST]
        assert left(visit, drawings.FAINT, asked) == [], theme
    visit.emulate_media(contrast="no-preference")


def test_styles_that_come_in_another_order_change_no_figure(visit):
    """Each view brings the shared rules: the next one's come after the first's own."""
    assert left(visit, drawings.BY_ORDER) == []


GALLERY = "book/all_figures.html"  # the picture of each figure that has a page


def pages_with_pictures():
    """All but the page of all pictures, and a third in turn, wait for a release."""
    text = {name: (HTML / name).read_text(encoding="utf-8") for name in real_pages()}
    having = [name for name, html in text.items() if 'class="aw-picture"' in html]
    return now(having, [GALLERY, *turn(having, 3)])


@pytest.fixture(scope="module", params=pages_with_pictures())
def plain(request, browser, site):
    """A page with pictures, opened once without JavaScript."""
    context = browser.new_context(viewport=WIDE, java_script_enabled=False)
    page = context.new_page()
    page.name = request.param
    page.goto(f"{site}/{request.param}")
    yield page
    context.close()


def test_still_picture_without_javascript(plain):
    stills = plain.locator(".nk-still .aw-picture").evaluate_all(drawings.SEEN)
    assert stills or plain.name not in pages_with_figures()
    for seen, label in stills:
        assert seen, label
        assert label


def test_letters_of_still_pictures_stand_out(plain):
    plain.set_viewport_size(WIDE)
    plain.locator("details").evaluate_all("all => all.map((one) => one.open = true)")
    for theme in ("dark", "light"):
        plain.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        found = left(plain, drawings.FAINT, [[4.5, drawings.STILL_LETTERS]])
        assert found == [], theme


def test_pictures_fit_and_can_be_read(plain):
    """On a phone all but the machine's, which is for a wide page or for fingers."""
    plain.set_viewport_size(PHONE)
    pictures = plain.locator(".aw-picture:not(:has(> svg[style*='width: 690']))")
    assert pictures.evaluate_all(drawings.SCROLL) == 0
    assert pictures.evaluate_all(drawings.CUT_OR_SMALL) == []
    plain.set_viewport_size(NARROW)
    pictures = plain.locator("article .aw-picture:has(text):visible")
    sizes = pictures.evaluate_all(drawings.SMALLEST)
    assert sizes or plain.name not in pages_with_figures()
    assert min(sizes, default=SMALLEST) >= SMALLEST, sizes
