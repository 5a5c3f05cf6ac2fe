"""Write the site's zip with Python inside, and offer it on the first page.

    python tools/bundle_python.py

Its code cells run when the folder is opened by double-click, with no server and no
network. It is made from `downloads/site.zip`, and so after a build. Pyodide itself is
the npm package that `package-lock.json` locks; its NumPy and matplotlib come from the
folder $PYODIDE_DIR or from the address that the pages name. All are compared with the
digests that the pages compare them with.
"""

import os
import sys
from pathlib import Path

from build_book import Build
from offers import offer

from attncourse.site.inside.pack import pack

ROOT = Path(__file__).resolve().parent.parent
NPM = ROOT / "node_modules" / "pyodide"
NAME = "site-with-python.zip"
WORDS = """The site with
Python inside (zip, {megabytes:.0f} MB)</a>: the same, and its code cells run as well,
with no network. Tested in Chromium and Firefox."""


def folders():
    """List where Pyodide's files may lie on this machine."""
    named = os.environ.get("PYODIDE_DIR")
    if named and not Path(named).is_dir():
        raise NotADirectoryError(f"PYODIDE_DIR is not a folder: {named}")
    return [Path(named), NPM] if named else [NPM]


def main(root=ROOT):
    """Write it; end with a sentence where that cannot be."""
    build = Build(root)
    plain = build.site / "downloads" / "site.zip"
    try:
        file, cells = offer(
            build, NAME, lambda target: pack(plain, target, folders()), WORDS
        )
    except (OSError, ValueError) as error:
        sys.exit(f"The site with Python inside was not made: {error}.")
    count = f"{sum(cells.values())} cells on {len(cells)} pages"
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {count}")


if __name__ == "__main__":
    main()
