"""A card tells of each of its names: a row of its own, and what holds for all."""

from attncourse.site.card import folded, options_and_body, rows, told

SAID = """\
:keyword: none
:unknown: all else

names: DSA, lightning indexer
line: `index_topk`
used: fact chosen
source: somebody, May 2024

names: MoBA
what: blocks
line: none
used: nobody
server: a flag: `--moba`
source: somebody, June 2024
"""


def test_a_row_has_what_is_said_of_all_and_its_own():
    first, second = rows(*options_and_body(SAID))
    assert first["names"] == "DSA, lightning indexer"
    assert {one["unknown"] for one in (first, second)} == {"all else"}
    assert second["server"] == "a flag: `--moba`"


def test_each_name_is_told_and_what_holds_for_all_once():
    said = told(*options_and_body(SAID))
    assert said.count("**Not known:**") == said.count("**In attnlib:**") == 1
    assert said.count("**Source:**") == said.count("**In a file:**") == 2
    assert folded(*options_and_body(SAID)).count("toggle-shown") == 1
    assert said.index("**MoBA**") < said.index("nobody") < said.index("Each of them")


def test_one_name_needs_no_row():
    said = folded(rows(*options_and_body(SAID))[0])
    assert "- **Names:** DSA, lightning indexer" in said
    assert "Each of them" not in said
