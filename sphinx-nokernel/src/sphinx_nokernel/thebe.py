"""Keep sphinx-thebe off the pages of a book that loads but does not use it.

sphinx-book-theme and Jupyter Book always load it. It adds a CDN address to every page
and declares the same constant twice, which is an error. So its two
listeners are removed, unless the book asks for it by the theme's launch button, by
`thebe_config`, or by a button on a page. Then everything stays, and the cells are
thebe's: they get no Run here.
Needed by sphinx-thebe 0.3.1, the newest seen: tests/sphinx_nokernel/test_patches.py
fails once it no longer is.
"""

import re
from pathlib import Path

from sphinx.util import logging
from sphinx.util.matching import get_matching_files

logger = logging.getLogger(__name__)

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
