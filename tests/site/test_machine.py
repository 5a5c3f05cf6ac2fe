"""The machine on its own page: pointed at, changed, sent, on every screen."""

import re

import numpy as np
import pytest
from built_site import (
    HTML,
    IN_SIGHT,
    PHONE,
    SAID,
    WIDE,
    Watch,
    resize,
    tap,
    uncover,
    violations,
    wait_until,
)
from drawings import TOO_SMALL
from playwright.sync_api import expect

from attncourse.figures.machine.inputs import given
from attncourse.figures.machine.plan import plan_of
from attncourse.figures.machine.tables import PARTS, tables

PAGE = "book/machine.html"
STAGES = range(2, 11)  # 10 is the decoder's
WIDTHS = (320, 720, 1280)
SMALL = {"width": 1280, "height": 720}
ZOOMED = {"width": 320, "height": 256}  # 1280 by 1024 at 400 %
pytestmark = pytest.mark.pages(PAGE)
SUM = ".mx-sum"
SMALLEST = """(() => {
  const scale = document.querySelector(".mx-box svg").getScreenCTM().a;
  const seen = [...document.querySelectorAll(".mx-box text:not(.mx-header)")];
  const drawn = seen.map((one) => scale * parseFloat(getComputedStyle(one).fontSize));
  const others = ".aw-machine :is(button, p, span):not(.mx-out)";
  const around = [...document.querySelectorAll(others)];
  const sizes = around.map((one) => parseFloat(getComputedStyle(one).fontSize));
  return Math.min(...drawn, ...sizes);
})()"""
# Letters of the picture to which its box does not scroll.
LOST = """() => {
  const box = document.querySelector(".mx-box"), { left } = box.getBoundingClientRect();
  if (getComputedStyle(box).overflowX === "visible") return [];
  const from = left - box.scrollLeft - 1, to = from + box.scrollWidth + 2;
  return [...box.querySelectorAll("text:not(.mx-header)")].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width && (left < from || right > to);
  }).map((one) => one.textContent);
}"""
# Chooses each tile; with each, the smallest letters, the width of the page, what is too
# small for a finger, and what is lost.
EACH_TILE = f"""() => {{
  const tiles = () => [...document.querySelectorAll(".mx-chosen .mx-tile")];
  return tiles().map((_, i) => {{
    tiles()[i].click();
    return [{SMALLEST}, document.documentElement.scrollWidth,
      ({TOO_SMALL})(), ({LOST})()];
  }});
}}"""


TILES = {  # where a tile is not called like its matrix
    "W Q": "Q",
    "W O": "update",
    "scaled scores": "scaled",
    "outputs": "update",
    "X + update": "+ X",
    "X 1": "network",
    "X 2": "network",
}


def at(page, matrix, row, column):
    """A cell by the name of its matrix and its place in it; a tile brings its sheet."""
    grid = page.locator(f".mx-matrix[aria-label='{matrix}']").first
    if not grid.count():
        name = TILES.get(matrix) or TILES.get(matrix[:-2]) or matrix.rstrip(" 12")
        named = page.locator(".mx-chosen .mx-tile span").get_by_text(name, exact=True)
        named.click()
    return (
        grid.locator("[role=row]").nth(row + 1).locator("[role=gridcell]").nth(column)
    )


# Keeps each number that a cell comes to show, in their order.
NOTE_CHANGES = """(cell, name) => new MutationObserver(() => {
  const now = cell.getAttribute("aria-label");
  if (now !== changes.findLast(([of]) => of === name)?.[1]) changes.push([name, now]);
}).observe(cell, { attributes: true, attributeFilter: ["aria-label"] })"""


def number(page, *place):
    return at(page, *place).get_attribute("aria-label")


@pytest.fixture(scope="module")
def opened(browser, site):
    """The page, opened once, with no waiting for what moves."""
    page = browser.new_context(viewport=WIDE, reduced_motion="reduce").new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{PAGE}")
    uncover(page)
    yield page
    assert page.watch.clean(), page.watch.errors
    page.context.close()


