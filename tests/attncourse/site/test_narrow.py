"""Tables for a phone, and printed outputs that keep their columns."""

import pytest

from attncourse.site.narrow import keep_columns, stack, words

HEAD = '<thead> <tr class="row-odd"><th><p>where</p></th> <th>{}</th></tr></thead>'
ROW = "<tr><td><p>{}</p></td> <td><p>may attend</p></td></tr>"


def table(name, head="True means"):
    body = f"<tbody> {ROW.format(name)} {ROW.format('b')}</tbody>"
    return f'<p>a</p><table class="table">{HEAD.format(head)}{body}</table><p>b</p>'


def test_a_table_that_is_too_wide_names_its_cells_and_keeps_its_roles():
    html = stack(table("scaled_dot_product_attention_of_the_library"))
    assert '<table class="aw-stacks table" role="table">' in html
    assert html.count('<td role="cell" data-label="where">') == 2
    assert html.count('<td role="cell" data-label="True means">') == 2
    assert html.count('role="columnheader"') == 2
    assert html.count(' role="row"') == 3
    assert html.count('role="rowgroup"') == 2
    assert html.startswith("<p>a</p>")
    assert html.endswith("</table><p>b</p>")


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
