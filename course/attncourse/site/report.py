"""*Report this sentence*: a reader says what is wrong where it stands.

At the foot of each page is a button; where text is selected, there is one beside it.
Both write a report with the page, the heading, the quotation and the version, and take
it to where the settings say: an issue of `nokernel_repository` (on GitHub), else a mail
to `attncourse_mail`, else the clipboard. Nothing is sent before the reader sends it.
"""

import html

from .releases import version_of

BUTTON = """\
<p class="aw-report"><button type="button" data-report hidden data-repository="{}" \
data-mail="{}" data-version="{}">Report a mistake on this page</button> \
<span role="status"></span></p>"""


def button(repository, mail, version):
    """Return the button at the foot of a page; its script shows it."""
    values = (html.escape(value or "") for value in (repository, mail, version))
    return BUTTON.format(*values)


def _offer(app, config):
    made = button(config.nokernel_repository, config.attncourse_mail, version_of(app))
    options = config.html_theme_options
    options["extra_footer"] = options.get("extra_footer", "") + made


def setup(app):
    """Connect with Sphinx, after the settings were read."""
    app.add_config_value("attncourse_mail", "", "html", types=[str])
    app.connect("config-inited", _offer, priority=410)
    app.add_css_file("report.css")
    app.add_js_file("report.js", loading_method="defer")
