"""Log that other notebook extensions keep the notebooks they read."""

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
