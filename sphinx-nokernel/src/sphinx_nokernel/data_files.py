"""Serve files that a page's cells read, so that Python in the page finds them.

When a cell that can run names a file of the book (in quotes, relative to the page) or
imports a module that lies beside the page, that file is served with the site and
fetched when the cell runs. The log says which. `nokernel_files = False` serves none.
"""

import re
import shutil
from pathlib import Path

from sphinx.util import logging

logger = logging.getLogger(__name__)

QUOTED = re.compile(r"""(["'])([^"'\n\\]+)\1""")
IMPORTED = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.MULTILINE)
SERVED = "_static/nokernel/files"


def files_named(app, sources):
    """List the files that these cells name, as paths relative to the sources."""
    root, page = Path(app.srcdir), Path(app.env.doc2path(app.env.docname))
    if not app.config.nokernel_files:
        return []
    found = set()
    for source in sources:
        names = [text for _, text in QUOTED.findall(source)]
        names += [f"{module}.py" for module in IMPORTED.findall(source)]
        for name in names:
            if path := _in_book(root, page.parent, name):
                found.add(path)
    for name in sorted(found):
        logger.info("%s: serves %s, which a cell names", app.env.docname, name)
    return sorted(found)


def _in_book(root, folder, name):
    """Return the path of a file within the book, or None if there is no such file."""
    try:
        path = (folder / name).resolve()
        place = path.relative_to(root.resolve())
        hidden = any(part.startswith((".", "_")) for part in place.parts)
        return None if hidden or not path.is_file() else place.as_posix()
    except (OSError, ValueError):  # not a path, or one that leads out of the book
        return None


def files_of(env, names):
    """List the files that cells of these pages name."""
    lists = (env.metadata[name].get("nokernel_files", ()) for name in names)
    return sorted({path for paths in lists for path in paths})


def serve_files(app):
    """Copy the files that cells name into the site."""
    for name in files_of(app.env, app.env.found_docs):
        target = Path(app.outdir, SERVED, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(app.srcdir, name), target)
