"""Link terms and symbols to the glossary where a lesson first uses them.

In each lesson the first `d_k`, the first "padding mask" and so on become links, which
show the shape or the first sentence of the definition on hover and on focus. Left as
they are: headings, tables, questions, links, code cells.

The glossary is the page `attncourse_glossary`; lessons are the pages whose names match
`attncourse_lessons`.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_nokernel.nodes import question

from .plain_text import first_sentences, plain_text

# Everyday words that mean something else at least as often as the term.
EVERYDAY = {"batch", "bias", "context", "head", "scale", "score", "shape", "value"}
TIP = 140  # characters
TOLD = {"Shape": "Shape", "What it counts": "Counts"}  # a column, and how a tip begins
WHERE = re.compile(r" Lesson \d+\.$")  # the glossary's pointer back to a lesson
CLOSED = (
    nodes.reference,
    nodes.pending,
    nodes.table,
    nodes.title,
    nodes.literal_block,
    question,
)


class term_link(nodes.Inline, nodes.TextElement):
    """A link to the glossary. Attributes: refuri, tip."""


def read_terms(glossary):
    """Return {term: (id, tip)} of a glossary's definition lists."""
    found = {}
    for item in glossary.findall(nodes.definition_list_item):
        if not isinstance(item.parent.parent, addnodes.glossary):
            continue
        tip = first_sentences(plain_text(item.next_node(nodes.paragraph)), TIP)
        tip = WHERE.sub("", tip)
        for term in item.findall(nodes.term):
            found[plain_text(term)] = (term["ids"][0], tip)
    return found


def read_symbols(glossary):
    """Return {name: (id, tip)} of the tables of symbols, and give their rows ids."""
    found = {}
    for table in glossary.findall(nodes.tgroup):
        rows = [list(row.children) for row in table.findall(nodes.row)]
        heads = [plain_text(cell) for cell in rows[0]]
        told = set(TOLD).intersection(heads)
        if heads[0] != "Here" or not told:
            continue
        column = heads.index(told.pop())
        for cells in rows[1:]:
            names = [plain_text(one) for one in cells[0].findall(nodes.literal)]
            if names:
                id_ = f"symbol-{names[0]}"
                cells[0].parent["ids"] = [id_]
                tip = f"{TOLD[heads[column]]} {plain_text(cells[column])}"
                found |= dict.fromkeys(names, (id_, tip))
    return found


def is_lesson(config, docname):
    """Say whether a page is a lesson."""
    return re.match(config.attncourse_lessons, docname)


class LinkTerms(SphinxPostTransform):
    """Link the first uses in a lesson; in the glossary, give the rows their ids."""

    default_priority = 700  # after references are resolved
    formats = ("html",)

    def run(self, **_):
        """Rewrite one page."""
        name = self.config.attncourse_glossary
        if self.env.docname == name:
            read_symbols(self.document)
        elif name in self.env.found_docs and is_lesson(self.config, self.env.docname):
            glossary = self.env.get_doctree(name)
            self.page = self.app.builder.get_relative_uri(self.env.docname, name)
            self.symbols = read_symbols(glossary)
            terms = read_terms(glossary)
            self.terms = {
                name.lower(): told
                for name, told in terms.items()
                if name.lower() not in EVERYDAY
            }
            self._link_all()

    def _link_all(self):
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if _is_open(paragraph):
                for node in list(paragraph.children):
                    self._visit(node)

    def _visit(self, node):
        if isinstance(node, nodes.Text):
            self._link_text(node)
        elif isinstance(node, nodes.literal):
            self._link_symbol(node)
        elif isinstance(node, (nodes.emphasis, nodes.strong)):
            for child in list(node.children):
                self._visit(child)

    def _link_symbol(self, node):
        if told := self.symbols.pop(node.astext(), None):
            node.replace_self(self._link(node.deepcopy(), told))

    def _link_text(self, node):
        parts, rest = [], node.astext()
        while self.terms and (match := self._pattern().search(rest)):
            parts += [nodes.Text(rest[: match.start()])]
            told = self.terms.pop(match[1].lower())
            parts += [self._link(nodes.Text(match[0]), told)]
            rest = rest[match.end() :]
        if parts:
            node.parent.replace(node, [*parts, nodes.Text(rest)])

    def _pattern(self):
        names = "|".join(
            re.escape(n) for n in sorted(self.terms, key=len, reverse=True)
        )
        starts = r"(?<![\w-])(?<!arrow )"  # "arrow keys" are on the keyboard
        return re.compile(rf"{starts}({names})(?:e?s)?(?![\w-])", re.IGNORECASE)

    def _link(self, inside, told):
        return term_link("", "", inside, refuri=f"{self.page}#{told[0]}", tip=told[1])


def _is_open(paragraph):
    """Say whether links may be put into this paragraph."""
    node = paragraph
    while node := node.parent:
        if isinstance(node, CLOSED) or "aw-meta" in node.get("classes", []):
            return False
    return True


def _open(self, node):
    tip = self.attval(node["tip"])
    self.body.append(f'<a class="aw-term" href="{node["refuri"]}" data-tip="{tip}">')


def _close(self, _):
    self.body.append("</a>")


def _plain(self, _):
    """Leave the word as it is: copies in Markdown have no tips."""


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("attncourse_glossary", "book/glossary", "env", [str])
    app.add_config_value("attncourse_lessons", r"book/\d\d_", "env", [str])
    app.add_node(term_link, html=(_open, _close), llm_markdown=(_plain, _plain))
    app.add_post_transform(LinkTerms)
