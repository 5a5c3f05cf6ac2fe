"""Link previews, places of figures, the search, earlier releases."""

import json
import os
import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import sphinx_llm_friendly
from matplotlib.image import imread

import attncourse
from attncourse.site import previews, releases
from attncourse.site.addresses import front_door, without_address
from attncourse.site.figure_places import places_in
from attncourse.site.for_programs import BUTTON, EXTENSION, FIRST


def notebook(*cells):
    kinds = ("markdown", "code")
    made = [{"cell_type": kinds["import " in one], "source": [one]} for one in cells]
    return json.dumps({"cells": made})


def placed(*cells):
    return [*places_in("book/one", notebook(*cells))]


SHOWN = "from attncourse.figures.softmax import live\n\nfigure = live.panel({})\nfigure"


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("", (2.0, 1.0, 0.0)),
        ("(3, 2, 1)", (3, 2, 1)),
        ("scores=(1, 0, -1)", (1, 0, -1)),
    ],
)
def test_its_state_is_what_the_lesson_says(said, state):
    (one,) = placed(SHOWN.format(said))
    assert (one.name, one.page) == ("softmax", "book/one")
    assert one.state == {"scores": state, "added": 0.0, "temperature": 1.0}


ABOVE = "# One\n\nIt is so. **Who, then?** **No question.**\n\nAnd so on."


@pytest.mark.parametrize(
    ("cells", "question"),
    [
        ([ABOVE], "It is so. **Who, then?**"),
        ([ABOVE, "## Two\n\n**Where** is it?"], "**Where** is it?"),
        ([ABOVE, "## Two\n\nText.\n\n- **One**: no.\n"], "It is so. **Who, then?**"),
        ([ABOVE, "**A?**\n\n:::{predict} B?\n:name: b\n:::"], "**A?**"),
        ([ABOVE, "## Two\n\n**C.**\n\n:::{predict} B?\n:name: b\n:::"], "B?"),
        (["# One"], ""),
    ],
)
def test_its_question_is_the_last_one_before_it(cells, question):
    (one,) = placed(*cells, SHOWN.format(""), "## Later\n\n**Why?**")
    assert one.question == question


def test_two_in_a_lesson_and_one_that_is_not_declared():
    called = SHOWN.replace("softmax import live", "masks import live as covered")
    found = placed(
        SHOWN.format(""),
        called.format("ahead=2").replace("live.p", "covered.p"),
        "from attncourse.figures.own_sentence import live as own\n\nown.panel()",
    )
    assert [one.name for one in found] == ["softmax", "masks"]
    assert found[1].state["ahead"] == 2


def test_a_cell_that_only_imports_other_things_has_none():
    assert placed("import numpy as np\n\nprint(1)", "from attnlib import softmax") == []


SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.previews", "sphinxext.opengraph"],
    "ogp_social_cards": {"enable": False},
}
DESCRIPTION = re.compile(r'<meta property="og:description" content="([^"]*)"')


DESCRIBED = {
    "The values are\n\n$$[1, 0] \\qquad [0, 1]$$": "The values are [1, 0] [0, 1]",
    r"A 6 in $W^{\htmlClass{aw-query}{Q}}$ it is.": "A 6 in W^Q it is.",
    "The *query* (6, 0) it is.": "The query (6, 0) it is.",
    "Find a row.\n\n| You | Go |\n|-|-|\n| new | 1 |\n\nRun.": "Find a row. Run.",
    ":::{div} aw-begin\n[Begin](x.md)\n:::\n\nFind a row.": "Find a row.",
    "Find a row.\n\n## Rows\n\n| You |\n|-|\n| new |": "Find a row.",
}


def test_a_description_has_its_spaces_and_no_tex(book):
    names = [f"page{i}" for i in range(len(DESCRIBED))]
    book.write("index.md", "# Book\n\n```{toctree}\n" + "\n".join(names) + "\n```\n")
    for name, words in zip(names, DESCRIBED, strict=True):
        book.write(f"{name}.md", f"# Book\n\n{words}")
    book.build(**SETTINGS)
    found = [DESCRIPTION.search(book.page(name))[1] for name in names]
    assert found == list(DESCRIBED.values())


