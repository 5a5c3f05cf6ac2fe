"""The steps of a build: the only place that defines their order.

Sphinx orders listeners and transforms by priority. Here each stage is one listener,
whose steps run in the order listed. A step does one thing, described where it is
defined.
"""

from sphinx.transforms.post_transforms import SphinxPostTransform

from .bundles import link_bundles, write_bundles
from .data_files import serve_files
from .installable import link_keeping, load_keeping, write_installable
from .katex import bare_mathml, color_symbols, serve_katex
from .launch import add_launch_buttons, check_repository
from .lighten import (
    defer_scripts,
    drop_unused_assets,
    move_state_to_end,
    trim_site,
)
from .lines import hang_lines
from .live_code import load_hidden_code, load_live_code, load_memory, mark_hidden_code
from .numbers import load_numbers
from .others import join_streams, leave_thebe_or_drop_it, name_other_readers
from .pages import (
    Page,
    forget_other_mode,
    is_site,
    load_everywhere,
    load_questions,
    mend_markup,
    name_project,
    note_published,
    serve_static,
    title_first_page,
)
from .predictions import cover_predictions, list_questions
from .read_cells import check_choices, read_cells
from .solutions import clean_sources, fold_admonitions, fold_solutions, read_source
from .styles import join_styles
from .wheels import serve_wheels
from .widgets import (
    choose_mount,
    keep_still_pictures,
    leave_views_out,
    load_widgets,
)

# (app, config), once the configuration is read
CONFIG = [
    check_choices,
    name_project,
    check_repository,
    join_streams,
    leave_thebe_or_drop_it,
    name_other_readers,
    serve_static,
    serve_katex,
]
# (app), before anything is read
START = [forget_other_mode, serve_wheels]
# (app, docname, source), for each file as it is read
SOURCE = [read_source, title_first_page]
# (app, document), for each page as soon as it is read
READ = [read_cells]
# (app, document), for each page that is written as HTML, before myst-nb (priority 4)
# chooses one form of each output, so that two can be kept
DOCUMENT = [
    choose_mount,
    keep_still_pictures,
    fold_admonitions,
    fold_solutions,
    mark_hidden_code,
    color_symbols,
    cover_predictions,  # after every step that moves nodes
]
# the same for an e-book, and for every other builder: none of them runs scripts
DOCUMENT_BOOK = [
    leave_views_out,
    fold_admonitions,
    fold_solutions,
    color_symbols,
    list_questions,
]
DOCUMENT_ELSEWHERE = [list_questions]
# (app, page), for each page of a site: scripts run in the order in which they are added
PAGE = [
    load_everywhere,
    load_keeping,
    load_memory,
    load_questions,  # covers predictions before the figures in them are mounted
    load_widgets,
    load_live_code,
    load_hidden_code,
    load_numbers,
    add_launch_buttons,
    link_bundles,
    link_keeping,
    mend_markup,
    hang_lines,
    bare_mathml,
    move_state_to_end,
    drop_unused_assets,
    defer_scripts,
]
# the same for an e-book
PAGE_BOOK = [mend_markup]
# (app), once all pages are written
FINISH = [
    clean_sources,
    serve_files,
    trim_site,
    join_styles,  # after trimming, to join what is left
    write_bundles,  # packs the result of the steps above
    note_published,
    write_installable,  # records the digests of all files
]


class TransformPages(SphinxPostTransform):
    """Run the steps on the tree of one page."""

    default_priority = 2

    def run(self, **_):
        """Run the steps for this builder."""
        builder = self.app.builder
        html = DOCUMENT if is_site(builder) else DOCUMENT_BOOK
        for step in html if builder.format == "html" else DOCUMENT_ELSEWHERE:
            step(self.app, self.document)


def _run_all(steps):
    def listener(*arguments):
        for step in steps:
            step(*arguments)

    return listener


def _page(app, name, _template, context, doctree):
    page = Page(name, context, doctree)
    for step in PAGE if is_site(app.builder) else PAGE_BOOK:
        step(app, page)


def _finish(app, error):
    if error is None and is_site(app.builder):
        _run_all(FINISH)(app)


def connect(app):
    """Connect each stage to its Sphinx event."""
    app.connect("config-inited", _run_all(CONFIG), priority=400)
    app.connect("builder-inited", _run_all(START))
    app.connect("source-read", _run_all(SOURCE))
    app.connect("doctree-read", _run_all(READ))
    app.add_post_transform(TransformPages)
    app.connect("html-page-context", _page, priority=950)  # after the theme's own
    app.connect("build-finished", _finish, priority=950)  # after all that write files
