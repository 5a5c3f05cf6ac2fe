"""Link previews: what they say of a page, its picture, and addresses of both."""

import re
from types import SimpleNamespace

import pytest
from matplotlib.image import imread

from attncourse.site import pictures
from attncourse.site.addresses import front_door, without_address

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
@pytest.mark.parametrize("page", pictures.DRAWN)
def test_a_puzzle_names_its_picture(page, tmp_path):
    (tmp_path / "_static").mkdir()
    config = SimpleNamespace(ogp_site_url="https://example.org/")
    app = SimpleNamespace(outdir=tmp_path, config=config)
    context = {"meta": None, "metatags": ""}
    pictures._picture(app, page, None, context, None)
    name = f"_static/{page.rpartition('/')[2]}.png"
    assert context["meta"]["og:image"] == f"https://example.org/{name}"
    assert context["meta"]["og:image:alt"].endswith(".")
    assert imread(tmp_path / name).shape[:2] == (630, 1200)


def test_other_pages_keep_their_card(tmp_path):
    context = {"meta": None}
    pictures._picture(None, "book/03_scaling", None, context, None)
    assert context == {"meta": None}
