"""The real model's weights for the page, written into the site as `_static/minilm`.

They are made from the package in requirements-model.txt, or from the folder that the
variable ATTNLIB_MINILM names. Without either the book is built all the same: the build
says so in a line, and the page shows the sentences that it has stored. A book of which
no page runs the model goes without its 32 MB.
"""

from pathlib import Path

from sphinx.util import logging

from ..real_model.page.pack import pack

FOLDER = "minilm"
USERS = ("load_minilm", "own_sentence")  # one of them stands on each page that runs it
logger = logging.getLogger(__name__)


def _write(app, error):
    """Write the pieces, or a manifest that says that there are none."""
    if error is not None or app.builder.name != "html" or not _runs(app.env):
        return
    try:
        manifest = pack(Path(app.outdir, "_static", FOLDER))
    except FileNotFoundError:
        logger.info(
            "The model's weights are not installed: this site shows stored sentences "
            "only. `make book` with a network installs them (84 MB)."
        )
    else:
        logger.info("The model for the page: %.1f MB", manifest["total"] / 1e6)


def _runs(env):
    """Say whether any page of the book runs the model."""
    pages = (Path(env.doc2path(name)) for name in env.found_docs)
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return any(user in text for text in texts for user in USERS)


def setup(app):
    """Connect with Sphinx, before sphinx_nokernel packs the site."""
    app.connect("build-finished", _write, priority=500)
