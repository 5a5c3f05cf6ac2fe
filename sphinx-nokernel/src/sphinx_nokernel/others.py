"""Other extensions: what of theirs fails beside this one, mended or left out."""

import copy
import re
from pathlib import Path

from myst_nb.core import render
from sphinx.util import logging
from sphinx.util.matching import get_matching_files

# Other notebook extensions: those that read the notebooks, and myst-nb's streams.
#
# A kernel sends what a cell prints in pieces, cut wherever it happens to flush.
# myst-nb's own `nb_merge_streams` strips each piece and ends it with a line break, so
# that a line cut in two becomes two lines, and it edits the executed notebook.
# `joined` adds and edits nothing; myst-nb has no hook for it, so it replaces theirs.
# Needed by myst-nb 1.4.0, the newest seen: tests/sphinx_nokernel/test_patches.py fails
# once it no longer is.

logger = logging.getLogger(__name__)

READERS = {
    "nbsphinx": "nbsphinx reads the notebooks here",
    "jupyter_sphinx": "jupyter_sphinx runs the cells here",
}


def name_other_readers(app, config):
    """Log what still works where another extension reads the notebooks."""
    for name, words in READERS.items():
        if name in app.extensions:
            logger.info(
                "%s: its cells and widgets are left as they are (only myst-nb's can be "
                "run and mounted); questions and folds work",
                words,
            )


def joined(outputs):
    """Return the outputs with all pieces of a stream in place of its first."""
    kept, streams = [], {}
    for output in outputs or []:
        if output["output_type"] != "stream":
            kept.append(output)
        elif output["name"] in streams:
            streams[output["name"]]["text"] += output["text"]
        else:
            streams[output["name"]] = copy.deepcopy(output)
            kept.append(streams[output["name"]])
    return kept


def join_streams(app, config):
    """Make myst-nb join streams with `joined`."""
    render.coalesce_streams = joined
    config.nb_merge_streams = True


# Keep sphinx-thebe off the pages of a book that loads but does not use it.
#
# sphinx-book-theme and Jupyter Book always load it. It adds a CDN address to every page
# and declares the same constant twice, which is an error. So its two
# listeners are removed, unless the book asks for it by the theme's launch button, by
# `thebe_config`, or by a button on a page. Then everything stays, and the cells are
# thebe's: they get no Run here.
# Needed by sphinx-thebe 0.3.1, the newest seen: tests/sphinx_nokernel/test_patches.py
# fails once it no longer is.

_LISTENERS = {"init_thebe_core", "update_thebe_context"}
BUTTON = re.compile(r"^\s*\.\. thebe-button::|\{thebe-button\}", re.MULTILINE)
TEXTS = ("**.md", "**.rst", "**.txt", "**.ipynb")


def _is_thebe(listener):
    handler = listener.handler
    name = getattr(handler, "__name__", "")
    return handler.__module__ == "sphinx_thebe" and name in _LISTENERS


def uses_thebe(app, config):
    """Say whether a book asks for sphinx-thebe."""
    if "sphinx_thebe" not in app.extensions:
        return False
    launch = (config.html_theme_options or {}).get("launch_buttons") or {}
    asked = bool(launch.get("thebe") or config.thebe_config)
    files = get_matching_files(app.srcdir, TEXTS, config.exclude_patterns)
    return asked or any(_has_button(Path(app.srcdir, name)) for name in files)


def _has_button(path):
    return bool(BUTTON.search(path.read_text(encoding="utf-8", errors="replace")))


def leave_thebe_or_drop_it(app, config):
    """Remove the listeners that add scripts to pages, unless the book needs them."""
    if uses_thebe(app, config):
        config.nokernel_live_code = False
        logger.info("sphinx-thebe is used here: it keeps the cells; they get no Run")
        return
    for name, listeners in app.events.listeners.items():
        app.events.listeners[name] = [one for one in listeners if not _is_thebe(one)]
