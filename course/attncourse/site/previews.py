"""Previews of a page in search engines and messengers, beyond sphinxext-opengraph's.

That extension describes each page by its first words and draws a card for it. The line
of facts under a lesson's title (class `aw-meta`) is no description, nor are the links
that one begins with (`aw-begin`), nor is a table, nor the title of one; a formula is
described in words, not in TeX. A page with no words of its own, such as the search, is
described as the course is; the landing page's title says what this is.
"""

from docutils import nodes

from .plain_text import plain_text

COURSE = (
    "A course on self-attention to run, drag and check: every number computed on the "
    "page, every slider alive, nothing to install."
)


def _describe(app, pagename, _template, context, doctree):
    if pagename == app.config.root_doc:
        context["page_title"] = f"{app.config.project}: a course on self-attention"
    if doctree is None:
        tag = f'<meta name="description" content="{COURSE}" />\n'
        context["metatags"] = (context.get("metatags") or "") + tag
        return
    for node in list(doctree.findall(nodes.Element)):  # the page is rendered already
        aside = {"aw-meta", "aw-begin"} & {*node["classes"]}
        unsaid = isinstance(node, nodes.table) or aside
        if unsaid and node.parent:
            node.parent.remove(node)
    for section in list(doctree.findall(nodes.section)):
        if len(section) == 1:  # of which the title is left
            section.parent.remove(section)
    _say_formulas(doctree)


def _say_formulas(doctree):
    """Make one text of each paragraph: pieces lose the spaces between them."""
    for block in list(doctree.findall(nodes.math_block)):
        parent, place = block.parent, block.parent.index(block)
        before = parent[place - 1] if place else None
        if isinstance(before, nodes.paragraph):
            before += [nodes.Text(" "), nodes.math("", block.astext())]
            parent.remove(block)
    for paragraph in list(doctree.findall(nodes.paragraph)):
        words = plain_text(paragraph)
        paragraph.clear()
        paragraph += nodes.Text(words)


def setup(app):
    """Connect with Sphinx."""
    app.connect("html-page-context", _describe, priority=400)  # before the extension
