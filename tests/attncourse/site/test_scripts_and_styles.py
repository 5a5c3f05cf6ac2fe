"""Scripts, styles and policies of the pages."""

import json
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from attncourse.real_model import files
from attncourse.site import files as site_files
from attncourse.site.few_letters import LONG, shorten, shorten_figures, written
from attncourse.site.narrow import keep_columns, name_tables, stack, words
from attncourse.site.policy import with_policy
from sphinx_nokernel import widget_state

SHARED = """// A name that other scripts use.
function add(first, second) {
  return first + second; // here
}
"""
END = 'export const end = "</script>";\n'


def test_names_that_others_see_stay():
    text = written({"a.js": SHARED})["a.js"]
    assert text.startswith("function add(")
    assert "first" not in text
    assert "//" not in text


def test_a_module_keeps_what_it_exports_and_never_ends_its_element():
    text = written({"a.js": f"{SHARED}{END}"}, module=True)["a.js"]
    assert "add" not in text
    assert "export" in text
    assert "</script>" not in text


def test_of_a_site_only_plain_scripts_are_written_anew(tmp_path):
    (tmp_path / "nokernel").mkdir()
    data = f"window.data = [{'1, ' * LONG}];\n"
    plain = ("a.js", "a.min.js", "documentation_options.js", "nokernel/b.js")
    texts = {**dict.fromkeys(plain, SHARED), "data.js": data}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    shorten(tmp_path)
    kept = {name for name in texts if (tmp_path / name).read_text() == texts[name]}
    assert kept == {"a.min.js", "data.js", "documentation_options.js"}


def test_a_script_that_does_not_parse_is_an_error():
    with pytest.raises(ExtensionError, match="were not written"):
        written({"a.js": "const = 1;"})


@pytest.mark.parametrize("apart", [True, False])
def test_a_figure_in_a_page_is_written_once_and_then_stays(tmp_path, apart):
    module = f"{SHARED}{END}export default {{ render: add }};\n"
    state = {"at": "</p>", "data": {"worker": SHARED}}
    model = {"model_name": "AnyModel", "state": {"_css": "b", **state}}
    if apart:
        saved = {"state": {"w": model | {"texts": {"_esm": 1}}}, "texts": ["b", module]}
    else:
        saved = {"state": {"w": {**model, "state": {"_esm": module, **state}}}}
    end, page = '</script>\n<p id="after">', tmp_path / "page.html"
    begin = f'<p>here</p><script type="{widget_state.STATE}">'
    page.write_text(f"{begin}{widget_state.written(saved)}{end}")
    shorten_figures([page])
    text = page.read_text()
    assert text.startswith(begin)
    assert text.endswith(end)
    found = json.loads(text.removeprefix(begin).removesuffix(end))
    short = found["texts"].pop() if apart else found["state"]["w"]["state"].pop("_esm")
    assert "first" not in short
    assert "render" in short
    assert "export" in short
    assert found["state"]["w"]["state"]["at"] == "</p>"
    assert "first" not in found["state"]["w"]["state"]["data"]["worker"]
    shorten_figures([page])
    assert page.read_text() == text


HEAD = '<thead> <tr class="row-odd"><th><p>where</p></th> <th>{}</th></tr></thead>'
ROW = "<tr><td><p>{}</p></td> <td><p>may attend</p></td></tr>"


def table(name, head="True means"):
    body = f"<tbody> {ROW.format(name)} {ROW.format('b')}</tbody>"
    return f'<p>a</p><table class="table">{HEAD.format(head)}{body}</table><p>b</p>'


def test_a_table_that_is_too_wide_names_its_cells_and_keeps_its_roles():
    name = "scaled_dot_product_attention_of_the_library"
    html = stack(table(f'<a href="{name}">{name}</a>'))
    assert '<table class="aw-stacks table" role="table">' in html
    assert html.count('<td role="cell" data-label="where">') == 2
    assert html.count('<td role="cell" data-label="True means">') == 2
    assert html.count('role="columnheader"') == 2
    assert html.count(' role="row"') == 3
    assert html.count('role="rowgroup"') == 2
    assert html.startswith("<p>a</p>")
    assert html.endswith("</table><p>b</p>")
    assert f'<a href="{name}">scaled_<wbr>dot_<wbr>product_' in html


@pytest.mark.parametrize(
    "html",
    [
        table("attnlib"),
        table("a few words that a cell may break into lines, as many as it wants"),
        table("long" * 20).replace("<table", '<table role="table"'),
        table("long" * 20).replace('"table"', '"attnlib-x"'),
        "<table><tbody><tr><td>" + "long" * 20 + "</td></tr></tbody></table>",
    ],
    ids=["narrow", "of words", "has its roles", "a trace", "without a head"],
)
def test_other_tables_stay(html):
    assert stack(html) == html


