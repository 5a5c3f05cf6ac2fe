"""What happens to a book, in order: the one place that says what comes before what.

Sphinx orders listeners and transforms by priorities. Here each stage is one listener,
and its steps run in the order in which they are listed. A step does one thing and is
described where it is defined.
"""

from dataclasses import dataclass

from sphinx.transforms.post_transforms import SphinxPostTransform

from .bundles import link_bundles, write_bundles
from .folds import fold_admonitions, fold_solutions
from .joined_css import join_styles
from .katex import color_symbols, serve_katex
from .launch import add_launch_buttons, check_repository
from .lighten import (
    defer_scripts,
    drop_unused_assets,
    move_state_to_end,
    trim_site,
)
from .live_code import load_live_code, name_cells
from .pages import (
    load_everywhere,
    load_questions,
    mend_markup,
    name_project,
    serve_static,
)
from .predictions import cover_predictions, list_questions
from .solutions import clean_sources, forget_other_mode, read_source
from .streams import join_streams
from .thebe import drop_thebe
from .wheels import serve_wheels
from .widgets import keep_still_pictures, load_widgets, use_own_mount

# (app, config), once the configuration is read
CONFIG = [
    name_project,
    check_repository,
    use_own_mount,
    join_streams,
    drop_thebe,
    serve_static,
    serve_katex,
]
# (app), before anything is read
START = [forget_other_mode, serve_wheels]
# (app, docname, source), for each file as it is read
SOURCE = [read_source]
# (app, document), for each page that is written as HTML; before myst-nb chooses one
# form of each output (its priority is 4), so that two can be kept
DOCUMENT = [
    name_cells,
    keep_still_pictures,
    fold_admonitions,
    fold_solutions,
    color_symbols,
    cover_predictions,  # after all that moves nodes in or out
]
# the same for every other builder
DOCUMENT_ELSEWHERE = [list_questions]
# (app, page), for each page: scripts run in the order in which they are added
PAGE = [
    load_everywhere,
    load_questions,  # covers predictions before the figures in them are mounted
    load_widgets,
    load_live_code,
    add_launch_buttons,
    link_bundles,
    mend_markup,
    move_state_to_end,
    drop_unused_assets,
    defer_scripts,
]
# (app), once all pages are written
FINISH = [
    clean_sources,
    trim_site,
    join_styles,  # after trimming: what is joined is what is left
    write_bundles,  # last: it packs what the others left
]


@dataclass
class Page:
    """A page that is about to be written."""

    name: str
    context: dict
    doctree: object  # None for pages that no source stands for

    @property
    def body(self):
        """The HTML of its text."""
        return self.context.get("body") or ""

    def data(self):
        """List the scripts that hold data, such as the saved state of widgets."""
        return [one for one in self.context["script_files"] if is_data(one)]


def is_data(script):
    """Say whether a script holds data, and no code."""
    return "json" in (script.attributes.get("type") or "")


class TransformPages(SphinxPostTransform):
    """Run the steps on the tree of one page."""

    default_priority = 2

    def run(self, **_):
        """Run the steps for this builder."""
        html = self.app.builder.format == "html"
        for step in DOCUMENT if html else DOCUMENT_ELSEWHERE:
            step(self.app, self.document)


def _run_all(steps):
    def listener(*arguments):
        for step in steps:
            step(*arguments)

    return listener


def _page(app, name, _template, context, doctree):
    page = Page(name, context, doctree)
    for step in PAGE:
        step(app, page)


def _finish(app, error):
    if error is None and app.builder.format == "html":
        _run_all(FINISH)(app)


def connect(app):
    """Connect each stage with Sphinx's event for it."""
    app.connect("config-inited", _run_all(CONFIG), priority=400)
    app.connect("builder-inited", _run_all(START))
    app.connect("source-read", _run_all(SOURCE))
    app.add_post_transform(TransformPages)
    app.connect("html-page-context", _page, priority=950)  # after the theme's own
    app.connect("build-finished", _finish, priority=950)  # after all that write files
