"""Write the zip: the site's own, and Python in it."""

import base64
import gzip
import json
import re
import zipfile
from pathlib import Path

from bs4 import BeautifulSoup

from .release import Release, imported

# Pages of the site, as they stand in a folder that has Python inside.

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


def parsed(html):
    """Return a page as BeautifulSoup reads it."""
    return BeautifulSoup(html, "html.parser")


def loader(page):
    """Return what a page tells its loader: attributes by name, without `data-`."""
    (tag,) = page.select("script[data-pyodide]")
    return {
        name.removeprefix("data-"): str(value)
        for name, value in tag.attrs.items()
        if name.startswith("data-")
    }


def sources(page):
    """List the code of all cells that run: those that the page does not show, too."""
    shown = [one.get_text() for one in page.select(SHOWN)]
    return shown + [json.loads(one.get_text()) for one in page.select(HIDDEN)]


HERE = Path(__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same archive, byte for byte, at every build
CODE = "_static/nokernel/"
WORKER = f"{CODE}worker.mjs"
STAND_INS = {"IPython"}  # of which the worker has what a page needs
READ = (".py", ".whl")  # what the worker fetches from there, and all of files/


def script(data):
    """Return the script that holds a file's bytes."""
    packed = gzip.compress(data, mtime=0)
    return b'nokernelHeld("%s");\n' % base64.b64encode(packed)


def starter(worker):
    """Return the script that starts the worker, of which it holds the text."""
    head, script = (
        (HERE / name).read_text(encoding="utf-8")
        for name in ("worker-head.js", "in-folder.js")
    )
    return f"self.nokernelWorkerText = {json.dumps(head + worker)};\n{script}".encode()


def read_site(archive):
    """Return the name of a zip's one folder, and its files by their names in it."""
    with zipfile.ZipFile(archive) as opened:
        files = {one.filename: opened.read(one) for one in opened.infolist()}
    (top,) = {name.partition("/")[0] for name in files}
    return top, {name.removeprefix(f"{top}/"): data for name, data in files.items()}


def pack(site, target, folders=()):
    """Write the zip with Python inside; return how many cells run on each page.

    Parameters
    ----------
    site : path
        The zip of the site, as the build writes it.
    target : path
        Where to write.
    folders : sequence of path
        Where files of Pyodide lie; what is in none of them is fetched.

    Raises
    ------
    FileNotFoundError, ValueError
        As `Release.files` does; or if no page of the site has cells that run.
    """
    top, files = read_site(site)
    texts = {name: data.decode() for name, data in files.items() if _is_page(name)}
    pages = {name: html for name, html in sorted(texts.items()) if has_cells(html)}
    if not pages:
        raise ValueError(f"{site}: no page has cells that run")
    files |= {name: with_python(html).encode() for name, html in pages.items()}
    files |= {f"{name}.js": script(files[name]) for name in files if _is_read(name)}
    files[STARTER] = starter(files[WORKER].decode())
    files[f"{PLACE}NOTICE.txt"] = (HERE / "NOTICE.txt").read_bytes()
    read = {name: parsed(html) for name, html in pages.items()}
    for name, data in _release(read.values(), folders).items():
        files[f"{PLACE}{name}.js"] = script(data)
    _write(target, f"{top}-python", files)
    return {name: len(page.select(SHOWN)) for name, page in read.items()}


def _is_page(name):
    return name.endswith(".html") and not name.startswith("_static/")


def _is_read(name):
    inside = name.removeprefix(CODE)
    return inside != name and (inside.endswith(READ) or inside.startswith("files/"))


def _release(pages, folders):
    """Return Pyodide's files that cells of these pages need."""
    told = loader(next(iter(pages)))
    pairs = [pair.split("=", 1) for pair in told["digests"].split()]
    needed = [pair.split("=", 1)[1] for pair in told["imports"].split()]
    modules = imported(source for page in pages for source in sources(page))
    wanted = {*modules, *needed} - STAND_INS
    return Release(told["pyodide"], pairs, folders).files(wanted)


def _write(target, top, files):
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
