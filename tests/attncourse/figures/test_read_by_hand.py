"""Figures with a state of their own are read like the declared ones."""

import importlib
import re

import pytest
from small_pages import SmallPages

FOCUSED = "document.activeElement.getAttribute('aria-label')"
# What stands first in the walk: the whole, a table, its first row.
FIGURES = {
    "own_sentence": (
        r"In head \d\.\d+ “\w+” moves 0\.\d\d\. … .* hungry: “\w+” looks at .*",
        r"How much of its weight “\w+” moves .*, by head, 6 rows",
        r"layer 0: head 0 0\.\d\d, head 1 0\.\d\d, .*",
    ),
    "train_copying": (
        r"Not trained yet: one layer and two; seed 0\.",
        r"Losses, 1 row",
        r"not trained yet: loss on new letters none, .*",
    ),
}


@pytest.fixture(scope="module")
def pages(browser, tmp_path_factory):
    with SmallPages(browser, tmp_path_factory.mktemp("read")) as pages:
        yield pages
        pages.close()


def figure(name):
    return importlib.import_module(f"attncourse.figures.{name}.live").panel()


@pytest.mark.parametrize("name", FIGURES)
def test_it_is_read_from_the_whole_to_a_number(pages, name, untrained_copiers):
    page = pages.load(figure(name))
    page.get_by_role("button", name="Read this figure").press("Enter")
    heard = [page.evaluate(FOCUSED)]
    for _ in range(3):
        page.keyboard.press("Enter")
        heard.append(page.evaluate(FOCUSED))
    for words, expected in zip(heard, FIGURES[name], strict=False):
        assert re.fullmatch(expected, words), words
    row, _, number = heard[3].rpartition(": ")
    assert number in heard[2]
    assert row.startswith(heard[2].partition(":")[0])
    page.keyboard.press("s")
    page.wait_for_function(
        "document.getElementById('aw-voice')?.textContent.startsWith('It comes from')"
    )
    assert page.said == []


def test_a_head_is_chosen_where_its_size_is_read(pages):
    page = pages.load(figure("own_sentence"))
    page.get_by_role("button", name="Read this figure").press("Enter")
    for key in ["Enter"] * 3 + ["ArrowDown"] * 3 + ["ArrowRight", "Space"]:
        page.keyboard.press(key)
    size = page.evaluate(FOCUSED).rpartition(": ")[2]
    page.wait_for_function(
        "words => document.getElementById('aw-voice')?.textContent.includes(words)",
        arg="3.1: “it” moves " + size,
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUSED) == "What “it” looks at in head 3.1, 2 rows"


def test_rows_of_the_machine_are_named_by_the_words_that_are_chosen(pages):
    page = pages.load(figure("machine"))
    named = "all => all.map((one) => one.getAttribute('aria-rowindextext'))"
    cells = page.locator(".mx-cell")
    sides = page.locator(".mx-matrix [role=row]").evaluate_all(
        """rows => rows.flatMap((row) => [...row.querySelectorAll(".mx-cell")]
          .map(() => row.querySelector("[role=rowheader]").textContent))"""
    )
    assert cells.evaluate_all(named) == sides
    page.get_by_role("button", name="delicious").first.click()
    now = cells.evaluate_all(named)
    assert "delicious" in now
    assert "hungry" not in now
