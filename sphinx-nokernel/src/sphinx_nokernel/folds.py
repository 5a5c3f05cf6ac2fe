"""Fold admonitions of the class `dropdown`, and solutions, without a script.

    :::{admonition} Hint
    :class: dropdown
    Look at the shapes.
    :::

The page shows the title; the browser itself opens the rest, even without JavaScript.
With the class `toggle-shown` as well, the fold starts open. The usual alternatives need
a script (sphinx-togglebutton), or a style sheet of 57 kB on each page with a fold (the
dropdowns of sphinx-design).
"""

from docutils import nodes

from .nodes import fold, fold_title
from .solutions import TAG

DROPDOWN, SHOWN = "dropdown", "toggle-shown"


def fold_admonitions(app, document):
    """Turn each admonition of the class `dropdown` into a fold."""
    for node in list(document.findall(nodes.admonition)):
        if DROPDOWN in node["classes"]:
            title, *rest = node.children
            classes = [one for one in node["classes"] if one not in (DROPDOWN, SHOWN)]
            made = _fold(node, title.children, rest, ["admonition", *classes])
            made["open"] = SHOWN in node["classes"]


def fold_solutions(app, document):
    """Put each code cell with the tag `solution` into a fold."""
    for cell in list(document.findall(nodes.container)):
        if f"tag_{TAG}" in cell["classes"]:
            title = nodes.Text(app.config.nokernel_solution_title)
            _fold(cell, [title], [cell], ["nk-solution"])


def _fold(node, title, rest, classes):
    """Replace a node by a fold, and return the fold."""
    parent, index = node.parent, node.parent.index(node)
    made = fold("", fold_title("", "", *title), *rest, classes=classes)
    parent[index] = made
    return made
