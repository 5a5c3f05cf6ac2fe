"""Pages of the site, as they stand in a folder that has Python inside."""

import json
import re

from bs4 import BeautifulSoup

SHOWN = "div.cell.nk-runs .cell_input pre"
HIDDEN = 'script[type="application/vnd.nokernel.cell+json"]'
ADDRESS = re.compile(r'(?<= data-pyodide=")[^"]*(?=")')
# The page's first script for its cells, which starts Python; from a page to the root.
LOADER = re.compile(r'<script [^>]*data-pyodide="[^>]* src="([^"]*)_static/[^>]*>')
SCRIPTS = re.compile(r"(?<=; script-src )[^;]*")
# What compiling WebAssembly takes, and nothing else: no code from strings.
COMPILES = "'wasm-unsafe-eval'"
PLACE = "_static/pyodide/"
STARTER = "_static/nokernel/in-folder.js"


def has_cells(html):
    """Say whether a page has cells that Python in the page can run."""
    return bool(LOADER.search(html))


def with_python(html):
    """Return a page that finds Python in its own folder, and may run it.

    Raises
    ------
    ValueError
        If a page with cells has no policy to widen.
    """
    found = LOADER.search(html)
    if not found:
        return html
    up = found[1]
    starter = f'<script defer="defer" src="{up}{STARTER}"></script>\n'
    html = html.replace(found[0], starter + found[0])
    html = ADDRESS.sub(up + PLACE, html)
    html, count = SCRIPTS.subn(lambda rule: f"{rule[0]} {COMPILES}", html)
    if count != 1:
        raise ValueError(f"a page with {count} rules for scripts, and not 1")
    return html


def loader(html):
    """Return what the page tells its loader: attributes by name, without `data-`."""
    (tag,) = BeautifulSoup(html, "html.parser").select("script[data-pyodide]")
    return {
        name.removeprefix("data-"): str(value)
        for name, value in tag.attrs.items()
        if name.startswith("data-")
    }


def cells(html):
    """List the code of the cells that a reader can run."""
    page = BeautifulSoup(html, "html.parser")
    return [one.get_text() for one in page.select(SHOWN)]


def sources(html):
    """List the code of all cells that run: those that the page does not show, too."""
    page = BeautifulSoup(html, "html.parser")
    return cells(html) + [json.loads(one.get_text()) for one in page.select(HIDDEN)]
