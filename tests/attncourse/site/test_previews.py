"""What link previews say of a page."""

import re

import pytest

SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.previews", "sphinxext.opengraph"],
    "ogp_social_cards": {"enable": False},
}
DESCRIPTION = re.compile(r'<meta property="og:description" content="([^"]*)"')


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("The values are\n\n$$[1, 0] \\qquad [0, 1]$$", "The values are [1, 0] [0, 1]"),
        (r"A 6 in $W^{\htmlClass{aw-query}{Q}}$ it is.", "A 6 in W^Q it is."),
        ("The *query* (6, 0) it is.", "The query (6, 0) it is."),
        ("Find a row.\n\n| You | Go |\n|-|-|\n| new | 1 |\n\nRun.", "Find a row. Run."),
        (":::{div} aw-begin\n[Begin](x.md)\n:::\n\nFind a row.", "Find a row."),
        ("Find a row.\n\n## Rows\n\n| You |\n|-|\n| new |", "Find a row."),
    ],
)
def test_a_description_has_its_spaces_and_no_tex(book, words, said):
    page = book.write("index.md", f"# Book\n\n{words}").build(**SETTINGS)
    assert DESCRIPTION.search(page)[1] == said
