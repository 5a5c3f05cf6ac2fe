"""Write plain copies of the lessons, for JupyterLab and wherever MyST is not known.

    python tools/export.py [FOLDER]        lessons/ unless named

`make lab` and Binder open these copies; the zip and Colab have the same. Edit the
notebooks in `book/`: a copy is written anew each time, unless someone has worked in it.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

import yaml

from sphinx_nokernel.config import VALUES
from sphinx_nokernel.export import Reader, plain_copies

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "lessons"


def settings(root=ROOT):
    """Return the book's configuration values, and what the environment changes."""
    book = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    found = {name: default for name, (default, *_) in VALUES.items()}
    found |= book["sphinx"]["config"] | book["parse"]
    found |= {"bibtex_bibfiles": book["bibtex_bibfiles"], "project": book["title"]}
    if os.environ.get("SOLUTIONS") == "0":
        found["nokernel_solutions"] = False
    return found


def reader_of(root=ROOT):
    """Return what writes the copies: of the pages that the table of contents lists."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    reader = Reader.of(settings(root), root)
    reader.listed, reader.first = set(order(toc)), toc["root"]
    return reader


def order(toc):
    """List the pages that a table of contents names, in its order."""
    names = [toc["root"]] if "root" in toc else []
    if "file" in toc:
        names.append(toc["file"])
    for key in ("parts", "chapters", "sections"):
        names += [name for entry in toc.get(key, []) for name in order(entry)]
    return names


def copies(home="", root=ROOT):
    """Yield the place, relative to the book's folder, and the text of each copy."""
    reader = reader_of(root)
    reader.home = home
    folder = root / reader.settings["nokernel_bundle_folder"]
    yield from plain_copies(folder, reader.settings["nokernel_bundle_files"], reader)


def write_copies(target=TARGET):
    """Write every copy below the folder, but none over a reader's own work."""
    target = Path(target)
    notes = target / ".copies.json"
    written = json.loads(notes.read_text()) if notes.exists() else {}
    for place, text in copies():
        path, name = target / place, place.as_posix()
        if path.exists() and _digest(path.read_bytes()) != written.get(name):
            print(f"{name}: kept, since you have changed it")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        written[name] = _digest(text.encode())
    notes.write_text(json.dumps(written))
    print(target)


def _digest(data):
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    write_copies(*sys.argv[1:2])
