"""A keyboard does what a pointer does in a figure's drawing, and it has names."""

import re

import pytest
from built_site import SAID, wait_until

FOCUSED = "document.activeElement.getAttribute('aria-label')"
PRESSED = "document.activeElement.getAttribute('aria-pressed')"
SHOWN = """() => {
  const box = document.activeElement.getBoundingClientRect();
  const style = getComputedStyle(document.activeElement);
  const seen = box.top >= 0 && box.bottom <= innerHeight;
  return seen && parseFloat(style.outlineWidth) > 1;
}"""


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return page.evaluate(FOCUSED)


@pytest.mark.pages("book/09_masks.html")
def test_cells_of_the_mask_are_flipped_by_keyboard(visit):
    page = visit("book/09_masks.html")
    grid = page.locator(".aw-masks [role=grid]")
    assert grid.locator("[tabindex='0']").count() == 1
    grid.locator("[tabindex='0']").focus()
    assert press(page, *["ArrowDown"] * 4, "Home") == "it may look at dog: 0.01"
    assert press(page, *["ArrowUp"] * 9) == "change dog"
    assert press(page, *["ArrowDown"] * 4, "End") == "it may look at delicious: 0.01"
    assert page.evaluate(PRESSED) == "true"
    assert page.evaluate(SHOWN)
    press(page, "Enter")
    assert page.evaluate(PRESSED) == "false"
    wait_until(page, f"{SAID}.includes('No earlier row changed')")
    press(page, "Space")
    assert page.evaluate(PRESSED) == "true"
    press(page, *["ArrowUp"] * 4, "Enter")  # the last word becomes the next one
    assert page.evaluate(FOCUSED) == "change dog"
    assert page.watch.clean()


@pytest.mark.pages("book/12_inside_a_real_model.html")
def test_heads_are_walked_and_stand_by_size_on_demand(visit):
    page = visit("book/12_inside_a_real_model.html")
    map_ = page.locator(".aw-map")
    assert map_.locator("[role=gridcell]").count() == 72
    map_.locator("[tabindex='0']").focus()
    said = press(page, *["ArrowDown"] * 3, "End")
    assert re.fullmatch(r"3\.11 moves 0\.\d\d", said)
    assert page.evaluate(SHOWN)
    press(page, "Enter")
    assert page.get_by_role("slider", name="Layer").input_value() == "3"
    wait_until(page, f"{SAID}.includes('3.11')")
    page.get_by_role("button", name="Sort by size").press("Enter")
    wait_until(page, f"{SAID}.includes('Largest first')")
    names = map_.locator("[role=button]").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    sizes = [float(name.split()[-1]) for name in names]
    assert sizes == sorted(sizes, reverse=True)
    assert len({*names}) == 72
    assert map_.locator("[aria-pressed=true]").get_attribute("aria-label") == said
    assert page.watch.clean()


@pytest.mark.pages("book/12_inside_a_real_model.html")
def test_all_weights_of_a_head_are_a_table_with_headers(visit):
    page = visit("book/12_inside_a_real_model.html")
    table = page.locator(".aw-own-sentence .aw-hears table").first
    page.get_by_role("slider", name="Layer").fill("5")
    page.get_by_role("slider", name="Head").fill("3")
    said = "document.querySelector('.aw-own-sentence .aw-hears caption').textContent"
    wait_until(page, f"{said}.startsWith('Weights of head 5.3 in')")
    assert table.locator("th[scope=col]").count() == 11
    assert table.locator("th[scope=row]").count() == 11
    for row in table.locator("tbody tr").all():
        weights = [float(cell) for cell in row.locator("td").all_inner_texts()]
        assert sum(weights) == pytest.approx(1, abs=0.06)  # each is rounded
    slider = page.get_by_role("slider", name="Token that asks")
    assert slider.get_attribute("aria-valuetext") == "8, it"
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "9, was"


@pytest.mark.pages("book/05_weighted_sum.html")
def test_a_computed_number_of_the_machine_says_why_it_stays(visit):
    page = visit("book/05_weighted_sum.html")
    cell = page.locator(".mx-box [role=gridcell][aria-readonly=true]").first
    before = cell.get_attribute("aria-label")
    cell.focus()
    wait_until(page, SAID)  # its sum, which would take the place of what is said next
    page.keyboard.press("7")
    wait_until(page, f"{SAID}.includes('is computed')")
    assert cell.get_attribute("aria-label") == before
    page.locator(".mx-chosen .mx-tile").first.click()  # X, which is given
    given = page.locator(".mx-box [role=gridcell][aria-readonly=false]").first
    given.focus()
    page.keyboard.press("7")
    assert given.get_attribute("aria-label") == "7"


