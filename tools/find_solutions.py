"""Search all that is published for what only solutions and their introductions say.

    python tools/find_solutions.py [PATH ...]        _build/html unless named

A book built with SOLUTIONS=0 has to pass. Every file below a path is read: pages
with and without their markup, notebooks, zips and wheels file by file, the text of a
PDF. Wanted are the lines of solutions, what they print, the sentences that introduce
them, and names that only they use; a line that the rest of the book, the library or the
course also has gives nothing away.
"""

import html
import io
import json
import re
import sys
import zipfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
TAGS = {"solution", "solution-intro"}
BLOCK = re.compile(r"^:::\{solution-intro\}\n(.*?)\n:::$", re.DOTALL | re.MULTILINE)
SHORTEST = 12  # characters of a line: shorter ones are in every program
WORD = re.compile(r"\w+")
LONGEST = 60  # characters of a name: beyond are data
# What is published in any case; exercises are packed (attncourse/site/held_back.py).
HELD_BACK = "exercises"
CODE = {"attnlib": ("*.py",), "attnconfig": ("*.py",)}
CODE |= {"course": ("*.py", "*.js"), "book": ("*.md",)}
# What a page, a string of JSON and a PDF each write in their own way.
LOST = re.compile(r"[\s\\\"'`“”‘’\u200b#*]")
FORMULA = re.compile(r"\$[^$\n]+\$")  # looks like nothing of its source on a page


def secrets(root=ROOT):
    """Return what only solutions hold, and the notebook that each is from.

    Returns
    -------
    lines, names : dict of str to str
        Lines as `squeezed` leaves them, and names in lower case.
    """
    hidden, kept = [], [path.read_text("utf-8") for path in _code(root)]
    for path in sorted((root / "book").rglob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            text = f"{cell.source}\n{_said(cell)}"
            if TAGS & set(cell.metadata.get("tags", [])):
                hidden.append((path.name, text))
            else:
                hidden += [(path.name, intro) for intro in BLOCK.findall(text)]
                kept.append(BLOCK.sub("", text))
    known, names, lines = "\n".join(kept), {}, {}
    known_names = _names(known)
    for place, text in hidden:
        names |= dict.fromkeys(_names(text) - known_names, place)
        pieces = FORMULA.sub("\n", text).splitlines()
        lines |= dict.fromkeys(map(squeezed, pieces), place)
    known = squeezed(known)
    return {
        line: place
        for line, place in lines.items()
        if len(line) >= SHORTEST and line not in known
    }, names


def _names(text):
    """Return the names that are made of several words: others are no one's."""
    words = set(WORD.findall(text.lower()))
    return {word for word in words if "_" in word and len(word) < LONGEST}


def _code(root):
    return sorted(
        path
        for folder, patterns in CODE.items()
        for pattern in patterns
        for path in (root / folder).rglob(pattern)
        if path.parent.name != HELD_BACK
    )


def _said(cell):
    """Return what a code cell printed, as it is stored."""
    outputs = cell.get("outputs", [])
    said = [one.get("text") or one.get("data", {}).get("text/plain") for one in outputs]
    return "\n".join(text for text in said if text)


def squeezed(text):
    """Return text in lower case without what differs from one format to the next."""
    return LOST.sub("", text).lower()


def texts(path):
    """Yield the place and the text of each file at or below a path, zips opened."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            yield from _texts(str(file), file.read_bytes())


def _texts(place, data):
    suffix = Path(place).suffix
    if suffix in (".zip", ".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from _texts(f"{place}/{name}", archive.read(name))
    elif suffix == ".pdf":
        from pypdf import PdfReader

        pages = [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
        yield place, "\n".join(pages)
    elif suffix == ".ipynb":
        yield place, "\n".join(_strings(json.loads(data)))
    else:
        text = data.decode("utf-8", errors="ignore")
        yield place, text
        if suffix == ".html":
            yield place, html.unescape(re.sub(r"<[^>]*>", "", text))


def _strings(value):
    """Yield every string of JSON data; a list of lines is one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield "".join(value)
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def find(paths, lines, names):
    """Return the (place, line or name) pairs that are found at or below the paths."""
    return sorted(
        {
            (place, hit)
            for path in paths
            for place, text in texts(Path(path))
            for hit in hits_in(text, lines, names)
        }
    )


def hits_in(text, lines, names):
    """Return the lines and the names that a text holds."""
    letters = squeezed(text)
    return {line for line in lines if line in letters} | (names.keys() & _names(text))


def main(paths):
    """Print every hit; return 1 if there is one."""
    lines, names = secrets()
    hits = find(paths or [ROOT / "_build" / "html"], lines, names)
    for place, found in hits:
        print(f"{place}: {found[:80]}  (of {(lines | names)[found]})")
    print(f"{len(hits)} hits of {len(lines)} lines and {len(names)} names")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
