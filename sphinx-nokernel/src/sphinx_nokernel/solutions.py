"""Publish the solutions of exercises, or leave them out of everything published.

A code cell with the tag `solution` is executed and checked like any other, and shown
in a fold. With `nokernel_solutions = False`, no line of it is published: it is taken
out of each source as it is read, so that it reaches neither a page nor the search
index, and out of the sources and notebooks offered for download. Whatever introduces a
solution goes with it: a Markdown cell with the tag `solution` or `solution-intro`, and

    :::{solution-intro}
    Here is one way to write it.
    :::
"""

from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .myst import VERBATIM, directives
from .nodes import fold, fold_title

TAG, INTRO = "solution", "solution-intro"
FOLD = "``````{{admonition}} {title}\n:class: dropdown nk-solution\n\n{text}\n``````"


class SolutionIntro(SphinxDirective):
    """An introduction to a solution: plain text while solutions are published."""

    has_content = True

    def run(self):
        """Return the parsed content."""
        return self.parse_content_to_nodes()


def without_solutions(text, suffix):
    """Return a source file's text without its solutions and what introduces them."""
    if suffix != ".ipynb":
        return _without_blocks(text)
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    notebook.cells = [cell for cell in notebook.cells if not tags(cell) & {TAG, INTRO}]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _without_blocks(cell.source)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT)


def tags(cell):
    """Return the tags of a notebook's cell."""
    return set(cell.metadata.get("tags", []))


def _without_blocks(text):
    """Take out the blocks that hold a solution or introduce one."""
    lines = text.split("\n")
    gone = set(_lines_of_solutions(text))
    return "\n".join(line for i, line in enumerate(lines) if i not in gone)


def _lines_of_solutions(text, above=0):
    """Yield the numbers of the lines of blocks with solutions."""
    for block in directives(text):
        if _is_solution(block):
            yield from range(above + block.first, above + block.last)
        elif block.name not in VERBATIM:
            yield from _lines_of_solutions(block.body, above + block.start)


def _is_solution(block):
    if block.name == "code-cell":
        return TAG in _words(block.options.get("tags", ""))
    return block.name == INTRO


def _words(tags):
    """Return the tags of an option, written in YAML as words or a list."""
    found = yaml.safe_load(tags)
    return found if isinstance(found, list) else str(found).split(",")


def read_source(app, docname, source):
    """Take the solutions out of a source, or fold those written in Markdown cells."""
    suffix = Path(app.env.doc2path(docname)).suffix
    if not app.config.nokernel_solutions:
        source[0] = without_solutions(source[0], suffix)
    elif suffix == ".ipynb" and f'"{TAG}"' in source[0]:
        source[0] = _folded(source[0], app.config.nokernel_solution_title)


def _folded(text, title):
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and TAG in tags(cell):
            cell.source = FOLD.format(title=title, text=cell.source)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT)


def clean_sources(app):
    """Take the solutions out of the sources that pages offer for download."""
    if app.config.nokernel_solutions:
        return
    for path in Path(app.outdir, "_sources").rglob("*.*"):
        kind = path.with_suffix("") if path.suffix == ".txt" else path
        text = path.read_text(encoding="utf-8")
        path.write_text(without_solutions(text, kind.suffix), encoding="utf-8")


# Fold admonitions of the class `dropdown`, and solutions, without a script.
#
#     :::{admonition} Hint
#     :class: dropdown
#     Look at the shapes.
#     :::
#
# The page shows the title; the browser itself opens the rest, even without JavaScript.
# The name of an admonition stays that of its fold, so that an address may lead there.
# With the class `toggle-shown` as well, the fold starts open. The usual alternatives
# need a script (sphinx-togglebutton), or a style sheet of 57 kB on each page with a
# fold (the dropdowns of sphinx-design).

DROPDOWN, SHOWN = "dropdown", "toggle-shown"


def fold_admonitions(app, document):
    """Turn each admonition of the class `dropdown` into a fold."""
    for node in list(document.findall(nodes.admonition)):
        if DROPDOWN in node["classes"]:
            title, *rest = node.children
            classes = [one for one in node["classes"] if one not in (DROPDOWN, SHOWN)]
            made = _fold(node, title.children, rest, ["admonition", *classes])
            made["open"], made["ids"] = SHOWN in node["classes"], node["ids"]


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
