"""Names of a page's arrays, for the script that makes tables of what is printed.

A cell names its arrays in its metadata, one after the other, each by its rows and its
columns: ``"arrays": [[["dog", "ate"], ["alive", "edible"]]]``. `arrays.js` counts the
rows and columns of others.
"""

import html
import json
import re
from pathlib import Path
from typing import Any

CELL = re.compile(r'<div class="cell [^"]*" id="cell-([^"]+)"')


def named(page: str, names: dict[str, list]) -> str:
    """Put the names of its arrays at each cell of a page that has some.

    Parameters
    ----------
    page : str
        HTML.
    names : dict of str to list
        By a cell's name, rows and columns of its arrays.
    """

    def told(found: re.Match[str]) -> str:
        own = names.get(found[1])
        data = html.escape(json.dumps(own, ensure_ascii=False))
        return f'{found[0]} data-arrays="{data}"' if own else found[0]

    return CELL.sub(told, page)


def _names(app: Any, docname: str) -> dict[str, list]:
    path = Path(app.srcdir, f"{docname}.ipynb")
    if not path.is_file():
        return {}
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {c["id"]: c["metadata"].get("arrays", []) for c in cells}


def _page(app: Any, name: str, _template: str, context: dict, _tree: Any) -> None:
    if CELL.search(context.get("body") or ""):
        context["body"] = named(context["body"], _names(app, name))
        app.add_js_file("arrays.js", loading_method="defer")


def setup(app: Any) -> None:
    """Register with Sphinx, after what stacks tables on a phone."""
    app.connect("html-page-context", _page, priority=910)
