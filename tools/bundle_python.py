"""Write the site's zip with Python inside, and offer it on the first page.

    python tools/bundle_python.py

Its code cells run when the folder is opened by double-click, with no server and no
network. It is made from `downloads/site.zip`, and so after a build. Pyodide itself is
the npm package that `package-lock.json` locks; its NumPy and matplotlib come from the
folder $PYODIDE_DIR or from the address that the pages name. All are compared with the
digests that the pages compare them with.
"""

import os
import re
import sys
from pathlib import Path

from build_book import Build

from attncourse.site.inside.pack import pack
from sphinx_nokernel.bundles import BEGIN
from sphinx_nokernel.site_worker import write_again

ROOT = Path(__file__).resolve().parent.parent
NPM = ROOT / "node_modules" / "pyodide"
NAME = "site-with-python.zip"
OFFERED = re.compile(r'<li class="with-python">.*?</li>\n', re.DOTALL)
OFFER = """<li class="with-python"><a href="{up}downloads/{name}" download>The site with
Python inside (zip, {megabytes:.0f} MB)</a>: the same, and its code cells run as well,
with no network. Tested in Chromium.</li>
"""


def folders():
    """List where Pyodide's files may lie on this machine."""
    named = os.environ.get("PYODIDE_DIR")
    if named and not Path(named).is_dir():
        raise NotADirectoryError(f"PYODIDE_DIR is not a folder: {named}")
    return [Path(named), NPM] if named else [NPM]


def offer(page, site, size):
    """Link the zip from the built first page, after the zip without Python."""
    html = OFFERED.sub("", page.read_text(encoding="utf-8"))
    before, rest = html.split(BEGIN)
    first, others = rest.split("</li>\n", 1)
    up = "../" * (len(page.relative_to(site).parts) - 1)
    link = OFFER.format(up=up, name=NAME, megabytes=size / 1e6)
    html = f"{before}{BEGIN}{first}</li>\n{link}{others}"
    page.write_text(html, encoding="utf-8")


def first_page(site):
    """Return the page that offers downloads."""
    pages = [*site.glob("*.html"), *site.glob("book/*.html")]
    (page,) = (one for one in pages if BEGIN in one.read_text(encoding="utf-8"))
    return page


def main(root=ROOT):
    """Write it; end with a sentence where that cannot be."""
    build = Build(root)
    stood, downloads = build.stands(), build.site / "downloads"
    try:
        cells = pack(downloads / "site.zip", downloads / NAME, folders())
    except (OSError, ValueError) as error:
        sys.exit(f"The site with Python inside was not made: {error}.")
    size = (downloads / NAME).stat().st_size
    offer(first_page(build.site), build.site, size)
    write_again(build.site)  # that page is another now, also for who keeps the site
    if stood:
        build.note()
    count = f"{sum(cells.values())} cells on {len(cells)} pages"
    print(f"{downloads / NAME}: {size / 1e6:.1f} MB, {count}")


if __name__ == "__main__":
    main()
