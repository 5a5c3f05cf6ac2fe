"""Printed arrays are tables for those who listen, with the names that a cell gives."""

import re

import pytest

from attncourse.site.arrays import walkable

CELL = '<div class="cell nk-runs docutils container" id="cell-dots">'
OUT = '<div class="output stream x"><div class="highlight"><pre>{}</pre></div></div>'
DOTS = "[[ 1.   -0.5 ]\n [ 0.    1.25]]"
NAMES = [["dog", "food"], ["alive", "edible"]]


def told(text, names=()):
    return walkable(f"{CELL}{OUT.format(text)}</div>", {"dots": list(names)})


def headers(page, scope):
    return re.findall(rf'<th scope="{scope}">(.*?)</th>', page)


def test_an_array_is_a_table_with_the_names_of_its_cell():
    page = told(DOTS, [NAMES])
    assert headers(page, "row") == NAMES[0]
    assert headers(page, "col") == NAMES[1]
    assert re.findall("<td>([^<]+)</td>", page) == ["1", "−0.5", "0", "1.25"]
    assert f'<span aria-hidden="true">{DOTS}</span>' in page


def test_of_several_each_has_the_line_above_as_its_name_and_others_are_counted():
    page = told(f"x\n{DOTS}\nw_query\n{DOTS}\n", [NAMES])
    assert re.findall("<caption>(.*?)</caption>", page) == ["x", "w_query"]
    assert headers(page, "row") == [*NAMES[0], "row 1", "row 2"]
    assert headers(page, "col")[2:] == ["column 1", "column 2"]


@pytest.mark.parametrize(
    "text", ["[1 2 3]", "post 4 [0.4 0.2]\npost 5 [1 2]", "loss 3"]
)
def test_other_outputs_stay(text):
    page = f"{CELL}{OUT.format(text)}</div>"
    assert walkable(page, {}) == page
