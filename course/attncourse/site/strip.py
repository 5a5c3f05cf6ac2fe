"""The strip X → Q K V → scores → … at the top of each lesson: you are here.

`attncourse_stages` lists the stages of attention in order, each with the lesson that it
leads to; `attncourse_strip` says at which stage (or stages) each lesson is. The strip
stands below a lesson's title by itself. Each stage carries its matrices in miniature,
and leads to the page `attncourse_machine`, to the lesson's own stage of the machine;
in a book without that page, to the stage's lesson. The landing page has

    :::{strip}
    :::

the same strip with the titles of the lessons at each stage.
"""

import re
from functools import cache
from html import escape

import numpy as np
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from attncourse.figures.machine.inputs import LESSONS, given
from attncourse.figures.machine.tables import PARTS, tables

from .left_out import is_left_out

# The matrices of the strip in miniature, with the machine's own numbers.
#
# Each stage of `attncourse_stages` whose name is in `SHOWN` gets a small drawing.

CELL = 3.5  # pixels
SHOWN = {  # of each stage: lesson of the machine, head or layer, matrix
    "X": [(2, 0, "X")],
    "Q K V": [(2, 0, "Q"), (2, 0, "K"), (2, 0, "V")],
    "scores": [(3, 0, "S")],
    "weights": [(4, 0, "A")],
    "output": [(5, 0, "O")],
    "heads": [(6, 0, "A"), (6, 1, "A")],
    "encoder": [(8, 0, "N"), (8, 1, "N")],
}


@cache
def miniature(stage):
    """Return the drawing of a stage as SVG; without one, the empty text."""
    left, height, inside = 0.0, 0.0, []
    for lesson, block, base in SHOWN.get(stage, ()):
        _, table = tables(given(lesson), 0)[block]
        inside.append(_matrix(table[base], PARTS[base].role, left))
        left += table[base].shape[1] * CELL + 2
        height = len(table[base]) * CELL
    if not inside:
        return ""
    width = left - 2
    box = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg aria-hidden="true" {box}>{"".join(inside)}</svg>'


def _matrix(table, role, left):
    """Return a faint ground, and the cells that are not 0: the larger, the stronger."""
    rows, columns = table.shape
    shares = (np.abs(table) / max(1, np.abs(table).max())).round(1)
    ground = _cell(left, 0, columns * CELL, rows * CELL)
    paths = [f'<path opacity=".13" d="{ground}"/>']
    for share in np.unique(shares[shares > 0]):
        places = np.argwhere(shares == share)
        path = "".join(_cell(left + j * CELL, i * CELL) for i, j in places)
        paths.append(f'<path opacity="{share:g}" d="{path}"/>')
    return f'<g class="aw-mini-{role}">{"".join(paths)}</g>'


def _cell(x, y, width=CELL - 0.5, height=CELL - 0.5):
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


COLORED = {"Q": "aw-query", "K": "aw-key", "V": "aw-value"}


class strip(nodes.General, nodes.Element):
    """Where a strip with titles stands."""


class Strip(SphinxDirective):
    """The directive: the strip with titles."""

    def run(self):
        """Return the place."""
        return [strip()]


class WriteStrips(SphinxPostTransform):
    """Put the strip below each lesson's title, and where the directive asks for it."""

    default_priority = 710  # after terms: its words are no first uses

    def run(self, **_):
        """Rewrite one page."""
        html = self.app.builder.format == "html"
        for node in list(self.document.findall(strip)):
            node.replace_self([_raw(self._path())] if html else [])
        here = self.config.attncourse_strip.get(self.env.docname)
        title = self.document.next_node(nodes.title)
        if html and here and title:
            at = title.parent.index(title) + 1
            title.parent.insert(at, _raw(self._strip(_list(here))))

    def _strip(self, here):
        items = "".join(self._item(stage, here) for stage in self._stages())
        return f'<nav class="aw-strip" aria-label="You are here"><ol>{items}</ol></nav>'

    def _item(self, stage, here):
        name = stage["name"]
        inside = miniature(name) + f"<span>{_letters(name)}</span>"
        current = ' aria-current="step"' if name in here else ""
        address = self._where(stage, name in here)
        if not address:
            return f"<li><span{current}>{inside}</span></li>"
        return f'<li><a href="{address}"{current}>{inside}</a></li>'

    def _where(self, stage, here):
        """Return where a stage leads: into the machine, or else to its lesson."""
        machine = self.config.attncourse_machine
        if machine in self.env.found_docs:
            own = _number(self.env.docname) if here else 0
            lesson = own if own in LESSONS else _number(stage["lesson"])
            at = "&amp;at=X.4.4" if stage["name"] == "X" else ""
            address = self._address(machine)
            return f"{address}?stage={max(lesson, LESSONS.start)}{at}"
        if is_left_out(self.env, stage["lesson"]):
            return None
        return self._address(stage["lesson"])

    def _path(self):
        items = "".join(self._step(stage) for stage in self._stages())
        return f'<ol class="aw-strip aw-path">{items}</ol>'

    def _step(self, stage):
        lessons = [
            f'<a href="{self._address(page)}">{escape(self._title(page))}</a>'
            for page, at in self.config.attncourse_strip.items()
            if _list(at)[0] == stage["name"] and not is_left_out(self.env, page)
        ]
        words = f"<span>{_letters(stage['name'])}</span>"
        return f"<li>{words}{''.join(lessons)}</li>"

    def _title(self, page):
        if page not in self.env.titles:
            raise ExtensionError(f"attncourse_strip: there is no page {page!r}")
        return self.env.titles[page].astext()

    def _address(self, page):
        return self.app.builder.get_relative_uri(self.env.docname, page) or "#"

    def _stages(self):
        return self.config.attncourse_stages


def _raw(text):
    return nodes.raw("", text, format="html")


def _list(one_or_more):
    return one_or_more if isinstance(one_or_more, list) else [one_or_more]


def _number(page):
    """Return the number of a lesson, or 0."""
    found = re.search(r"(\d+)_", page)
    return int(found[1]) if found else 0


def _letters(name):
    """Return a stage's name, with Q, K and V in their colors."""
    return " ".join(
        f'<span class="{COLORED[word]}">{word}</span>' if word in COLORED else word
        for word in escape(name).split()
    )


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("attncourse_stages", [], "env", [list])
    app.add_config_value("attncourse_strip", {}, "env", [dict])
    app.add_config_value("attncourse_machine", "", "env", [str])
    app.add_directive("strip", Strip)
    app.add_node(strip)
    app.add_post_transform(WriteStrips)
