"""Printed arrays are tables for those who listen, with the names that a cell gives."""

import pytest
from built_site import ROOT

from attncourse.site.arrays import named

SCRIPT = ROOT / "course" / "attncourse" / "site" / "static" / "arrays.js"
CELL = '<div class="cell docutils" id="cell-dots">{}</div>'
OUT = '<div class="output stream"><div class="highlight"><pre>{}</pre></div></div>'
DOTS = "[[ 1.   -0.5 ]\n [ 0.    1.25]]"
NAMES = [["dog", "food"], ["alive", "edible"]]


@pytest.fixture
def told(browser):
    """A function that shows a text as a cell's output, and returns its page."""
    page = browser.new_page()

    def show(text, *names):
        cell = CELL.format(OUT.format(f"<span></span>{text}"))
        page.set_content(named(cell, {"dots": list(names)}))
        page.add_script_tag(path=SCRIPT)
        return page

    yield show
    page.close()


@pytest.mark.parametrize("text", [DOTS, f"array({DOTS.replace(' ]', '],')})"])
def test_an_array_is_a_table_with_the_names_of_its_cell(told, text):
    page = told(text, NAMES)
    assert page.get_by_role("rowheader").all_inner_texts() == NAMES[0]
    assert page.get_by_role("columnheader").all_inner_texts() == NAMES[1]
    cells = page.get_by_role("cell").all_inner_texts()
    assert cells[-4:] == ["1", "−0.5", "0", "1.25"]
    assert page.locator("pre").text_content() == text
    assert "1.25" not in page.locator("pre").aria_snapshot()


def test_of_several_each_has_the_line_above_as_its_name_and_others_are_counted(told):
    page = told(f"x\n{DOTS}\nw_query\n{DOTS}\n", NAMES)
    assert page.locator("caption").all_inner_texts() == ["x", "w_query"]
    counted = ["row 1", "row 2"]
    assert page.get_by_role("rowheader").all_inner_texts() == [*NAMES[0], *counted]


@pytest.mark.parametrize(
    "text", ["[1 2 3]", "post 4 [0.4 0.2]\npost 5 [1 2]", f"<b>red</b> {DOTS}"]
)
def test_other_outputs_stay(told, text):
    assert told(text).locator("table, [aria-hidden]").count() == 0
