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
from pdf import asked, clean, tell, tex_of, words_of

# A page of the site, made into what a page of a book can show.

# What leads somewhere else on the site, or does something there.
LEFT_OUT = ".aw-strip, .aw-claims-filter, .copybtn, template, [popover]"
ANSWERS = "Answers and solutions"
MANY_COLUMNS = 4
# Of the light theme, for readers that know no CSS variables.
LIGHT = {
    "query": "#0067a8",
    "key": "#b34a00",
    "value": "#00735a",
    "weights": "#7b3aa0",
    "muted": "#5f6773",
}
VARIABLE = re.compile(
    r"var\(--(?:aw-)?([a-z-]+)(?:,\s*([^()]*(?:\([^()]*\))?[^()]*))?\)"
)


def simplify(article):
    """Leave what a page in a book can show."""
    for one in article.select(LEFT_OUT):
        one.decompose()
    clean(article)
    for link in article.select("a.headerlink"):
        link.decompose()
    for formula in article.select(".katex"):
        math = formula.math.extract()
        math["alttext"] = tex_of(formula)
        formula.replace_with(math)


def let_go(article):
    """Let what folds, moves or is pressed on the site be words."""
    for fold in article.select("details"):
        fold.name = "div"
        del fold["open"]
    for title in article.select("summary"):
        title.name = "div"
    for one in article.select("form"):
        one.decompose()
    for one in article.select("button, label, a:not([href])"):
        plain(one)
    for one in article.select("p:has(> ul, > ol)"):  # which Sphinx writes
        one.name = "div"
    for one in article.select("[style]"):
        one["style"] = plain_colors(one["style"])


def name_cells(article):
    """Let each cell of a wide table of words know its column: a phone stacks them."""
    for table in article.select("table:not([class^=attnlib])"):
        names = [text_of(one) for one in table.select("thead th, thead td")]
        if len(names) < MANY_COLUMNS:
            continue
        table["class"] = [*table.get("class", []), "stacked"]
        for row in table.select("tbody tr"):
            cells = row.find_all(["th", "td"], recursive=False)
            for name, cell in zip(names, cells, strict=True):
                cell["data-label"] = f"{name}: " if name else ""


def move_answers(article):
    """Put answers at the end, and links in their places."""
    parts = []
    for number, one in enumerate(asked(article), 1):
        there, back = f"answer-{number}", f"asked-{number}"
        name = "Answer" if one.name == "fieldset" else "Solution"
        link = f'<p class="to-answer" id="{back}"><a href="#{there}">{name}</a></p>'
        one.insert_after(BeautifulSoup(link, "html.parser"))
        back = f'<p><a href="#{back}">Back to the question</a></p>'
        parts.append(f'<section id="{there}">{tell(one)}{back}</section>')
    if parts:
        words = f"<h2>{ANSWERS}</h2>{''.join(parts)}"
        last = f'<section id="answers-and-solutions">{words}</section>'
        article.append(BeautifulSoup(last, "html.parser"))


def plain(one):
    """Let what can be pressed on the site be words."""
    one.name = "span"
    one.attrs = {key: one[key] for key in ("class", "id") if key in one.attrs}


def text_of(heading):
    """Return a heading's words, formulas as they are spoken of."""
    words = BeautifulSoup(words_of(heading), "html.parser")
    for source in words.select(".nk-tex"):
        source.decompose()
    return " ".join(words.text.split())


def plain_colors(style):
    """Write the light theme's value in place of each CSS variable that has one."""
    return VARIABLE.sub(lambda one: LIGHT.get(one[1]) or one[2] or one[0], style)


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
