"""A printed array is a table, too, for those who listen: rows and columns with names.

The lines stay as NumPy prints them, for eyes; behind them stands the same as a table.
A cell names its arrays in its metadata, one after the other, each by its rows and its
columns: ``"arrays": [[["dog", "ate"], ["alive", "edible"]]]``. Others are counted.
"""

import html
import json
import re
from pathlib import Path
from typing import Any

PRINTED = re.compile(
    r'<div class="output (?:stream|text_plain)\b[^"]*">'
    r'<div class="highlight"><pre>(?P<text>.*?)</pre></div>',
    re.DOTALL,
)
ARRAY = re.compile(r"\[\[[^\[\]]*\](?:\s*\n\s*\[[^\[\]]*\])+\]")
CELL = re.compile(r'<div class="cell [^"]*" id="cell-([^"]+)">')


def walkable(page: str, names: dict[str, list]) -> str:
    """Put a table behind each printed output that holds arrays.

    Parameters
    ----------
    page : str
        HTML.
    names : dict of str to list
        By a cell's name, rows and columns of its arrays.
    """

    def marked(found: re.Match[str]) -> str:
        text = found["text"]
        arrays = list(ARRAY.finditer(text))
        if not arrays or "<span" in text[arrays[0].start() :]:
            return found[0]
        before = CELL.findall(page, 0, found.start())
        known = names.get(before[-1], []) if before else []
        told = "".join(
            _table(_caption(text, one), _numbers(one[0]), *_pair(known, n))
            for n, one in enumerate(arrays)
        )
        hidden = ARRAY.sub(r'<span aria-hidden="true">\g<0></span>', text)
        return f'{found[0].replace(text, hidden)}<div class="aw-array">{told}</div>'

    return PRINTED.sub(marked, page)


def _pair(known: list, n: int) -> tuple[list, list]:
    return tuple(known[n]) if n < len(known) else ([], [])


def _numbers(text: str) -> list[list[str]]:
    return [row.split() for row in re.findall(r"\[([^\[\]]+)\]", text)]


def _caption(text: str, array: re.Match[str]) -> str:
    """Return the line above an array, which names it, or what it is."""
    *_, above = ["", *re.sub(r"<[^>]*>", "", text[: array.start()]).split("\n")[-2:-1]]
    return above if above and "[" not in above else "Printed array"


def _table(caption: str, rows: list[list[str]], names: list, columns: list) -> str:
    counted = [f"column {j}" for j in range(1, len(rows[0]) + 1)]
    heads = "".join(f'<th scope="col">{_text(x)}</th>' for x in columns or counted)
    lines = ""
    for i, row in enumerate(rows):
        name = names[i] if names else f"row {i + 1}"
        cells = "".join(f"<td>{_text(_said(x))}</td>" for x in row)
        lines += f'<tr><th scope="row">{_text(name)}</th>{cells}</tr>'
    return (
        f"<table><caption>{caption}</caption><thead><tr><td></td>{heads}</tr></thead>"
        f"<tbody>{lines}</tbody></table>"
    )


def _said(number: str) -> str:
    """Write a number as one says it: no point at its end, and a minus sign."""
    return number.rstrip(".").replace("-", "−")


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def _names(app: Any, docname: str) -> dict[str, list]:
    path = Path(app.srcdir, f"{docname}.ipynb")
    if not path.is_file():
        return {}
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {c["id"]: c["metadata"].get("arrays", []) for c in cells}


def _page(app: Any, name: str, _template: str, context: dict, _tree: Any) -> None:
    if context.get("body"):
        context["body"] = walkable(context["body"], _names(app, name))


def setup(app: Any) -> None:
    """Register with Sphinx, after what stacks tables on a phone."""
    app.connect("html-page-context", _page, priority=910)
