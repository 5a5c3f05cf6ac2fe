"""Fold admonitions of the class `dropdown` without a script.

    :::{admonition} Hint
    :class: dropdown
    Look at the shapes.
    :::

The page shows the title; the browser itself opens the rest, also without JavaScript.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class fold(nodes.General, nodes.Element):
    """What a reader opens: its first child is the title, which is always seen."""


class fold_title(nodes.General, nodes.TextElement):
    """The title of a fold."""


class FoldAdmonitions(SphinxPostTransform):
    """Make a fold of each admonition that asks for it."""

    default_priority = 5
    formats = ("html",)

    def run(self, **_):
        """Rewrite the admonitions of one page."""
        for node in list(self.document.findall(nodes.admonition)):
            if "dropdown" in node["classes"]:
                title, *rest = node.children
                node["classes"].remove("dropdown")  # the others are handed on
                opened = fold("", fold_title("", "", *title.children), *rest)
                opened["classes"] = ["admonition"]
                node.replace_self(opened)


def _open(self, node):
    self.body.append(self.starttag(node, "details"))


def _close(self, _):
    self.body.append("</details>\n")


def _open_title(self, _):
    self.body.append('<summary class="admonition-title">')


def _close_title(self, _):
    self.body.append("</summary>\n")


def setup(app):
    """Register with Sphinx."""
    app.add_node(fold, html=(_open, _close))
    app.add_node(fold_title, html=(_open_title, _close_title))
    app.add_post_transform(FoldAdmonitions)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
