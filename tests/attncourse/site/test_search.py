"""The search index has the word of the story, a stop word of Sphinx, and all terms."""

import json
import os

SETTINGS = {"extensions": ["myst_nb", "attncourse.site.search"]}


def test_it_is_in_the_index_and_other_stop_words_are_not(book):
    book.write("index.md", "# Book\n\nBecause it was hungry.").build(**SETTINGS)
    terms = index(book)["terms"]
    assert {"it", "hungri"} <= terms.keys()
    assert "was" not in terms


def index(book):
    text = (book.out / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("Search.setIndex(")[:-1])


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
