"""The directive that shows every declared figure of the book, in the book's order.

    :::{all-figures}
    :::

Each has a section of its own: its question, as its lesson asks it; its first picture
there; the lesson; and the address of its page, in that state. What is not in the book
is not here.
"""

from html import escape

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from ..figures.kit.declared import LIGHT
from ..figures.listed import figure
from .embeds import address
from .figure_places import places, shown

NARROW = 'class="aw-narrow" style="display: none'  # as the picture for phones begins
TOLD = """\
{question}

From [](/{page}) · <a href="{address}">{shown}</a>{heavy}"""


class AllFigures(SphinxDirective):
    """The directive: a section for each figure."""

    def run(self):
        """Return the sections."""
        return [self._section(one) for one in places(self.env).values()]

    def _section(self, place):
        made = figure(place.name)
        title = nodes.title("", made.spec["title"])
        section = nodes.section("", title, ids=[place.name.replace("_", "-")])
        section["names"] = [place.name]
        up = "../" * self.env.docname.count("/")
        shown = address(made, place.state)
        told = TOLD.format(
            **vars(place),
            address=escape(up + shown),
            shown=shown,
            heavy=_heavy(made.heaviest),
        )
        source, line = self.get_source_info()
        self.state.nested_parse(StringList(told.splitlines(), source), line, section)
        section.insert(2, nodes.raw("", picture(made, place.state), format="html"))
        return section


def _heavy(heaviest):
    return f" · {heaviest // 1000} kB at most" if heaviest > LIGHT else ""


def picture(made, state):
    """Return the still picture of a state, the phone's where there is one.

    Its name is short, as words stand beside.
    """
    numbers = made.compute(**state)
    said = made.described(state, numbers)
    name = escape(f"{said['title']}. {said['summary']}", quote=True)
    still = made.drawn(state)
    drawn = still.narrow.replace(NARROW, 'style="display: block', 1) or still.svg
    return f'<figure class="aw-picture" role="img" aria-label="{name}">{drawn}</figure>'


def plain_all_figures(argument, options, body, reader):
    """Return a line for copies of the page, which have no figures."""
    return "The figures stand on the course's site."


def _load_button(app, page, _template, context, _doctree):
    # The first page loads it for those that follow: what leads to them weighs less.
    if page == app.config.root_doc or (
        page in app.env.found_docs and shown(app.env, page)
    ):
        app.add_css_file("embed.css")
        app.add_js_file("embed.js", loading_method="defer")


def setup(app):
    """Register with Sphinx."""
    app.add_directive("all-figures", AllFigures)
    app.connect("html-page-context", _load_button)