TAGS = (
    '<meta property="og:title" content="Mix: the values" />\n'
    '<meta property="og:url" content="book/05.html" />\n'
    '<meta property="og:image" content="_images/card.png" />\n'
)
PAGE = '<head><title>Course</title><meta property="og:image" content="{}" /></head>'


def test_without_an_address_the_picture_is_named_as_seen_from_the_page():
    tags = without_address(TAGS, "book/puzzles/what_it_means")
    assert 'content="../../_images/card.png"' in tags
    assert "og:url" not in tags
    assert "Mix: the values" in tags
    assert 'content="_images/card.png"' in without_address(TAGS, "search")


def test_the_front_door_is_previewed_as_the_first_page_is():
    door = front_door("book/index.html", PAGE.format("../_images/card.png"))
    assert "url=book/index.html" in door
    assert "<title>Course</title>" in door
    assert 'content="_images/card.png"' in door


def test_an_address_stays_as_it_is():
    address = "https://example.org/_images/card.png"
    assert f'content="{address}"' in front_door("book/i.html", PAGE.format(address))


@pytest.mark.slow
@pytest.mark.parametrize("page", previews.DRAWN)
def test_a_puzzle_names_its_picture(page, tmp_path):
    (tmp_path / "_static").mkdir()
    config = SimpleNamespace(ogp_site_url="https://example.org/")
    app = SimpleNamespace(outdir=tmp_path, config=config)
    context = {"meta": None, "metatags": ""}
    previews._picture(app, page, None, context, None)
    name = f"_static/{page.rpartition('/')[2]}.png"
    assert context["meta"]["og:image"] == f"https://example.org/{name}"
    assert context["meta"]["og:image:alt"].endswith(".")
    assert imread(tmp_path / name).shape[:2] == (630, 1200)


def test_other_pages_keep_their_card(tmp_path):
    context = {"meta": None}
    previews._picture(None, "book/03_scaling", None, context, None)
    assert context == {"meta": None}


ATOM = {"a": "http://www.w3.org/2005/Atom"}
CHANGELOG = """\
# Changelog

## Unreleased

- A third thing.

## 0.2.0 (2026-11-21)

- A *second* thing.

## 0.1.0 (2026-01-02)

- A first thing.
"""


@pytest.fixture
def made(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    names = {"project": "A course", "author": "Someone", "language": "en"}
    config = SimpleNamespace(html_baseurl="https://example.org/c/", **names)
    return ET.fromstring(releases.feed(config, tmp_path))


def test_each_release_is_an_entry_with_its_day_and_its_words(made):
    entries = made.findall("a:entry", ATOM)
    assert [one.findtext("a:title", "", ATOM) for one in entries] == ["0.2.0", "0.1.0"]
    days = [one.findtext("a:updated", "", ATOM)[:10] for one in entries]
    assert days == ["2026-11-21", "2026-01-02"]
    assert "<em>second</em>" in entries[0].findtext("a:summary", "", ATOM)
    assert "third" not in ET.tostring(made, "unicode")


def test_its_addresses_are_those_of_the_site(made):
    links = {link.get("rel"): link.get("href") for link in made.findall("a:link", ATOM)}
    address = "https://example.org/c/"
    assert links == {"alternate": address, "self": f"{address}changes.xml"}
    identities = [one.text for one in made.findall("a:entry/a:id", ATOM)]
    assert identities == [f"{address}changes.xml#{v}" for v in ("0.2.0", "0.1.0")]


def test_before_the_first_release_it_is_empty():
    assert releases.versions("# Changelog\n\n## Unreleased\n\n- A thing.\n") == []


def test_a_site_without_an_address_has_no_feed(tmp_path):
    config = SimpleNamespace(html_baseurl="")
    builder = SimpleNamespace(name="html")
    app = SimpleNamespace(config=config, builder=builder, outdir=tmp_path)
    releases._write(app, None)
    context = {"metatags": ""}
    releases._name(app, "index", "", context, None)
    assert not list(tmp_path.iterdir())
    assert not context["metatags"]


def test_a_page_says_which_version_it_is_of():
    said = releases.version_line
    assert said(CHANGELOG) == "Version 0.2.0 (2026-11-21), with changes since"
    as_released = CHANGELOG.replace("- A third thing.\n\n", "")
    assert said(as_released) == "Version 0.2.0 (2026-11-21)"
    before = CHANGELOG.partition("## 0.2.0")[0]
    assert said(before) == f"Version {attncourse.__version__}, not released yet"


SEARCH_SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.terms", "attncourse.site.search"]
}


