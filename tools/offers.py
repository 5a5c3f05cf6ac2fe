"""Offer one more download on the first page of a built site."""

import re

from sphinx_nokernel.bundles import BEGIN
from sphinx_nokernel.installable import write_again

ITEM = """<li class="{name}"><a href="{up}downloads/{name}" download>{words}</li>
"""


def offer(build, name, make, words):
    """Make a file and link it, after the zip of the site; what stood still stands.

    Parameters
    ----------
    build : Build
        The site and what is known of it.
    name : str
        The file's name, in the site's `downloads`.
    make : callable
        Takes its path and writes it. Where it fails, nothing is offered.
    words : str
        The link's words, `</a>`, and what follows; `{megabytes}` is its size.

    Returns
    -------
    file : Path
        What was written.
    result
        What `make` returned.
    """
    stood, file = build.stands(), build.site / "downloads" / name
    result = make(file)
    words = words.format(megabytes=file.stat().st_size / 1e6)
    _link(_first_page(build.site), build.site, name, words)
    write_again(build.site)  # that page is another now, also for who keeps the site
    if stood:
        build.note()
    return file, result


def _link(page, site, name, words):
    earlier = re.compile(rf'<li class="{re.escape(name)}">.*?</li>\n', re.DOTALL)
    html = earlier.sub("", page.read_text(encoding="utf-8"))
    before, rest = html.split(BEGIN)
    first, others = rest.split("</li>\n", 1)
    up = "../" * (len(page.relative_to(site).parts) - 1)
    item = ITEM.format(up=up, name=name, words=words)
    page.write_text(f"{before}{BEGIN}{first}</li>\n{item}{others}", encoding="utf-8")


def _first_page(site):
    pages = [*site.glob("*.html"), *site.glob("book/*.html")]
    (page,) = (one for one in pages if BEGIN in one.read_text(encoding="utf-8"))
    return page
