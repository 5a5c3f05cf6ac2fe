"""Boxes for readers: a file of a run, a sentence that is wrong, a letter."""

import html
import os
from typing import Any

from .releases import version_of

# A box that takes a file of one run: its script, on the pages that have the box.
#
# A page asks for it by ``:::{div} aw-drop-run`` around the words that stand there
# without JavaScript.

MARK = "aw-drop-run"


def add_script(
    app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any
) -> None:
    """Load the script on pages that have the box."""
    if MARK in context.get("body", ""):
        app.add_js_file("drop-run.js", loading_method="defer")


# The address that readers write to, on the page `book/accessibility`.
#
# SITE_CONTACT is an address, of mail or of a page. Without it, a site that knows its
# repository (ATTENTION_REPOSITORY) leads to the issues there.

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


# *Report this sentence*: a reader says what is wrong where it stands.
#
# At the foot of each page is a button; where text is selected, there is one beside it.
# Both write a report with the page, the heading, the quotation and the version, and
# take it to where the settings say: an issue of `nokernel_repository` (on GitHub),
# else a mail to `attncourse_mail`, else the clipboard. Nothing is sent before the
# reader sends it.

BUTTON = """\
<p class="aw-report"><button type="button" data-report hidden data-repository="{}" \
data-mail="{}" data-version="{}">Report a mistake on this page</button> \
<span role="status"></span></p>"""


def button(repository, mail, version):
    """Return the button at the foot of a page; its script shows it."""
    values = (html.escape(value or "") for value in (repository, mail, version))
    return BUTTON.format(*values)


def _offer(app, config):
    if version := version_of(app):  # as the line that says it, beside which it stands
        made = button(config.nokernel_repository, config.attncourse_mail, version)
        options = config.html_theme_options
        options["extra_footer"] = options.get("extra_footer", "") + made


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", add_script)
    app.connect("source-read", _say)
    app.add_config_value("attncourse_mail", "", "html", types=[str])
    app.connect("config-inited", _offer, priority=410)
    app.add_css_file("report.css")
    app.add_js_file("report.js", loading_method="defer")