# The search index, and what sphinx-llm-friendly is patched for.
#
# The index has the word of the story, a stop word of Sphinx, and all terms.


def test_it_is_in_the_index_and_other_stop_words_are_not(book):
    book.write("index.md", "# Book\n\nBecause it was hungry.").build(**SEARCH_SETTINGS)
    terms = index(book)["terms"]
    assert {"it", "hungri"} <= terms.keys()
    assert "was" not in terms


def index(book):
    text = (book.out / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("Search.setIndex(")[:-1])


CARD = """\
# Page

## MLA

:::{predict} How many rows for 128 heads?
- [x] One
  - Yes.
- [ ] 128
  - Fewer.
:::

Covered.

:::{model-part}
:names: MLA, multi-head latent attention (one row for all)
:line: `kv_lora_rank`, a size
:keyword: none
:used: fact latent
:source: somebody, May 2024
:unknown: all else
:::
"""


def test_the_names_and_lines_of_a_card_lead_to_its_heading(book):
    extensions = ["myst_nb", "sphinx_design", "sphinx_nokernel", "attncourse.site.card"]
    book.write("index.md", CARD).build(
        extensions=extensions, myst_enable_extensions=["colon_fence"]
    )
    names = ("mla", "kv_lora_rank", "multi-head latent attention")
    spaced = "multi head latent attention"
    models = ("kimi k2", "glm-5", "glm 5")
    found = index(book)["indexentries"]
    assert all(place == [[0, "mla", True]] for place in found.values())
    assert {*names, spaced, *models} <= {*found}
    page = (book.out / "index.html").read_text(encoding="utf-8")
    assert "Covered." in page.partition('class="nk-covered"')[2].partition("</div>")[0]
    assert re.search(r"Covered\.</p>\s*</div>.*?aw-card", page, re.DOTALL)


def test_a_second_build_of_one_page_keeps_the_terms_of_the_others(book):
    """Sphinx alone forgets them: `attncourse.site.environment`."""
    book.write("index.md", "# Book\n\n```{toctree}\nwords\n```\n")
    book.write("words.md", "# Words\n\n```{glossary}\nhull\n  Outside.\n```\n")
    settings = {"extensions": ["myst_nb", "attncourse.site.environment"]}
    book.build(**settings)
    first = index(book)
    assert "hull" in first["indexentries"]
    os.utime(book.source / "index.md")
    book.build(**settings)
    assert index(book) == first


# What sphinx-llm-friendly is patched for is still there: else the patch may go. Both
# patches are in `attncourse.site.for_programs`.
SPHINXS_OWN = 500  # the priority of a listener that asks for none


def listeners():
    app = Mock()
    app.builder.name = "html"
    sphinx_llm_friendly.setup(app)
    return app, {call.args[0]: call for call in app.connect.call_args_list}


def test_it_copies_a_page_when_sphinx_gets_to_it():
    """The patch is `_copy_first`."""
    _, found = listeners()
    copies = found["html-page-context"]
    assert copies.args[1].__module__ == EXTENSION
    assert copies.kwargs.get("priority", SPHINXS_OWN) > FIRST


def test_it_adds_its_button_to_every_page(monkeypatch):
    """The patch is `_drop_button`."""
    app, found = listeners()
    for name in ("find_markdown_sites", "find_builtin_urls"):
        monkeypatch.setattr(sphinx_llm_friendly, name, lambda _: None)
    found["builder-inited"].args[1](app)
    assert [
        BUTTON in call.kwargs["body"] for call in app.add_js_file.call_args_list
    ] == [True]
