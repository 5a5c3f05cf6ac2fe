"""The search index, and what sphinx-llm-friendly is patched for.

The index has the word of the story, a stop word of Sphinx, and all terms.
"""

import json
import os
from unittest.mock import Mock

import sphinx_llm_friendly

from attncourse.site.for_programs import BUTTON, EXTENSION, FIRST

SETTINGS = {"extensions": ["myst_nb", "attncourse.site.search"]}


def test_it_is_in_the_index_and_other_stop_words_are_not(book):
    book.write("index.md", "# Book\n\nBecause it was hungry.").build(**SETTINGS)
    terms = index(book)["terms"]
    assert {"it", "hungri"} <= terms.keys()
    assert "was" not in terms


def index(book):
    text = (book.out / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("Search.setIndex(")[:-1])


CARD = """\
# Page

## MLA

:::{model-part}
:names: MLA, multi-head latent attention (one row for all)
:line: `kv_lora_rank`, a size
:keyword: none
:used: line kv_lora_rank
:source: somebody, May 2024
:unknown: all else
:::
"""


def test_the_names_and_lines_of_a_card_lead_to_its_heading(book):
    extensions = ["myst_nb", "sphinx_design", "attncourse.site.card"]
    book.write("index.md", CARD).build(
        extensions=extensions, myst_enable_extensions=["colon_fence"]
    )
    names = ("mla", "kv_lora_rank", "multi-head latent attention")
    spaced = "multi head latent attention"
    assert index(book)["indexentries"] == {
        name: [[0, "mla", True]] for name in (*names, spaced)
    }


def test_a_second_build_of_one_page_keeps_the_terms_of_the_others(book):
    """Sphinx alone forgets them: `attncourse.site.whole_builds`."""
    book.write("index.md", "# Book\n\n```{toctree}\nwords\n```\n")
    book.write("words.md", "# Words\n\n```{glossary}\nhull\n  Outside.\n```\n")
    settings = {"extensions": ["myst_nb", "attncourse.site.whole_builds"]}
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
