"""Pages as Markdown, for programs: how sphinx-llm-friendly writes our nodes.

That extension writes a Markdown copy of each page beside it, from the same tree. A
question becomes a list of its choices, each with its feedback; covered and folded parts
are written in full; raw HTML is reduced to its words, and a picture to its description.
"""

import re

from bs4 import BeautifulSoup
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

from .nodes import (
    challenge,
    covered,
    fold,
    fold_title,
    hidden_cell,
    plain_question,
    question,
    revealed,
)

COLORED = re.compile(r"\{\\htmlClass\{[^{}]*\}\{([^{}]*)\}\}")
UNREAD = "script, style, nav, template"


def plain_latex(latex):
    """Return a formula without the classes that color its letters."""
    return COLORED.sub(r"\1", latex)


def words_of(html):
    """Return the words of HTML, with the descriptions of its pictures."""
    soup = BeautifulSoup(html, "html.parser")
    for node in soup.select(UNREAD):
        node.decompose()
    for picture in soup.select("figure, svg, img"):
        said = picture.get("aria-label") or picture.get("alt")
        if picture.find_parent(["figure", "svg"]) is None:
            picture.replace_with(f"\n[Picture: {said}]\n" if said else "")
    return "\n".join(filter(None, map(str.strip, soup.get_text().splitlines())))


def _write(self, made):
    for node in made:
        node.walkabout(self)
    raise nodes.SkipNode


def _visit_question(self, node):
    _write(self, plain_question(node))


def _visit_challenge(self, node):
    _write(self, [nodes.paragraph("", "", nodes.strong("", node["words"]))])


def _visit_title(self, node):
    _write(self, [nodes.paragraph("", "", nodes.strong("", "", *node.children))])


def _visit_citation(self, node):
    label, first, *rest = node.children
    name = nodes.strong("", f"[{label.astext()}]")
    _write(
        self, [nodes.paragraph("", "", name, nodes.Text(" "), *first.children), *rest]
    )


def _visit_raw(self, node):
    inline = isinstance(node.parent, nodes.TextElement)
    said = words_of(node.astext()) if "html" in node["format"].split() else ""
    if said:
        self.add(said, 0 if inline else 2)
    raise nodes.SkipNode


def _visit_math(self, node):
    self.add(f"${plain_latex(node.astext())}$")
    raise nodes.SkipNode


def _visit_math_block(self, node):
    self.add(f"$$\n{plain_latex(node.astext()).strip()}\n$$", 2, 2)
    raise nodes.SkipNode


def _pass(self, node):
    """Do nothing, so that the children are written."""


def _skip(self, node):
    raise nodes.SkipNode


VISITORS = {
    question: _visit_question,
    challenge: _visit_challenge,
    fold_title: _visit_title,
    nodes.citation: _visit_citation,
    nodes.raw: _visit_raw,
    nodes.math: _visit_math,
    nodes.math_block: _visit_math_block,
    **dict.fromkeys((covered, fold, HideCodeCellNode), _pass),
    **dict.fromkeys((hidden_cell, revealed), _skip),
}


def add_markdown(app):
    """Tell sphinx-llm-friendly, where a book has it, how to write these nodes."""
    for node, visit in VISITORS.items():
        app.registry.add_translation_handlers(node, llm_markdown=(visit, _pass))
