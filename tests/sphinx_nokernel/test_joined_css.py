"""The sheets that all pages begin with become one, build after build."""

import re
from types import SimpleNamespace

import pytest

from sphinx_nokernel.joined_css import JOINED, join_styles, sheets

STYLES = {
    "theme/a.css": "a { background: url(../images/a.png) }",
    "b.css": "b { background: url('b.png'), url(data:,x) }",
    "c.css": "c { color: red }",
    "paper.css": "p { color: black }",
}
PAGE = '<head>\n{}</head>\n<body><a href="x">b.css</a></body>'


def head(up, *names):
    links = [
        f'<link rel="stylesheet" href="{up}_static/{name}?v=1" />' for name in names
    ]
    paper = f'<link media="print" rel="stylesheet" href="{up}_static/paper.css" />'
    return PAGE.format("\n".join([*links, paper]))


@pytest.fixture
def site(tmp_path):
    for name, style in STYLES.items():
        path = tmp_path / "_static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(style)
    (tmp_path / "book").mkdir()
    (tmp_path / "index.html").write_text(head("", "theme/a.css", "b.css"))
    (tmp_path / "book" / "one.html").write_text(
        head("../", "theme/a.css", "b.css", "c.css")
    )
    (tmp_path / "plain.html").write_text(PAGE.format(""))
    return tmp_path


def build(site, lighten=True):
    config = SimpleNamespace(nokernel_lighten=lighten)
    builder = SimpleNamespace(name="html")
    join_styles(SimpleNamespace(config=config, builder=builder, outdir=str(site)))


def links(site, name):
    return re.findall(r'href="([^"?]+\.css)', (site / name).read_text())


def test_one_sheet_in_place_of_those_that_all_begin_with(site):
    build(site)
    assert links(site, "index.html") == [f"_static/{JOINED}", "_static/paper.css"]
    assert links(site, "book/one.html") == [
        f"../_static/{JOINED}",
        "../_static/c.css",
        "../_static/paper.css",
    ]
    assert (site / "plain.html").read_text() == PAGE.format("")


def test_it_holds_them_in_order_with_their_addresses(site):
    build(site)
    style = (site / "_static" / JOINED).read_text()
    assert style.index("a {") < style.index("b {")
    for address in ("url(images/a.png)", "url('b.png')", "url(data:,x)"):
        assert address in style
    assert "color: red" not in style


def test_a_page_that_a_later_build_left_is_joined_anew(site):
    build(site)
    before = {
        name: (site / name).read_text() for name in ("index.html", "book/one.html")
    }
    build(site)
    assert before == {name: (site / name).read_text() for name in before}
    (site / "index.html").write_text(head("", "theme/a.css", "c.css"))
    build(site)  # now one sheet is common, which is not worth a file
    assert sheets((site / "book" / "one.html").read_text()) == [
        "theme/a.css",
        "b.css",
        "c.css",
    ]
    (site / "index.html").write_text(head("", "theme/a.css", "b.css", "c.css"))
    (site / "new.html").write_text(head("", "theme/a.css", "b.css"))
    build(site)
    assert links(site, "new.html")[0] == f"_static/{JOINED}"
    assert links(site, "book/one.html")[1] == "../_static/c.css"


def test_fewer_in_common_are_taken_apart_again(site):
    (site / "index.html").write_text(head("", "theme/a.css", "b.css", "c.css"))
    build(site)
    (site / "index.html").write_text(head("", "theme/a.css", "b.css"))
    build(site)
    assert links(site, "book/one.html")[:2] == [
        f"../_static/{JOINED}",
        "../_static/c.css",
    ]


def test_only_where_pages_are_to_be_light(site):
    build(site, lighten=False)
    assert not (site / "_static" / JOINED).exists()
