"""The browser's memory of a course: what is solved, answered, read and missed.

It is kept in `sphinx_nokernel`'s memory on the device, beside the edited cells.
Cells that ask for an answer get the class `aw-task`; `remember.js` counts them below
the heading *Practice*, keeps the answers, and saves them in the format that
`attncourse.teach` reads. What is told of it stands in a panel, `remember-panel.js`,
which is fetched when it is opened. On the landing page `come-back.js` says where one
was, and asks once more what was missed (see `once_more`).
"""

import json
import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

import attncourse
import attnlib
from attncourse.teach.handed_in import FORMAT, LONGEST, MOST, VERSION
from attncourse.teach.notebooks import SHOWN
from sphinx_nokernel.live_code import has_cells
from sphinx_nokernel.pages import Page

TASK = "aw-task"
SCRIPT = "remember.js"  # of the pages that note where one was, and what one missed
ASKS = re.compile(r"^(?:\w+ = )?(check|catch|estimate|order|predict|which)\(", re.M)
CHECKED = re.compile(r"^(?:\w+ = )?check\([^,]*, (\w+)", re.M)


class MarkTasks(SphinxPostTransform):
    """Mark the cells of a lesson that ask for an answer."""

    default_priority = 3  # while cells are still cells

    def run(self, **_: Any) -> None:
        """Mark them on one page."""
        if self.env.docname not in self.config.attncourse_strip:
            return
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code" and _asks(cell):
                cell["classes"].append(TASK)


def _asks(cell: nodes.Element) -> bool:
    """Say whether a cell is the reader's to solve, and not ours to show a verdict."""
    text = "\n".join(one.astext() for one in cell.findall(nodes.literal_block))
    shown = CHECKED.search(text)
    is_ours = "tag_solution" in cell["classes"] or (shown and SHOWN.match(shown[1]))
    return bool(ASKS.search(text)) and not is_ours


def _file() -> str:
    """Return what the saved file says beside the answers, and what it may hold."""
    versions = {"attnlib": attnlib.__version__, "attncourse": attncourse.__version__}
    head = {"format": FORMAT, "version": VERSION, "versions": versions}
    return json.dumps({"head": head, "longest": LONGEST, "most": MOST})


def add_scripts(
    app: Any, page: str, _template: str, context: dict[str, Any], tree: Any
) -> None:
    """Load the scripts on pages that run, and on the one that the book begins with."""
    if page == app.config.root_doc:
        script = "come-back.js"
    elif has_cells(Page(page, context, tree)):
        script = SCRIPT
    else:
        return
    app.add_css_file("remember.css")
    options = {"data-file": _file()}
    app.add_js_file("kept.js", loading_method="defer", **options)
    app.add_js_file(script, loading_method="defer")


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.add_post_transform(MarkTasks)
    app.connect("html-page-context", add_scripts)
