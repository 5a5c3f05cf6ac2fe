"""The page of all known mistakes has each of them, folded, and says who asks."""

import html
import json
import re

import pytest
from books import Book

from attncourse.practice import EXERCISES

EXTENSIONS = ["myst_nb", "sphinx_nokernel", "attncourse.site.mistakes"]
TOC = "# Book\n\n```{toctree}\nfirst\nagain\nevery\n```\n"
ASKS = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
CELL = {"cell_type": "markdown", "id": "a", "metadata": {}}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    book = Book(tmp_path_factory.mktemp("mistakes"))
    source = '# Asked first\n\n`check("softmax", mine)`'
    first = {**ASKS, "cells": [{**CELL, "source": [source]}]}
    book.write("index.md", TOC).write("first.ipynb", json.dumps(first))
    book.write(
        "again.md", '# Asked again\n\n`check("softmax", x)`, `check("project", x)`'
    )
    book.write("every.md", "# Every\n\n:::{every-mistake}\n:::\n")
    book.build(extensions=EXTENSIONS, suppress_warnings=["config.cache"])
    assert book.complaints == ""
    return book


@pytest.fixture(scope="module")
def sections(built):
    """The section of each exercise, without tags."""
    found = {}
    for part in built.page("every").split("<section ")[2:]:
        name = re.search(r'id="([\w-]+)"', part)[1].replace("-", "_")
        found[name] = part
    return found


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_each_exercise_has_a_section_in_the_order_of_the_lessons(sections):
    assert list(sections) == list(EXERCISES)


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.mistakes])
def test_every_mistake_is_there_with_its_look_and_formulas(sections, name):
    if name == "one_pass_attention":
        assert 'href="#attention"' in sections[name]
        return
    text = plain(sections[name])
    for one in EXERCISES[name].mistakes:
        for words in (one.code, one.cause, one.look):
            assert " ".join(words.replace("`", "").split()) in text
    n_codes = len({one.code for one in EXERCISES[name].mistakes})
    counts = f"{len(EXERCISES[name].mistakes)} mistakes with {n_codes} names"
    assert f"<summary>{counts}</summary>" in sections[name]
    assert "✗ For " in text


def test_formulas_are_those_of_the_table(sections):
    text = plain(sections["project"])
    assert "using the weights transposed: output = x @ w.T" in text
    inside = plain(sections["masked_multi_head_attention"])
    assert "hidden = np.where(mask, -np.inf, scaled)" in inside  # wrapped for heads


def test_a_cause_with_several_formulas_is_said_once(sections):
    text = plain(sections["look_up"])
    assert text.count("taking columns of the table:") == 1
    assert "rows = table[:, token_ids], or rows = table.T[token_ids]" in text


def test_mistakes_that_are_read_from_the_answer_are_there_too(sections):
    assert "rows-columns-swapped" in sections["causal_mask"]


def test_the_first_page_that_asks_is_linked(sections):
    asked = {
        n: re.search(r'Asked in “<a [^>]*href="(\w+\.html)"', s)
        for n, s in sections.items()
    }
    assert {n: a[1] for n, a in asked.items() if a} == {
        "softmax": "first.html",
        "project": "again.html",
    }


def test_folded_mistakes_are_found_by_the_search(built):
    index = (built.out / "searchindex.js").read_text()
    assert "softmax-jacobian-missing" not in index  # split at its hyphens
    assert "jacobian" in index
