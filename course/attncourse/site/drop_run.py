"""A box that takes a file of one run: its script, on the pages that have the box.

A page asks for it by ``:::{div} aw-drop-run`` around the words that stand there without
JavaScript.
"""

from __future__ import annotations

from typing import Any

MARK = "aw-drop-run"


def add_script(
    app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any
) -> None:
    """Load the script on pages that have the box."""
    if MARK in context.get("body", ""):
        app.add_js_file("drop-run.js", loading_method="defer")


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.connect("html-page-context", add_script)