HANDLES = [  # page, handle, where it is, where arrow keys right and up lead
    ("book/01_embeddings.html", "food", "0.00 right, 1.00 up", "0.10 right, 1.10 up"),
    (
        "book/02_queries_keys_values.html",
        "query of dog",
        "1.00 right, 0.00 up",
        "1.10 right, 0.10 up",
    ),
    (
        "book/05_weighted_sum.html",
        "query",
        "3.00 right, 0.00 up",
        "3.50 right, 0.50 up",
    ),
]


@pytest.mark.parametrize(
    ("name", "handle", "start", "end"),
    [pytest.param(*one, marks=pytest.mark.pages(one[0])) for one in HANDLES],
)
def test_arrow_keys_move_what_can_be_dragged(visit, name, handle, start, end):
    """Where it stands at first."""
    page = visit(name)
    hold = page.get_by_role("slider", name=f"{handle}: arrow keys move it").first
    assert hold.get_attribute("aria-valuetext") == start
    page.evaluate("getSelection().setPosition(document.querySelector('.aw-view'))")
    hold.focus()
    assert page.evaluate("getSelection().rangeCount") == 0  # no change is its step
    assert page.evaluate(SHOWN)
    press(page, "Enter", "ArrowRight", "ArrowUp")
    assert hold.get_attribute("aria-valuetext") == end
    up = float(hold.get_attribute("aria-valuenow"))  # else nobody hears that it changed
    assert end.endswith(f" {up:.2f} up")
    near = "output near dog: 0.73 right, 0.09 up" if "05" in name else ""
    wait_until(page, f"{SAID} && {SAID}.startsWith('{near}')")
    assert page.watch.clean()


@pytest.mark.pages("book/01_embeddings.html")
def test_a_printed_array_is_a_table_with_the_names_of_its_words(visit):
    page = visit("book/01_embeddings.html")
    table = page.locator("#cell-dot-all .aw-array table")
    assert table.get_by_role("rowheader", name="fish").count() == 1
    assert table.get_by_role("columnheader", name="bread").count() == 1
    assert table.get_by_role("cell").all_inner_texts()[-1].strip() == "2.25"
    width = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(width) <= 0


@pytest.mark.pages("book/04_softmax.html")
def test_sound_is_off_until_its_switch_is_pressed(open_page):
    page = open_page("book/04_softmax.html")
    page.evaluate(
        """() => {
          window.opened = 0;
          const own = window.AudioContext;
          window.AudioContext = class extends own {
            constructor() { super(); window.opened += 1; }
          };
        }"""
    )
    switch = page.get_by_role("button", name="Sound", exact=True).first
    page.get_by_role("slider", name="Temperature").press("ArrowLeft")
    assert switch.get_attribute("aria-pressed") == "false"
    assert page.evaluate("opened") == 0
    switch.press("Enter")
    assert switch.get_attribute("aria-pressed") == "true"
    assert page.evaluate("opened") == 1
    page.get_by_role("slider", name="Temperature").press("ArrowLeft")
    switch.press("Space")
    assert switch.get_attribute("aria-pressed") == "false"
    assert page.evaluate("opened") == 1
    assert page.watch.clean()


@pytest.mark.pages("book/05_weighted_sum.html")
def test_bars_and_chips_are_seen_in_forced_colors(visit):
    page = visit("book/05_weighted_sum.html")
    page.emulate_media(forced_colors="active")
    bar = page.locator(".aw-share").first
    text = page.locator(".aw-steps").first
    color = "(one, name) => getComputedStyle(one)[name]"
    assert bar.evaluate(color, "backgroundColor") == text.evaluate(color, "color")
    chips = page.locator(".aw-machine .mx-chips button:visible")
    widths = [one.evaluate(color, "borderTopWidth") for one in chips.all()]
    pressed = [one.get_attribute("aria-pressed") == "true" for one in chips.all()]
    assert True in pressed
    assert [width == "3px" for width in widths] == pressed


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.pages(name))
        for name in ("book/09_masks.html", "book/12_inside_a_real_model.html")
    ],
)
def test_tab_leads_into_a_drawn_grid_and_arrows_walk_in_it(visit, name):
    page = visit(name)
    cells = page.locator("svg [role=grid] [role=button]")
    cells.first.focus()
    for key in ("Shift+Tab", "Tab"):  # a container with a listener would be a stop
        page.keyboard.press(key)
    here = page.locator("svg [role=grid] [role=button]:focus")
    first = here.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    assert here.get_attribute("aria-label") != first
