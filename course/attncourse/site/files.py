"""Files that each build writes into `_static`: a poster, test vectors, a model."""

import tempfile
import zipfile
from pathlib import Path

from sphinx.util import logging

from attncheck.vectors import write_vectors

from ..real_model.page.pack import pack

# The machine's poster, drawn at each build into `_static`: PDF and SVG, one page.
#
# Only a book that has the page `attncourse_machine` gets one: that page links to it.


def _draw(app, error):
    machine = app.config.attncourse_machine
    if error or app.builder.name != "html" or machine not in app.env.found_docs:
        return
    from ..figures.machine import poster  # matplotlib: half a second

    poster.save(Path(app.outdir, "_static"))


# The test vectors of attncheck, as a zip: `_static/attention-vectors.zip`.

NAME = "attention-vectors.zip"
THEN = (1980, 1, 1, 0, 0, 0)  # the same bytes at every build


def write_zip(target):
    """Write cases.json and cases.safetensors into one zip."""
    with tempfile.TemporaryDirectory() as folder:
        write_vectors(Path(folder))
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.writestr(
                    zipfile.ZipInfo(path.name, THEN),
                    path.read_bytes(),
                    zipfile.ZIP_DEFLATED,
                )


def _write_vectors(app, error):
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir, "_static")
        folder.mkdir(exist_ok=True)
        write_zip(folder / NAME)


# The real model's weights for the page, written into the site as `_static/minilm`.
#
# They are made from the package in requirements-model.txt, or from the folder that the
# variable ATTNLIB_MINILM names. Without either the book is built all the same: the
# build says so in a line, and the page shows the sentences that it has stored. A book
# of which no page runs the model goes without its 32 MB.

FOLDER = "minilm"
USERS = ("load_minilm", "own_sentence")  # one of them stands on each page that runs it
logger = logging.getLogger(__name__)


def _write_model(app, error):
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
    """Register with Sphinx."""
    app.connect("build-finished", _draw, priority=500)
    app.connect("build-finished", _write_vectors, priority=100)
    app.connect("build-finished", _write_model, priority=500)