# Its address says all that a reader can change: another one takes all of it back. At
# once, too: the page itself writes its address a moment after each change.
GO = """(hash) => new Promise((done) => {
  const here = location.hash === hash;
  location.hash = hash;
  dispatchEvent(new HashChangeEvent("hashchange"));
  if (here) done();
  else addEventListener("hashchange", done, { once: true });
}).then(() => { document.activeElement.blur(); scrollTo(0, 0); })"""


@pytest.fixture
def machine(opened):
    """The page at a stage, as if it had been opened there."""

    def open_it(stage=5, more="", screen=WIDE):
        resize(opened, screen)
        opened.emulate_media(color_scheme="light")
        opened.mouse.move(5, 5)
        opened.evaluate(GO, f"#stage={stage}{more}")
        return opened

    return open_it


def test_pointing_at_a_cell_lights_its_row_and_column_and_says_its_sum(machine):
    page = machine()
    at(page, "scores", 4, 0).hover()
    assert page.locator(SUM).inner_text() == "hungry asks dog: 6 × 1 + 0 × 0 = 6"
    assert page.locator(".mx-cell.mx-lit").count() == 2 + 2
    assert page.locator(".mx-beams rect").count() == 2
    page.mouse.move(5, 5)
    assert "takes home" in page.locator(SUM).inner_text()


def test_a_keyboard_walks_and_changes_and_a_reset_brings_it_back(machine):
    page = machine(more="&at=WQ.4.1")
    page.locator(".mx-cell[tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(SUM).text_content().startswith("W^Q, row “says alive”")
    for key, expected in (("2", "2"), ("+", "3"), ("-", "2")):
        page.keyboard.press(key)
        assert number(page, "W Q", 4, 0) == expected
    assert [number(page, "Q", 4, 0), number(page, "scores", 4, 0)] == ["2", "2"]
    assert number(page, "scaled scores", 4, 0) == "1.41"
    assert number(page, "weights", 4, 0) == "0.51"  # e^1.414 ÷ (e^1.414 + 4)
    page.get_by_role("button", name="Reset").click()
    assert number(page, "weights", 4, 0) == "0.95"


def test_a_mouse_drags_a_number_and_turns_it_with_the_wheel(machine):
    page = machine()
    box = at(page, "W Q", 4, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 30, steps=3)
    page.mouse.up()
    assert number(page, "W Q", 4, 0) == "4"
    top = page.evaluate("scrollY")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -100)
    wait_until(
        page,
        """document.querySelector(".mx-matrix[aria-label='W Q']")
        .textContent.includes("5")""",
    )
    assert page.evaluate("scrollY") == top


def test_a_finger_taps_and_changes_with_two_buttons(open_page):
    page = open_page(f"{PAGE}#stage=2", viewport=PHONE, has_touch=True)
    tap(at(page, "W Q", 4, 0))
    tap(page.get_by_role("button", name="one less"))
    assert number(page, "Q", 4, 0) == "5"
    tap(page.locator(".mx-tile", has_text="V"))
    assert number(page, "V", 0, 0) == "1"


def test_the_last_word_changes_what_depends_on_it(machine):
    page = machine()
    page.get_by_role("button", name="delicious").click()
    assert number(page, "weights", 4, 2) == "0.95"
    assert page.locator(SUM).inner_text().startswith("delicious takes home")
    assert page.locator(".mx-row", has_text="hungry").count() == 0
    headers = page.locator("[role=rowheader]", has_text="delicious")
    assert headers.count() > 4


def test_changes_come_in_the_order_in_which_they_are_computed(open_page):
    page = open_page(f"{PAGE}#stage=5")
    page.evaluate("window.changes = []")
    cells = {"scores": at(page, "scores", 4, 2), "weights": at(page, "weights", 4, 2)}
    for name, cell in cells.items():
        cell.evaluate(NOTE_CHANGES, name)
    page.get_by_role("button", name="delicious").click()
    expect(cells["weights"]).to_have_attribute("aria-label", "0.95")
    assert page.evaluate("changes") == [["scores", "6"], ["weights", "0.95"]]


