"""Link previews with and without the site's address, and of the site as a whole."""

from attncourse.site.addresses import front_door, without_address

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
