"""The browser's memory of guesses and, if the book wants it, of edited cells.

It is one object in the browser's localStorage, kept by `memory.js` and never sent
anywhere. Guesses, and whether all code is shown, are always kept; with
`nokernel_remember`, so is the text of edited cells, until Reset (`kept-cells.js`).
"""

from .live_code import has_cells

KEPT = ("nk-predict", "nk-challenge", "nk-code-switch")


def load_memory(app, page):
    """Add the scripts, before those that use them."""
    cells = app.config.nokernel_remember and has_cells(page)
    if cells or any(name in page.body for name in KEPT):
        options = {"data-page": page.name}
        app.add_js_file("nokernel/memory.js", loading_method="defer", **options)
    if cells:
        app.add_js_file("nokernel/kept-cells.js", loading_method="defer")
