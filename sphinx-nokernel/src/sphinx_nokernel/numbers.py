"""Numbers of the text that stand in a figure: pointed at, they light up there.

    The weight is {number}`0.95 <at=A.4.0>`.

What stands in angle brackets is for the figure, which listens to the event nk:number of
its document (see `static/nokernel/numbers.js`). Where no figure of the page knows the
place, where scripts do not run and in other formats, the number is plain text.
"""

from docutils import nodes
from sphinx.util.docutils import ReferenceRole

CLASS = "nk-number"


class pointed_number(nodes.inline):
    """A number with its place in a figure. Attribute: place."""


class NumberRole(ReferenceRole):
    """The role."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number, with its place."""
        return [pointed_number("", self.title, place=self.target)], []


def _visit(self, node):
    attributes = {"class": CLASS, "data-place": node["place"]}
    self.body.append(self.starttag(node, "span", "", **attributes))


def _depart(self, node):
    self.body.append("</span>")


def load_numbers(app, page):
    """Add the script to pages that have such numbers."""
    if f'class="{CLASS}"' in page.body:
        app.add_js_file("nokernel/numbers.js", loading_method="defer")


def add_numbers(app):
    """Register the role and its node with Sphinx."""
    app.add_node(pointed_number, html=(_visit, _depart))
    app.add_role("number", NumberRole())
