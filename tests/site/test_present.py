"""A lesson presented from its own page: one idea a screen, and nothing hangs over."""

import pytest
from built_site import PAINTED, resize, wait_until
from listed import listed

LESSON = "book/03_scaling.html"
LESSONS = [f"{page}.html" for page in listed() if page.rpartition("/")[2][:2].isdigit()]
SCREENS = [{"width": 1280, "height": 720}, {"width": 1024, "height": 768}]
READABLE = 0.8
SHOWN = """[...document.querySelectorAll("article.bd-article > section *")]
  .filter((one) => one.matches("h1, h2, h3, p, pre") && one.textContent.trim()
    && one.checkVisibility())
  .map((one) => one.textContent)"""
# A screen: how far it hangs over; of one that has parts how much is seen, from, to, of
# how much, how enlarged; what it shows; its number; whether it is the last.
SCREEN = f"""(() => {{
  const article = document.querySelector("article.bd-article");
  const stage = article.querySelector(":scope > section");
  const bar = document.querySelector(".aw-screens");
  const {{ scrollTop, clientHeight, scrollHeight, style }} = stage;
  return {{
    overhang: Math.max(article.scrollWidth - innerWidth,
      article.scrollHeight - innerHeight,
      stage.getBoundingClientRect().bottom - bar.getBoundingClientRect().top),
    part: [scrollTop, scrollTop + clientHeight, scrollHeight, Number(style.zoom)],
    shown: {SHOWN},
    place: bar.querySelector("[role=status]").textContent,
    last: Boolean(bar.querySelector("[title='Go on'][aria-disabled=true]")),
  }};
}})()"""
# All screens from the first, by the keys that go on; a figure may draw itself anew.
WALK = f"""async () => {{
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {{ key, bubbles: true, cancelable: true }}));
  const screens = [];
  press("Home");
  for (;;) {{
    screens.push({SCREEN});
    if (screens.at(-1).last) return screens;
    press("PageDown");
    await {PAINTED.rstrip(";")};
  }}
}}"""


def place(page):
    """The number of the screen, and how many there are."""
    return numbers(page.locator(".aw-screens [role=status]").inner_text())


def numbers(status):
    number, _, count = status.split()
    return int(number), int(count)


def check_parts(parts):
    """Of a picture too tall to be read at once, all is shown, and large enough."""
    (start, reached, _, zoom), *others = parts
    assert start == 0
    assert zoom >= READABLE
    for start, end, _, zoom in others:
        assert 0 < start <= reached, parts
        assert zoom >= READABLE
        reached = end
    assert reached >= parts[0][2] - 1, parts


def every_screen_fits(page):
    """Walk through what is presented: all of it is seen, and nothing hangs over."""
    page.locator(".aw-screens").wait_for()
    page.evaluate("window.mountWidgets?.ready")
    page.evaluate(PAINTED)
    seen, parts = set(), {}
    for screen in page.evaluate(WALK):
        assert screen["overhang"] <= 1, screen["shown"][:1]
        seen |= {*screen["shown"]}
        number, count = numbers(screen["place"])
        parts.setdefault(number, []).append(screen["part"])
    assert number == count > 5
    for all_parts in parts.values():
        check_parts(all_parts)
    page.keyboard.press("Escape")
    page.locator(".aw-screens").wait_for(state="detached")
    assert {*page.evaluate(SHOWN)} - seen == set()
    assert page.watch.clean(), (page.watch.errors, page.watch.strangers)


@pytest.fixture
def presented(visit):
    """The lesson, at its first screen, whatever another test did there."""
    page = visit(f"{LESSON}?present")
    resize(page, SCREENS[0])
    page.locator(".aw-screens").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    return page


# Two lessons, each in one size, in `test_pages.py`; here all, in both.
ONE = dict(zip((LESSON, "book/12_inside_a_real_model.html"), SCREENS, strict=True))


@pytest.mark.release
@pytest.mark.parametrize("size", SCREENS, ids=["wide", "square"])
@pytest.mark.parametrize("name", LESSONS)
def test_every_screen_fits_and_every_paragraph_is_on_one(open_page, name, size):
    every_screen_fits(open_page(f"{name}?present", viewport=size))


@pytest.mark.pages(LESSON)
def test_what_stands_around_the_lesson_is_out_of_reach(presented):
    page = presented
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('body, article *')")


@pytest.mark.pages(LESSON)
def test_keys_go_on_and_back_and_the_page_is_where_one_left_it(open_page):
    page = open_page(f"{LESSON}?present", viewport=SCREENS[0])
    page.locator(".aw-screens").wait_for()
    assert page.evaluate("location.search") == "?present"
    for key, number in (("ArrowRight", 2), ("PageDown", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        assert place(page)[0] == number
    page.keyboard.press("End")
    assert place(page)[0] == place(page)[1]
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    first = page.evaluate(SHOWN)[0]
    page.keyboard.press("Escape")
    assert page.evaluate("location.search") == ""
    top = page.get_by_text(first, exact=True).first.bounding_box()["y"]
    assert 0 <= top < SCREENS[0]["height"]
    page.locator(".aw-present").click()
    assert page.evaluate(SHOWN)[0] == first


@pytest.mark.pages(LESSON)
def test_a_slider_keeps_its_keys(presented):
    page = presented
    sliders = page.locator("[role=slider]:visible, input[type=range]:visible")
    while sliders.count() == 0:
        page.keyboard.press("ArrowRight")
    (here, _), slider = place(page), sliders.first
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert place(page)[0] == here
    page.keyboard.press("PageDown")
    assert place(page)[0] == here + 1


@pytest.mark.pages(LESSON)
def test_a_prediction_is_a_poll_and_then_uncovers_what_follows(presented):
    page = presented
    page.reload()  # what predictions cover is covered again
    while not page.locator(".nk-predict:visible").count():
        page.keyboard.press("ArrowRight")
    hands = page.locator(".aw-hands:visible")
    for i, n in enumerate(("1", "3", "0")):
        hands.nth(i).fill(n)
    choices = page.locator(".nk-predict:visible .nk-choice")
    shares = [
        one.evaluate("e => e.style.getPropertyValue('--aw-share')")
        for one in choices.all()
    ]
    assert shares == ["25%", "75%", "0%"]
    number, count = place(page)
    choices.nth(1).locator("label").click()
    said = "document.querySelector('.aw-screens [role=status]').textContent"
    wait_until(page, f"{said} !== '{number} of {count}'")
    assert place(page)[0] == number
    assert place(page)[1] > count
    page.keyboard.press("Escape")
    assert page.locator(".aw-hands").count() == 0
