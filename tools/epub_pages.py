"""Chapters of the EPUB: pages of the built site as XHTML that needs no script.

Formulas are MathML and pictures are files with words for them. All folds are open, as
on paper; feedback on questions and the solutions of exercises stand at the end of their
chapter, and links lead there and back.
"""

import html
import posixpath
import re
from functools import cached_property

from bs4 import BeautifulSoup
from epub_article import (
    let_go,
    move_answers,
    name_cells,
    plain,
    plain_colors,
    simplify,
    text_of,
)

PICTURE = re.compile(
    r'<figure class="aw-picture" role="img" aria-label="([^"]*)">'
    r"(<svg.*?</svg>)(?:\s*<svg.*?</svg>)?\s*</figure>",  # the wide one of two
    re.DOTALL,
)
SHELL = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
lang="{language}" xml:lang="{language}">
<head><meta charset="utf-8"/><title>{title}</title>
<link rel="stylesheet" type="text/css" href="{up}book.css"/></head>
<body>{body}</body></html>"""


class Chapter:
    """A page of the site on its way into the EPUB.

    Parameters
    ----------
    name : str
        The page's address on the site, without `.html`.
    page : str
        Its HTML.

    Attributes
    ----------
    pictures : dict of str to str
        SVG by the name of its file, beside the chapter's folder.
    """

    def __init__(self, name, page):
        self.name, self.file, self.pictures = name, f"{name}.xhtml", {}
        self.up = "../" * name.count("/")
        soup = BeautifulSoup(PICTURE.sub(self._picture, page), "html.parser")
        self.language = soup.html["lang"]
        self.article = soup.select_one("article.bd-article > section")
        simplify(self.article)
        name_cells(self.article)
        move_answers(self.article)
        let_go(self.article)
        self.title = text_of(self.article.h1)
        self.sections = [
            (text_of(section.h2), section["id"])
            for section in self.article.find_all("section", recursive=False)
            if section.h2
        ]

    @cached_property
    def ids(self):
        """The places in it that a link can lead to."""
        return {one["id"] for one in self.article.select("[id]")}

    def lead(self, others):
        """Let links lead to chapters, by name, and to their places, or nowhere."""
        for link in self.article.select("a[href]"):
            address = link["href"]
            if ":" in address.partition("#")[0]:
                continue
            path, _, place = address.partition("#")
            target = self._target(path.partition("?")[0])
            if target not in others:
                plain(link)
                continue
            found = place if place in others[target].ids else ""
            link["href"] = self._address(others[target], found)

    def xhtml(self):
        """Return the whole file."""
        text = self.article.decode(formatter="minimal")
        return SHELL.format(
            language=self.language,
            title=html.escape(self.title),
            up=self.up,
            body=text,
        )

    def _target(self, path):
        if not path:
            return self.name
        place = posixpath.join(posixpath.dirname(self.name), path)
        return posixpath.normpath(place).removesuffix(".html")

    def _address(self, other, place):
        end = f"#{place}" if place else ""
        if other is self and place:
            return end
        start = posixpath.dirname(self.name) or "."
        return posixpath.relpath(other.file, start) + end

    def _picture(self, match):
        label, svg = match.groups()
        page = self.name.rpartition("/")[2]
        name = f"pictures/{page}-{len(self.pictures) + 1}.svg"
        self.pictures[name] = (
            plain_colors(svg)
            .replace("<svg ", '<svg color="#1f2328" ', 1)
            .replace(' aria-hidden="true"', "", 1)
        )
        return (
            f'<figure class="aw-picture"><img src="{self.up}{name}" alt="{label}"/>'
            "</figure>"
        )
