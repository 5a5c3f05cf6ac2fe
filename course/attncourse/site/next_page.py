"""The button *Next* leads where a page's own text does.

The table of contents has the pages beside a lesson right after it. A lesson that ends
with **Next:** and a link says which page a learner should read, and the button below
then leads there, too.
"""

from urllib.parse import urljoin

from docutils import nodes

MARK = "Next:"


def told(doctree):
    """Return where the first link after **Next:** leads, or nothing."""
    for mark in doctree.findall(nodes.strong):
        if mark.astext() == MARK:
            behind = mark.parent[mark.parent.index(mark) :]
            links = (link for node in behind for link in node.findall(nodes.reference))
            return next((link["refuri"] for link in links if "refuri" in link), "")
    return ""


def _lead(app, pagename, _template, context, doctree):
    uri = told(doctree) if doctree else ""
    here = app.builder.get_target_uri(pagename)
    at = {app.builder.get_target_uri(name): name for name in app.env.titles}
    page = at.get(urljoin(here, uri)) if uri else None
    if page and context.get("next"):
        title = app.builder.render_partial(app.env.titles[page])["title"]
        context["next"] = {"link": uri, "title": title}


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _lead, priority=350)  # before previews.py cuts
