"""The address that readers write to, on the page `book/accessibility`.

SITE_CONTACT is an address, of mail or of a page. Without it, a site that knows its
repository (ATTENTION_REPOSITORY) leads to the issues there.
"""

import os

PAGE = "book/accessibility"
WHOEVER = "whoever publishes the copy that you read"


def contact(environ):
    """Return where to write, or None."""
    if named := environ.get("SITE_CONTACT"):
        return named if ":" in named else f"mailto:{named}"
    repository = environ.get("ATTENTION_REPOSITORY")
    return f"https://github.com/{repository}/issues" if repository else None


def _say(app, page, source):
    address = contact(os.environ)
    if page == PAGE and address:
        source[0] = source[0].replace(WHOEVER, f"[{WHOEVER}]({address})")


def setup(app):
    """Register with Sphinx."""
    app.connect("source-read", _say)
