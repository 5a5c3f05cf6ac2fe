"""A Content-Security-Policy on every page: what may run and be fetched, and no more.

Scripts are files of the site; those few lines that have to stand in a page itself are
named by their digests, so that no other script in a page runs: not one that a widget's
text or a link would bring along. Figures and their workers are made from what the page
holds (`blob:`). Nothing is evaluated from a string, except in the worker of Python in
the page, which has no policy of ours: it is a file of its own, and its Python compares
what it fetches with digests. Styles may stand in attributes: formulas and figures place
their letters so. `file:` is for readers who open the site from a folder; elsewhere it
allows nothing.

The theme's buttons call functions from attributes, which the policy forbids: page.js
does what they say.
"""

import base64
import hashlib
import re
from pathlib import Path

from sphinx.errors import ExtensionError

OWN = "'self' file:"
RULES = {
    "default-src": "'none'",
    "script-src": f"{OWN} blob:",
    "worker-src": f"{OWN} blob:",
    "style-src": f"{OWN} 'unsafe-inline'",
    "img-src": f"{OWN} data: blob:",
    "font-src": f"{OWN} data:",
    "connect-src": f"{OWN} data: blob:",
    "manifest-src": OWN,
    "form-action": OWN,
    "base-uri": "'none'",
}
INLINE = re.compile(r"<script(?![^>]*(?:\ssrc=|json))[^>]*>(.*?)</script>", re.DOTALL)
PRESSED = {
    'onclick="window.print()"': 'data-press="print"',
    'onclick="toggleFullScreen()"': 'data-press="fullscreen"',
}
HANDLER = re.compile(r'<\w+(?:\s+[\w:-]+(?:="[^"]*")?)*?\s+(on\w+)="')
AFTER = re.compile(r"<meta charset=[^>]*>")


def with_policy(html):
    """Return a page with its policy, and without code in attributes."""
    for code, words in PRESSED.items():
        html = html.replace(code, words)
    if found := HANDLER.search(html):
        raise ExtensionError(f"policy: {found[1]} in an attribute would not run")
    digests = sorted({_digest(text) for text in INLINE.findall(html)})
    scripts = " ".join([RULES["script-src"], *digests])
    rules = {**RULES, "script-src": scripts}
    text = "; ".join(f"{name} {what}" for name, what in rules.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{text}">'
    html, count = AFTER.subn(lambda charset: f"{charset[0]}\n    {meta}", html, count=1)
    if not count:
        raise ExtensionError("policy: a page without <meta charset>")
    return html


def _digest(text):
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def write_policies(site):
    """Give every page of a built site its policy."""
    for path in sorted(Path(site).rglob("*.html")):
        if "_static" not in path.relative_to(site).parts:
            html = with_policy(path.read_text(encoding="utf-8"))
            path.write_text(html, encoding="utf-8")


def _finish(app, error):
    if error is None and app.builder.name == "html":
        write_policies(app.outdir)


def setup(app):
    """Connect with Sphinx, before sphinx_nokernel packs the site."""
    app.connect("build-finished", _finish, priority=940)
