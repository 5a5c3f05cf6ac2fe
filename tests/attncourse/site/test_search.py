"""The search index has the word of the story, which Sphinx leaves out."""

import json

SETTINGS = {"extensions": ["myst_nb", "attncourse.site.search"]}


def test_it_is_in_the_index_and_other_stop_words_are_not(book):
    book.write("index.md", "# Book\n\nBecause it was hungry.").build(**SETTINGS)
    text = (book.out / "searchindex.js").read_text(encoding="utf-8")
    terms = json.loads(text.removeprefix("Search.setIndex(")[:-1])["terms"]
    assert {"it", "hungri"} <= terms.keys()
    assert "was" not in terms
