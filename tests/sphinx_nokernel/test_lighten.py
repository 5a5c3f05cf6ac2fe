"""What keeps pages light: unused rules and unused state go, the rest stays as it is."""

import json
from types import SimpleNamespace

import pytest

from sphinx_nokernel.lighten import needed
from sphinx_nokernel.shorten import shorten_state, shorten_svg
from sphinx_nokernel.unused_css import names_in, purged


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
    names = names_in(tmp_path)
    assert {"one", "two", "three", "four-five"} <= names
    assert names.isdisjoint({"word", "six"})


def model(name, **state):
    return {"model_name": name, "state": state}


def test_state_keeps_what_a_view_leads_to():
    state = {
        "top": model("VBoxModel", children=["IPY_MODEL_s"], layout="IPY_MODEL_l"),
        "s": model("IntSliderModel", value=3),
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


@pytest.mark.parametrize(
    ("path", "slim"),
    [
        ("M 1.23456 -2.5 L 3.10049 -0.99999", "M1.2 -2.5l1.9 1.5"),
        ("M 0.04 0 L 0.08 0 L 0.12 0 L 0.16 0", "M0 0l0.1 0l0 0l0.1 0"),  # no drift
        ("M 1 1 L 2 1 L 2 2 z L 5 5", "M1 1l1 0l0 1zl4 4"),
        ("M 1 1 L 2 2 \nM 7 7 L 6 5", "M1 1l1 1M7 7l-1 -2"),
        ("M 1.234 0 C 0.795609 3 1 2 3.14159 0.000001", "M 1.2 0 C 0.8 3 1 2 3.1 0"),
    ],
)
def test_paths_are_rounded_to_tenths(path, slim):
    svg = '<svg><path d="{}"/></svg>'
    assert shorten_svg(svg.format(path)) == svg.format(slim)


def test_drawings_lose_what_the_page_knows():
    before = """<svg><g id="text_2"><g id="used"><use xlink:href="#used" x="1.2345"/>
<text style="font-size: 10px; font-family: 'DejaVu Sans', sans-serif; fill: red"
 y="2.04" transform="rotate(-0 78.3 1.2)">1.2345</text></g></g></svg>"""
    assert (
        shorten_svg(before)
        == """<svg><g><g id="used"><use xlink:href="#used" x="1.2"/>
<text style="font-size: 10px; fill: red"
 y="2">1.2345</text></g></g></svg>"""
    )


def test_only_drawings_are_slimmed():
    html = '<p id="1.2345" d="M 1.2345"> 3.14159 <g id="text_2"></p>'
    assert shorten_svg(html) == html


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
