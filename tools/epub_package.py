"""The files of an EPUB beside its chapters: what it holds, in which order, for whom.

After EPUB 3.3 and EPUB Accessibility 1.1, both of the W3C.
"""

import html
from dataclasses import dataclass

from epub_pages import SHELL

CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/book.opf" \
media-type="application/oebps-package+xml"/></rootfiles></container>"""
OPF = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" \
unique-identifier="book" xml:lang="{language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="book">{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator>
<dc:language>{language}</dc:language>
<dc:date>{date}</dc:date>
<dc:rights>{rights}</dc:rights>
<meta property="dcterms:modified">{date}T00:00:00Z</meta>
{access}
</metadata>
<manifest>
{manifest}
</manifest>
<spine>
{spine}
</spine>
</package>"""
ACCESS = (
    ("accessMode", "textual"),
    ("accessMode", "visual"),
    ("accessModeSufficient", "textual"),
    ("accessModeSufficient", "textual,visual"),
    ("accessibilityFeature", "alternativeText"),
    ("accessibilityFeature", "displayTransformability"),
    ("accessibilityFeature", "MathML"),
    ("accessibilityFeature", "readingOrder"),
    ("accessibilityFeature", "structuralNavigation"),
    ("accessibilityFeature", "tableOfContents"),
    ("accessibilityHazard", "none"),
    (
        "accessibilitySummary",
        "All pictures are described in words, with their numbers; formulas are MathML; "
        "headings, lists and tables are marked up, and chapters and their sections are "
        "in the table of contents. The figures, which move on the site, stand still. "
        "Checked by programs; no person has tried it with a screen reader.",
    ),
)
MEDIA = {
    "xhtml": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "css": "text/css",
}


@dataclass(frozen=True)
class About:
    """What the book says of itself."""

    title: str
    author: str
    language: str
    identifier: str
    date: str
    rights: str


def package(about, chapters, files):
    """Return the package document.

    Parameters
    ----------
    about : About
    chapters : list of epub_pages.Chapter
        In the order in which they are read.
    files : list of str
        All files of the book but this one, seen from its folder.
    """
    holding = {one.file for one in chapters if one.article.find("math")}
    numbers = {name: f"file-{number}" for number, name in enumerate(files, 1)}
    items = [_item(name, numbers[name], holding) for name in files]
    spine = ["nav.xhtml", *(one.file for one in chapters)]
    access = [f'<meta property="schema:{key}">{words}</meta>' for key, words in ACCESS]
    return OPF.format(
        **{key: html.escape(words) for key, words in vars(about).items()},
        access="\n".join(access),
        manifest="\n".join(items),
        spine="\n".join(f'<itemref idref="{numbers[name]}"/>' for name in spine),
    )


def _item(name, number, holding):
    properties = ' properties="nav"' if name == "nav.xhtml" else ""
    if name in holding:
        properties = ' properties="mathml"'
    media = MEDIA[name.rpartition(".")[2]]
    return f'<item id="{number}" href="{name}" media-type="{media}"{properties}/>'


def navigation(about, parts):
    """Return the table of contents, and the landmarks.

    Parameters
    ----------
    about : About
    parts : list of (str or None, list of epub_pages.Chapter)
        Captions, and the chapters below each; what has none comes first.
    """
    entries = "".join(_part(caption, chapters) for caption, chapters in parts)
    first = parts[0][1][0].file
    body = f"""
<nav epub:type="toc" role="doc-toc" id="toc" aria-labelledby="contents">
<h1 id="contents">Contents</h1><ol>{entries}</ol></nav>
<nav epub:type="landmarks" hidden="" aria-labelledby="landmarks">
<h2 id="landmarks">Landmarks</h2><ol>
<li><a epub:type="toc" href="#toc">Contents</a></li>
<li><a epub:type="bodymatter" href="{first}">Begin reading</a></li></ol></nav>
"""
    title = html.escape(about.title)
    return SHELL.format(language=about.language, title=title, up="", body=body)


def _part(caption, chapters):
    entries = "".join(map(_chapter, chapters))
    if caption is None:
        return entries
    return f"<li><span>{html.escape(caption)}</span><ol>{entries}</ol></li>"


def _chapter(chapter):
    inside = "".join(
        f'<li><a href="{chapter.file}#{place}">{html.escape(title)}</a></li>'
        for title, place in chapter.sections
    )
    title = html.escape(chapter.title)
    below = f"<ol>{inside}</ol>" if inside else ""
    return f'<li><a href="{chapter.file}">{title}</a>{below}</li>'
