"""Words that open the machine in a state, and stay words where there is no machine."""

SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.machine_at"],
    "suppress_warnings": ["config.cache"],
}
ASKS = "# One\n\nSee {machine-at}`its weights <stage=4&at=A.4.0&edits=0.X.0.0.0>`.\n"


def write(book, *pages):
    book.write("index.md", "# Book\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n")
    book.write("book/one.md", ASKS)


def test_words_lead_to_the_state(book):
    write(book, "book/one", "book/machine")
    book.write("book/machine.md", "# The machine\n").build(**SETTINGS)
    address = "machine.html?stage=4&amp;at=A.4.0&amp;edits=0.X.0.0.0"
    page = book.page("book/one")
    assert f'href="{address}"' in page
    assert ">its weights</a>." in page


def test_without_the_machine_the_words_stay(book):
    write(book, "book/one")
    book.build(**SETTINGS)
    page = book.page("book/one")
    assert "See its weights." in page
    assert book.complaints == ""
