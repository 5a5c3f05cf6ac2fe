"""Write the built site as one EPUB 3: every page in order, with its still pictures.

    python tools/epub.py [FILE]

Without a FILE it lies among the site's downloads, and the first page offers it. It
needs no network and no browser, holds no script, and is the same, byte for byte,
whenever it is made from the same site.
"""

import html
import sys
import uuid
import zipfile
from pathlib import Path

import yaml
from build_book import Build
from epub_pages import SHELL, Chapter
from export import order
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from offers import offer
from pdf import HTML, ROOT
from pygments.formatters import HtmlFormatter

NAME = "book.epub"
WORDS = """The book for
e-readers (EPUB, {megabytes:.1f} MB)</a>: every page, with its still pictures."""
STYLES = ROOT / "tools" / "epub.css"
COLORS = "a11y-high-contrast-light"  # of code
EPOCH = (1980, 1, 1, 0, 0, 0)
# After EPUB 3.3 and EPUB Accessibility 1.1, both of the W3C.
TEMPLATES = Environment(
    loader=FileSystemLoader(ROOT / "tools"),
    undefined=StrictUndefined,
    **{"autoescape": True, "trim_blocks": True, "lstrip_blocks": True},
)
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/book.opf" \
media-type="application/oebps-package+xml"/></rootfiles></container>"""
MEDIA = {"xhtml": "application/xhtml+xml", "svg": "image/svg+xml", "css": "text/css"}


def read(name):
    """Read one of the project's YAML files."""
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def parts_of(toc):
    """List captions with the pages below each: first the one that has none."""
    parts = [(None, [toc["root"]])]
    parts += [(part["caption"], order(part)) for part in toc.get("parts", [])]
    if chapters := order({"chapters": toc.get("chapters", [])}):
        parts.append((None, chapters))
    return parts


def describe(language):
    """Return what the book says of itself."""
    settings, cited = read("_config.yml"), read("CITATION.cff")
    return {
        "title": settings["title"],
        "author": settings["author"],
        "language": language,
        "identifier": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, settings['title'])}",
        "date": str(cited.get("date-released", f"{settings['copyright']}-01-01")),
    }


def files(parts, site=HTML):
    """Return the book's files below EPUB/, text by name; the package comes last.

    Parameters
    ----------
    parts : list of (str or None, list of str)
        Captions, and the pages below each.
    site : Path
        The built site.
    """
    chapters = {
        name: Chapter(name, (site / f"{name}.html").read_text(encoding="utf-8"))
        for _, names in parts
        for name in names
    }
    found = {"book.css": STYLES.read_text(encoding="utf-8") + code_colors()}
    for chapter in chapters.values():
        chapter.lead(chapters)
        found |= {chapter.file: chapter.xhtml(), **chapter.pictures}
    inside = [(caption, [chapters[one] for one in names]) for caption, names in parts]
    about = describe(inside[0][1][0].language)
    body = TEMPLATES.get_template("epub_nav.xhtml").render(parts=inside)
    title = html.escape(about["title"])
    found["nav.xhtml"] = SHELL.format(**{**about, "title": title}, up="", body=body)
    found["book.opf"] = package(about, list(chapters.values()), sorted(found))
    return found


def package(about, chapters, names):
    """Return the package document: all files by name, and the order of the chapters."""
    properties = {one.file: "mathml" for one in chapters if one.article.find("math")}
    properties["nav.xhtml"] = "nav"
    media = (MEDIA[name.rpartition(".")[2]] for name in names)
    listed = [(n, m, properties.get(n)) for n, m in zip(names, media, strict=True)]
    order = ["nav.xhtml", *(one.file for one in chapters)]
    spine = [names.index(name) + 1 for name in order]
    template = TEMPLATES.get_template("epub.opf")
    return template.render(**about, files=listed, spine=spine)


def code_colors():
    """Return the style sheet of highlighted code."""
    return HtmlFormatter(style=COLORS).get_style_defs(".highlight")


def write(target, site=HTML):
    """Write the book there."""
    with zipfile.ZipFile(target, "w") as archive:
        # The first file says what all of it is, and is not packed (OCF 3.3, 4.3).
        archive.writestr(zipfile.ZipInfo("mimetype", EPOCH), "application/epub+zip")
        _add(archive, "META-INF/container.xml", CONTAINER)
        for name, text in files(parts_of(read("_toc.yml")), site).items():
            _add(archive, f"EPUB/{name}", text)


def _add(archive, name, text):
    archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)


def main(named=None):
    """Write it where that is said, or offer it on the site."""
    if named:
        write(file := Path(named))
    else:
        file, _ = offer(Build(), NAME, write, WORDS)
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:2])
