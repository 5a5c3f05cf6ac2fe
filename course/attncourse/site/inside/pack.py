"""Write the zip: the site's own, and Python in it."""

import base64
import gzip
import json
import zipfile
from pathlib import Path

from .pages import PLACE, STARTER, cells, has_cells, loader, sources, with_python
from .release import Release, imported

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
    for name, data in _release(pages.values(), folders).items():
        files[f"{PLACE}{name}.js"] = script(data)
    _write(target, f"{top}-python", files)
    return {name: len(cells(html)) for name, html in pages.items()}


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
    modules = imported(source for html in pages for source in sources(html))
    wanted = {*modules, *needed} - STAND_INS
    return Release(told["pyodide"], pairs, folders).files(wanted)


def _write(target, top, files):
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