@pytest.mark.parametrize("home", ["host", "folder"])
def test_a_link_keeps_what_was_changed(machine, open_page, home, site):
    page = machine(6, "&choice=1&pick=1&at=WQ.3.0")
    page.locator(".mx-cell[tabindex='0']").focus()
    page.keyboard.press("4")
    wait_until(page, "location.hash.includes('edits')")
    where = page.evaluate("location.hash")
    place = {"host": site, "folder": HTML.as_uri()}[home]
    other = open_page(f"{PAGE}{where}", home=place)
    assert number(other, "W Q 2", 3, 0) == "4"
    pressed = other.locator(
        ":is(.mx-head button, .mx-block)[aria-pressed=true]"
    ).all_inner_texts()
    assert pressed == ["6", "delicious", "head 2: gather"]


def test_an_address_that_makes_no_sense_is_left_out(machine):
    edits = "5.X.0.0.1~0.X.99.0.1~0.Q.0.0.1"
    page = machine(6, f"&pick=1&at=XX.1.1&edits={edits}")
    assert number(page, "X", 0, 0) == "1"
    assert page.locator(".mx-head button", has_text="Reset").is_disabled()


def test_two_heads_stand_side_by_side_and_one_at_a_time_is_shown(machine):
    page = machine(6)
    assert number(page, "weights 1", 4, 0) == "0.95"
    page.get_by_role("button", name="head 2: gather").click()
    assert number(page, "weights 2", 3, 4) == "0.95"
    for place in (("outputs", 4, 0), ("outputs", 3, 2), ("update", 4, 0)):
        assert number(page, *place) == "0.95"
    assert number(page, "update", 3, 4) == "0.95"


def test_it_finds_the_dog_in_the_second_layer_and_the_mask_forbids_it(machine):
    page = machine(8)
    assert number(page, "X 1", 3, 4) == "1"
    page.get_by_role("button", name="layer 2: find").click()
    assert number(page, "X 2", 3, 0) == "1"
    page = machine(9)
    assert number(page, "scaled scores 1", 3, 4) == "−∞"
    assert number(page, "weights 1", 3, 4) == "0"
    page.get_by_role("button", name="mask").click()
    assert number(page, "weights 1", 3, 4) == "0.95"


def tile(page, name):
    page.locator(".mx-chosen .mx-tile span").get_by_text(name, exact=True).click()


def test_whoever_looks_at_a_row_keeps_looking_at_it_in_other_steps_and_layers(machine):
    page = machine(8, "&pick=1&at=A.3.0")
    page.get_by_role("button", name="layer 1: gather").click()
    tile(page, "Q")
    assert page.locator(SUM).inner_text().startswith("it asks for says: ")
    at(page, "W Q 1", 3, 0).click()
    page.keyboard.press("1")
    page.get_by_role("button", name="layer 2: find").click()
    tile(page, "weights")
    assert page.locator(SUM).inner_text().startswith("it looks at dog: ")
    at(page, "weights 2", 4, 0).click()
    tile(page, "update")
    assert page.locator(SUM).inner_text().startswith("hungry, ")


def test_what_the_machine_looks_at_follows_the_last_word_and_a_readers_choice_stays(
    machine,
):
    page = machine(8)
    assert "says alive: row 0.946 + network 0.054" in page.locator(SUM).inner_text()
    tile(page, "update")
    assert page.locator(SUM).inner_text().startswith("it, says alive: ")
    page.get_by_role("button", name="delicious").click()
    assert page.locator(SUM).inner_text().startswith("it, says edible: ")
    wait_until(page, "location.hash.includes('at=U.3.5')")
    at(page, "update 1", 3, 4).click()
    page.get_by_role("button", name="hungry").click()
    page.get_by_role("button", name="delicious").click()
    assert page.locator(SUM).inner_text().startswith("it, says alive: ")


@pytest.mark.parametrize("width", WIDTHS)
def test_every_stage_fits_and_can_be_read(machine, width):
    for stage in STAGES:
        page = machine(stage, screen={"width": width, "height": 900})
        found = page.evaluate(EACH_TILE)
        assert found
        for place, (smallest, wide, small, lost) in enumerate(found):
            assert smallest >= 10.95, (stage, place)
            assert wide <= width, (stage, place)
            assert (small, lost) == ([], []), (stage, place)