def test_a_table_is_named_by_what_stands_above_it():
    fold = '<summary class="admonition-title">A &amp; B</summary>{0}</details>'
    html = f"<h2>Rows<a>#</a></h2>{{0}}{{0}}{fold}{{0}}".format("<table><tr>")
    names = [one.partition('"')[0] for one in name_tables(html).split('label="')[1:]]
    assert names == ["Rows", "Rows, table 2", "A &amp; B", "Rows, table 3"]


def test_a_formula_is_said_once():
    formula = (
        "<math><mi>d</mi><annotation>\\d</annotation></math>"
        '<span class="katex-html"><span>d</span></span>'
    )
    assert words(f"<p>by  &amp; {formula}</p>") == "by & d"


def printed(text):
    start = '<div class="output stream highlight-none notranslate">'
    return f'{start}<div class="highlight"><pre><span></span>{text}\n</pre></div></div>'


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("[[1. 2.]\n [3. 4.]]", True),
        ("name   1.0\nother  2.0", True),
        ("What it computes\n  &lt;b&gt; Scores are query · key", False),
        ("one  gap", False),
    ],
)
def test_only_columns_do_not_wrap(text, columns):
    assert ("aw-columns" in keep_columns(printed(text))) == columns
    assert keep_columns(printed(text)).replace(" aw-columns", "") == printed(text)


POLICY_HEAD = '<head><meta charset="utf-8">'
# of the script below, by openssl
DIGEST = "'sha256-xY6QKfH9PRsQnLz56nj6MBwiK5oHg+im1Jkpdp1x/Ck='"


def test_scripts_in_the_page_are_named_by_their_digests():
    html = with_policy(
        f"{POLICY_HEAD}<script>let a = 1;</script><script src='a.js'></script>"
        '<script type="application/ld+json">{}</script></head>'
    )
    policy = html[html.index("Content-Security-Policy") :].partition(">")[0]
    assert policy.count("sha256-") == 1
    assert DIGEST in policy
    assert html.index("Content-Security-Policy") < html.index("<script")


def test_buttons_keep_what_they_do():
    html = with_policy(
        f'{POLICY_HEAD}</head><button class="a" onclick="window.print()">'
    )
    assert '<button class="a" data-press="print">' in html


@pytest.mark.parametrize(
    "page",
    [
        f'{POLICY_HEAD}</head><a href="x" title="y" onclick="go()">',
        "<head></head>",
    ],
    ids=["code in an attribute", "no charset"],
)
def test_what_it_cannot_cover_stops_the_build(page):
    with pytest.raises(ExtensionError, match="policy: "):
        with_policy(page)


def test_words_that_look_like_code_are_words():
    page = f'{POLICY_HEAD}<meta name="a" content="b onclick=c"></head><p>onload="x"</p>'
    assert 'content="b onclick=c"' in with_policy(page)


@pytest.fixture
def said(monkeypatch):
    lines = []

    def note(text, *values):
        lines.append(text % values)

    monkeypatch.setattr(site_files, "logger", SimpleNamespace(info=note))
    return lines


def build(tmp_path, name="html", error=None, page="model = load_minilm()"):
    (tmp_path / "page.md").write_text(page)
    env = SimpleNamespace(
        found_docs=["page"], doc2path=lambda one: tmp_path / "page.md"
    )
    app = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(name=name), env=env)
    site_files._write_model(app, error)
    return sorted(path.name for path in tmp_path.rglob("*.js"))


@pytest.mark.slow
@pytest.mark.long
def test_without_the_weights_the_book_is_built_all_the_same(
    tmp_path, monkeypatch, said
):
    monkeypatch.delenv(files.VARIABLE, raising=False)
    monkeypatch.setattr(files, "PACKAGE", "no_such_package_here")
    monkeypatch.setattr(files, "CACHE", tmp_path / "cache")
    assert build(tmp_path) == ["manifest.js"]
    (line,) = said
    assert "stored sentences only" in line


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("name", "error"), [("latex", None), ("html", ValueError())])
def test_no_other_build_gets_them(tmp_path, said, name, error):
    assert build(tmp_path, name, error) == said == []


@pytest.mark.slow
@pytest.mark.long
def test_a_book_without_the_model_goes_without_its_weights(tmp_path, said):
    assert build(tmp_path, page="# Embeddings") == said == []
