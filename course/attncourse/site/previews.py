"""What search engines and messengers show of a page, beyond sphinxext-opengraph's part.

That extension describes each page by its first words and draws a card for it. The line
of facts under a lesson's title (class `aw-meta`) is no description. A page with no
words of its own, such as the search, is described as the course is; the landing page's
title says what this is.
"""

from docutils import nodes

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
        if "aw-meta" in node["classes"] and node.parent:
            node.parent.remove(node)


def setup(app):
    """Connect with Sphinx."""
    app.connect("html-page-context", _describe, priority=400)  # before the extension
