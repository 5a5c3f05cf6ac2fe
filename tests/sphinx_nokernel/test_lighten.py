"""Styles and scripts of a page, made light."""

import json
import re
from types import SimpleNamespace

import pytest

from sphinx_nokernel.lighten import move_state_to_end, needed, trim_site
from sphinx_nokernel.styles import JOINED, join_styles, names_in, purged, sheets
from sphinx_nokernel.widget_state import gathered, shorten_state


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        (".here{a:b}", ".here{a:b}"),
        (".gone{a:b}", ""),
        (".gone,.here p{a:b}", ".here p{a:b}"),
        (".here.gone{a:b}", ""),
        ("#here>a{a:b}#gone{a:b}", "#here>a{a:b}"),
        ("p,[data-x=y]::after{a:b}", "p,[data-x=y]::after{a:b}"),
        (".here:not(.gone){a:b}", ".here:not(.gone){a:b}"),
        (":is(.gone,.here){a:b}", ":is(.gone,.here){a:b}"),
        ("@media print{.gone{a:b}.here{a:b}}", "@media print{.here{a:b}}"),
        ("@media print{.gone{a:b}}", ""),
        ("@media print{ .gone{a:b} /* .here */ }", ""),
        ("@keyframes gone{to{a:b}}", "@keyframes gone{to{a:b}}"),
        ("@font-face{font-family:Font Awesome\\ 6 Free;src:url(x)}", ""),
        (
            "@font-face{font-family:Ours;src:url(x)}",
            "@font-face{font-family:Ours;src:url(x)}",
        ),
    ],
)
def test_purge(css, kept):
    assert purged(css, {"here"}) == kept


def test_names_come_from_pages_and_scripts(tmp_path):
    (tmp_path / "a.html").write_text('<p class="one two" id="three">word</p>')
    (tmp_path / "b.js").write_text('node.classList.add("four-five");')
    (tmp_path / "searchindex.js").write_text('Search.setIndex({"six": 1})')
    data = tmp_path / "weights.js"
    data.write_text('take("seven")')
    names = names_in(tmp_path, [data])
    assert {"one", "two", "three", "four-five"} <= names
    assert names.isdisjoint({"word", "six", "seven"})


STATIC = ["locales/de.js", "own.bin", "scripts/a.js", "scripts/a.js.map"]


@pytest.mark.parametrize(
    ("lighten", "builder", "left"),
    [
        (True, "html", ["scripts/a.js"]),
        (False, "html", STATIC),
        (True, "epub", STATIC),
    ],
)
def test_what_no_page_is_served_is_removed(tmp_path, lighten, builder, left):
    """A folder, a file, and a line that leads to one that is gone."""
    static = tmp_path / "_static"
    for name in STATIC:
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text("a();\n//# sourceMappingURL=a.js.map")
    config = SimpleNamespace(
        nokernel_lighten=lighten,
        nokernel_unserved=["*.bin"],
        nokernel_data_scripts=[],
    )
    kind = SimpleNamespace(name=builder)
    trim_site(SimpleNamespace(config=config, builder=kind, outdir=tmp_path))
    files = [path for path in static.rglob("*") if path.is_file()]
    assert sorted(path.relative_to(static).as_posix() for path in files) == left
    is_whole = "sourceMappingURL" in (static / "scripts" / "a.js").read_text()
    assert is_whole is (len(left) > 1)


def model(name, **state):
    return {"model_name": name, "state": state}


def test_state_keeps_what_a_view_leads_to():
    state = {
        "top": model("VBoxModel", children=["IPY_MODEL_s"], layout="IPY_MODEL_l"),
        "s": model("IntSliderModel", min=0, max=100, step=1, value=3),
        "l": model("LayoutModel"),
        "unseen": model("IntSliderModel", value=4),
        "link": model(
            "LinkModel", source=["IPY_MODEL_s", "value"], target=["IPY_MODEL_top", "x"]
        ),
        "loose": model(
            "LinkModel",
            source=["IPY_MODEL_s", "value"],
            target=["IPY_MODEL_unseen", "value"],
        ),
        "code": model("AnyModel", _esm="a</script>b\x7f"),
    }
    body = '{"model_id": "top"} … {"model_id":"code"}'
    slim = shorten_state(json.dumps({"version_major": 2, "state": state}), body)
    assert "</" not in slim
    assert "\x7f" not in slim
    saved = json.loads(slim)
    assert saved["version_major"] == 2
    assert saved["state"] == {
        name: state[name] for name in ("top", "s", "link", "code")
    }


def test_state_that_html_manager_reads_stays_where_it_is():
    """Such a page is not looked into: it has neither states nor a context here."""
    assert move_state_to_end(None, SimpleNamespace(mounts=False)) is None


def asset(name=None, **attributes):
    return SimpleNamespace(filename=name, attributes=attributes)


def test_styles_and_scripts_stay_where_they_are_used():
    cards = '<div class="sd-card">'
    assert needed(asset("_static/course.css"), "")
    assert needed(asset("_static/sphinx-design.min.css"), cards)
    assert not needed(asset("_static/sphinx-design.min.css"), "")
    assert not needed(asset("_static/sphinx-thebe.css"), cards)
    folds = '<div class="admonition toggle">'
    for one in (asset("togglebutton.js"), asset(body="let toggleHintShow = 1;")):
        assert needed(one, folds)
        assert not needed(one, "")


def test_views_of_one_page_have_their_modules_side_by_side():
    views = {
        name: {"model_name": "AnyModel", "state": {"_css": css, "_esm": esm, "at": 1}}
        for name, css, esm in (
            ("a", "x", "longer"),
            ("b", "x", "short"),
            ("c", "", "s"),
        )
    }
    assert gathered({"a": views["a"]} | {"d": {"state": {}}}) == []
    texts = gathered(views)
    assert texts == ["", "x", "s", "short", "longer"]
    told = {n: {k: texts[i] for k, i in v["texts"].items()} for n, v in views.items()}
    assert told["a"] == {"_css": "x", "_esm": "longer"}
    assert told["c"] == {"_css": "", "_esm": "s"}
    assert views["b"]["state"] == {"at": 1}


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
