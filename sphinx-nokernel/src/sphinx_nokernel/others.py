"""Other notebook extensions: those that read the notebooks, and myst-nb's streams.

A kernel sends what a cell prints in pieces, cut wherever it happens to flush.
myst-nb's own `nb_merge_streams` strips each piece and ends it with a line break, so
that a line cut in two becomes two lines, and it edits the executed notebook.
`joined` adds and edits nothing; myst-nb has no hook for it, so it replaces theirs.
Needed by myst-nb 1.4.0, the newest seen: tests/sphinx_nokernel/test_patches.py fails
once it no longer is.
"""

import copy

from myst_nb.core import render
from sphinx.util import logging

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