def test_every_number_is_heard_with_its_row_and_column(machine):
    page = machine(8)
    heard = set()
    for tile in ("Q", "weights", "network"):
        page.locator(f".mx-chosen .mx-tile:has-text('{tile}')").click()
        for grid in page.locator(".mx-box [role=grid]").all():
            heard.add(grid.get_attribute("aria-label"))
            rows = grid.locator("[role=row]").count() - 1
            columns = grid.locator("[role=columnheader]").count() - 1
            assert grid.locator("[role=rowheader]").count() == rows
            assert grid.locator("[role=gridcell]").count() == rows * columns
        assert page.locator(".mx-cell[tabindex='0']").count() == 1
    assert len(heard) == 16  # K also on its side


@pytest.mark.pages("book/03_scaling.html")
def test_the_strip_opens_the_machine_where_the_reader_is(open_page):
    page = open_page("book/03_scaling.html")
    page.locator(".aw-strip a[aria-current]").click()
    page.wait_for_url(re.compile("machine.html.stage=3$"))
    page.evaluate("window.mountWidgets.ready")
    pressed = page.locator(".mx-chips").first.locator("[aria-pressed=true]")
    assert pressed.inner_text() == "3"


def test_a_cell_that_is_pointed_at_or_focused_announces_its_sum(machine):
    page = machine(more="&at=A.4.1")
    page.locator(".mx-cell[tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    wait_until(page, f"{SAID}.startsWith('hungry looks at dog: e to the 4.24 ÷ (e to')")
    focused = page.locator("[role=gridcell]:focus")
    assert focused.get_attribute("aria-label") == "0.95"
    at(page, "scores", 4, 0).hover()
    wait_until(page, f"{SAID}.startsWith('hungry asks dog: 6 × 1 + 0 × 0 = 6')")
    assert page.get_by_role("gridcell").count() == page.locator(".mx-cell").count()
    for role in ("rowheader", "columnheader"):
        assert page.get_by_role(role, name="edible", exact=True).count()


@pytest.mark.parametrize(("theme", "stages"), [("light", (6, 8, 10)), ("dark", (7, 9))])
def test_axe_finds_nothing_in_what_later_stages_add(machine, theme, stages):
    for stage in stages:
        page = machine(stage)
        page.emulate_media(color_scheme=theme)
        wait_until(page, f"document.documentElement.dataset.theme === '{theme}'")
        assert violations(page, ".aw-machine") == [], stage


FOCUSED = "document.activeElement.ariaLabel ?? document.activeElement.textContent"


@pytest.mark.parametrize("screen", [SMALL, ZOOMED], ids=["desk", "zoomed"])
def test_keys_keep_in_sight_what_they_come_to(machine, screen):
    """The cells of a sheet, the tiles of the map, and all other buttons."""
    page = machine(8, screen=screen)
    page.locator("[aria-label=Lesson] button").first.focus()
    gone, met = [], set()

    def press(keys):
        for key in keys:
            page.keyboard.press(key)
            met.add(page.evaluate(FOCUSED))
            gone.extend([] if page.evaluate(IN_SIGHT) else [page.evaluate(FOCUSED)])

    while page.evaluate("!document.activeElement.matches('.mx-block, .mx-tile')"):
        press(["Tab"])
    press([*["ArrowRight"] * 12, "ArrowDown", *["ArrowLeft"] * 12, "Tab"])
    around = page.locator(":is(.mx-head, .mx-map) button:enabled:visible")
    buttons = around.evaluate_all(
        "all => all.map((one) => one.ariaLabel ?? one.textContent)"
    )
    assert {*buttons[1:]} <= met
    page.locator(".mx-matrix [role=gridcell][tabindex='0']").first.focus()
    press(["ArrowUp"] * 12 + ["ArrowDown"] * 30 + ["ArrowRight"] * 6 + ["ArrowUp"] * 12)
    assert gone == []


SWITCH = """(i) => {
  const box = (node) => node.getBoundingClientRect();
  const of = (one) => document.querySelector(one);
  const all = (one) => [...document.querySelectorAll(one)];
  all(".mx-chosen .mx-tile")[i].click();
  const chips = all(".mx-bar .mx-chips [aria-pressed=false]");
  const header = box(of(".bd-header-article")).bottom;
  chips[0].click();
  scrollTo({ top: 0, behavior: "instant" }); // where the bar does not stick
  const down = scrollY + box(of(".mx-bar")).top - header;
  scrollTo({ top: down, behavior: "instant" });
  const bar = box(of(".mx-bar")), read = box(of(".mx-read"));
  const outside = (nodes, top, foot) => nodes
    .filter((one) => box(one).top < top - 1 || box(one).bottom > foot + 1);
  const drawn = all(".mx-box svg :is(text:not(.mx-header), rect)");
  const out = [...outside([...chips, ...all(".mx-tile")], header, bar.bottom),
    ...outside(drawn, bar.bottom, Math.min(read.top, innerHeight))];
  return { fresh: all(".mx-fresh").length, foot: read.bottom <= innerHeight,
    out: out.map((one) => one.outerHTML.slice(0, 120)) };
}"""
ON = {  # the lessons' pages, which are narrower than the machine's own
    2: "02_queries_keys_values",
    3: "03_scaling",
    4: "04_softmax",
    5: "05_weighted_sum",
    6: "06_multi_head",
    7: "07_positional_encoding",
    8: "08_encoder",
    9: "09_masks",
    10: "ask_another_sentence",
}


def changed_by_the_switch(stage):
    """How many numbers it changes in all that has a tile: of each head or layer."""
    start = given(stage)
    both = [tables(start, choice, masked=start.masks) for choice in (0, 1)]
    shown = {m.base for m in plan_of(stage).matrices}
    return sum(
        int((~np.isclose(one[base], other[base], rtol=0, atol=0.005)).sum())
        for (_, one), (_, other) in zip(*both, strict=True)
        for base in shown & set("XQKVSDAOUYNZR" if start.read else "XQKVSDAOUYNZ")
        if PARTS[base].lesson <= stage
    )


def test_the_name_of_the_last_column_does_not_run_into_the_output(machine):
    page = machine(6, "&choice=1&at=A.4.2")
    name = page.locator(".mx-column", has_text="delicious").last.bounding_box()
    title = page.locator(".mx-name", has_text="output1").first.bounding_box()
    assert name["x"] + name["width"] + 10 <= title["x"]


STAGE_ON = {f"book/{ON[stage]}.html": stage for stage in STAGES}
LIT = "document.querySelector('.mx-here')"


def numbers_light_their_cells(page):
    """By pointer and, once pressed, with the focus: the number as it is written."""
    numbers = page.locator("article .nk-number[data-place*='at=']")
    assert numbers.count() > 0
    stood = page.evaluate(f"{LIT}.outerHTML")
    for one in numbers.all():
        expect(one).to_have_role("button")
        one.hover()
        page.mouse.move(5, 5)
        assert page.evaluate(f"{LIT}.outerHTML") == stood
    for one in numbers.all():
        one.focus()
        page.keyboard.press("Enter")
        cell = page.locator(".mx-cell:focus")
        decimals = len(one.inner_text().partition(".")[2])
        assert page.evaluate(f"{LIT} === document.activeElement")
        total = page.locator(SUM).inner_text()
        found = re.findall(r"\d+(?:\.\d+)?", total)[-1]
        assert f"{float(found):.{decimals}f}" == one.inner_text(), total
        assert cell.count() == 1
        page.keyboard.press("Escape")
        assert one.evaluate("one => one === document.activeElement")


def the_switch_and_what_it_changes_fit(page, stage):
    """In the sheet that is shown, and as a tile of each of the others."""
    resize(page, SMALL)
    tiles = page.locator(".mx-chosen .mx-tile").count()
    assert tiles
    for i in range(tiles):
        seen = page.evaluate(SWITCH, i)
        fresh = changed_by_the_switch(stage)
        assert seen == {"fresh": fresh, "foot": True, "out": []}, (page.url, i)
        assert page.evaluate(TOO_SMALL) == [], (page.url, i)


@pytest.mark.parametrize("stage", STAGES)
def test_the_switch_and_every_cell_that_it_changes_are_on_one_screen(machine, stage):
    """Of the machine's own page; of the lessons, `test_pages.py` says it."""
    the_switch_and_what_it_changes_fit(machine(stage), stage)


def test_a_number_of_the_text_says_its_sum_by_ear(open_page):
    page = open_page("book/04_softmax.html")
    page.locator("article .nk-number").first.focus()
    wait_until(page, f"{SAID}.startsWith('hungry looks at dog: e to')")
