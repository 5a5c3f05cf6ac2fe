"""Join the pieces of a printed stream exactly as they arrived.

A kernel sends what a cell prints in pieces, cut wherever it happens to flush.
myst-nb's own `nb_merge_streams` strips each piece and ends it with a line break, so
that a line cut in two becomes two lines, and it edits the executed notebook.
`joined` adds and edits nothing; myst-nb has no hook for it, so it replaces theirs.
Needed by myst-nb 1.4.0, the newest seen: tests/sphinx_nokernel/test_patches.py fails
once it no longer is.
"""

import copy

from myst_nb.core import render


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
