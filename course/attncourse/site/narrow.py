"""Tables and printed outputs that are wider than their column.

A table that a phone cannot show side by side gets what the style sheet needs to stack
its rows there: on each cell the name of its column, and the roles that it loses as a
block. Long names of code may break in it, after an underscore. A printed output wraps,
unless it stands in columns: that one scrolls.

On any screen, a table without a caption is named by what stands above it.
"""

import html
import re
from collections import Counter
from typing import Any

PHONE = 42  # letters side by side, with room between the columns

# What a table is named by: a heading, or within a fold its title.
PART = re.compile(
    r"<h[1-6]\b[^>]*>(?P<heading>.*?)</h[1-6]>|(?P<end></details>)"
    r'|<summary class="admonition-title">(?P<fold>.*?)</summary>'
    r"|<table\b(?![^>]*\baria-label)(?P<table>[^>]*>)(?!\s*<caption)",
    re.DOTALL,
)
TABLE = re.compile(r"<table((?![^>]*\brole=)[^>]*)>(.*?)</table>", re.DOTALL)
HEAD = re.compile(r"<thead>(.*?)</thead>", re.DOTALL)
ROW = re.compile(r"<tr\b([^>]*)>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<(t[hd])\b([^>]*)>(.*?)</\1>", re.DOTALL)
UNSAID = re.compile(
    r'<annotation\b.*?</annotation>|<span class="nk-tex".*?</span>'
    r'|<span class="katex-html".*',
    re.DOTALL,
)
PRINTED = re.compile(
    r'<div class="(output (?:stream|text_plain)\b[^"]*)">'
    r'(<div class="highlight"><pre>)(.*?)(?=</pre>)',
    re.DOTALL,
)
LONG = re.compile(r"\w{20,}(?![^<>]*>)")  # a word of a text, and not within a tag
IN_COLUMNS = re.compile(r"^ *\[[\[ \d]|\S {2,}\S", re.MULTILINE)


def words(markup: str) -> str:
    """Return the text of some HTML, formulas as they are said."""
    text = re.sub(r"<[^>]*>", "", UNSAID.sub("", markup))
    return " ".join(html.unescape(text).split())


def stack(page: str) -> str:
    """Mark the tables of a page that a phone has to stack, and name their cells."""
    return TABLE.sub(lambda found: _stacked(*found.groups()) or found[0], page)


def _stacked(attributes: str, inner: str) -> str | None:
    head = HEAD.search(inner)
    rows = [[one[2] for one in CELL.findall(row)] for _, row in ROW.findall(inner)]
    if head is None or "attnlib-" in attributes or _width(rows) <= PHONE:
        return None
    names = [words(cell) for _, _, cell in CELL.findall(head[1])]
    body = inner[head.end() :].replace("<tbody>", '<tbody role="rowgroup">')
    body = ROW.sub(lambda row: _row(row, names), body)
    top = ROW.sub(lambda row: _row(row, None), head[1])
    start = f'<table{_with_class(attributes, "aw-stacks")} role="table">'
    heads = f'<thead role="rowgroup">{top}</thead>'
    return f"{start}{inner[: head.start()]}{heads}{body}</table>"


def name_tables(page: str) -> str:
    """Name each table without a caption by what stands above it; count several."""
    heading, fold = "", ""
    seen: Counter[str] = Counter()

    def read(part: re.Match[str]) -> str:
        nonlocal heading, fold
        if part["table"] is not None:
            name = fold or heading
            seen[name] += 1
            name += f", table {seen[name]}" * (seen[name] > 1)
            return f'<table aria-label="{html.escape(name)}"{part["table"]}'
        fold = words(part["fold"] or "")
        if part["heading"]:
            heading = words(part["heading"]).removesuffix("#")
        return part[0]

    return PART.sub(read, page)


def _width(rows: list[list[str]]) -> int:
    """Return how many letters the longest words of all columns take side by side."""
    said = [[max(map(len, words(one).split()), default=0) for one in r] for r in rows]
    columns = max(map(len, said), default=0)
    most = (max(r[i] for r in said if len(r) > i) for i in range(columns))
    return sum(letters + 2 for letters in most)


def _row(row: re.Match[str], names: list[str] | None) -> str:
    """Give each cell of a row its role and, below the head, the name of its column."""
    labels = iter(names or ())

    def named(cell: re.Match[str]) -> str:
        tag, attributes, inner = cell.groups()
        header = "columnheader" if names is None else "rowheader"
        role = "cell" if tag == "td" else header
        name = html.escape(next(labels, ""))
        label = f' data-label="{name}"' if name else ""
        inner = LONG.sub(lambda word: word[0].replace("_", "_<wbr>"), inner)
        return f'<{tag}{attributes} role="{role}"{label}>{inner}</{tag}>'

    return f'<tr{row[1]} role="row">{CELL.sub(named, row[2])}</tr>'


def _with_class(attributes: str, name: str) -> str:
    if 'class="' in attributes:
        return attributes.replace('class="', f'class="{name} ', 1)
    return f'{attributes} class="{name}"'


def keep_columns(page: str) -> str:
    """Mark the printed outputs that stand in columns, which must not wrap."""

    def marked(found: re.Match[str]) -> str:
        classes, start, text = found.groups()
        plain = html.unescape(re.sub(r"<[^>]*>", "", text))
        kept = len(IN_COLUMNS.findall(plain)) > 1
        return f'<div class="{classes}{" aw-columns" if kept else ""}">{start}{text}'

    return PRINTED.sub(marked, page)


def _page(_app: Any, _name: str, _template: str, context: dict, _tree: Any) -> None:
    if context.get("body"):
        context["body"] = name_tables(keep_columns(stack(context["body"])))


def setup(app: Any) -> None:
    """Register with Sphinx, after all that writes tables."""
    app.connect("html-page-context", _page, priority=900)
