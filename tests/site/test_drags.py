"""Drags with a finger: the page stays, and only one button drags."""

import pytest
from built_site import PHONE

HELD = [  # page, which of its things to hold, where to pull it
    ("book/01_embeddings.html", 0, (0, -40)),
    ("book/02_queries_keys_values.html", 1, (0, -30)),
    ("book/03_scaling.html", 0, (0, 40)),
    ("book/04_softmax.html", 0, (20, 0)),
    ("book/05_weighted_sum.html", 0, (0, -40)),
    ("book/07_positional_encoding.html", 3, (40, 20)),
    ("book/13_go_long.html", 0, (0, 30)),
    ("book/tame_scores.html", 0, (40, 0)),
    ("book/around_attention.html", 1, (0, -30)),
]
CONTROLS = ".nk-live :is(input[type=range], input[type=radio])"
VALUE = "(one) => (one.type === 'radio' ? one.checked : one.value)"


def values(page):
    return page.locator(CONTROLS).evaluate_all(f"all => all.map({VALUE})")


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


@pytest.mark.parametrize(
    ("name", "number", "way"),
    [pytest.param(*held, marks=pytest.mark.pages(held[0])) for held in HELD],
)
def test_a_finger_drags_it_and_not_the_page(open_page, name, number, way):
    page = open_page(name, viewport=PHONE, has_touch=True, reduced_motion="reduce")
    x, y = middle(page, number)
    canceled = "addEventListener('pointercancel', () => { window.canceled = true; })"
    page.evaluate(canceled)
    before, top = values(page), page.evaluate("scrollY")
    pull(page, x, y, *way)
    assert page.evaluate("[scrollY, Boolean(window.canceled)]") == [top, False]
    if name != "book/03_scaling.html":  # at its end already: only the page could move
        assert values(page) != before


@pytest.mark.pages("book/05_weighted_sum.html")
def test_the_right_button_drags_nothing(open_page):
    page = open_page("book/05_weighted_sum.html")
    x, y = middle(page, 0)
    before = values(page)
    page.mouse.move(x, y)
    page.mouse.down(button="right")
    page.mouse.move(x - 30, y - 30, steps=3)
    assert values(page) == before


@pytest.mark.pages("book/01_embeddings.html")
def test_a_word_under_another_arrow_can_be_held(open_page):
    """The arrow of "bread" passes over the tip of "food"."""
    page = open_page("book/01_embeddings.html")
    x, y = middle(page, 3)
    held = "([x, y]) => document.elementFromPoint(x, y).matches('.aw-hold')"
    assert page.evaluate(held, [x, y])
