"""Keep pages light: load what a page uses, and let nothing wait for scripts.

Every script is deferred: the browser shows the page first and runs them, in order,
once it is read. The saved state of the live figures moves to the end of the page.
Styles and scripts that extensions add to every page stay only on pages that use them.
After the build, rules for classes that the site has nowhere are taken out of the
theme's style sheets, and files that no page loads are removed.
"""

import re
import shutil
from pathlib import Path

from purge import names_in, purged
from slim import slim_state, slim_svg

# A file, and what in a page's text needs it. Running cells is live_code's affair. The
# inline settings in DOCUMENTATION_OPTIONS are for a search and a switch that we lack.
USED_BY = {
    "sphinx-thebe": None,
    "sphinx-design": re.compile(r'class="[^"]*\bsd-'),
    "design-tabs": re.compile(r'class="[^"]*\bsd-tab'),
    "togglebutton": re.compile(r'class="[^"]*\b(?:toggle|dropdown)\b'),
}
UNSERVED = ("*.map", "fontawesome*", "locales", "sphinx-thebe.*", "*macros.html")
SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=.*")
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>')
THEMES = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "mystnb.*.css",
)


def needed(asset, body):
    """Say whether a page with this text needs this style or script."""
    text = "" if _is_data(asset) else asset.attributes.get("body") or ""
    name = "togglebutton" if "toggle" in text else Path(str(asset.filename or "")).name
    for start, users in USED_BY.items():
        if name.startswith(start):
            return bool(users and users.search(body))
    return "DOCUMENTATION_OPTIONS." not in text


def _lighten(_app, _pagename, _template, context, _doctree):
    body = context.get("body") or ""
    context["css_files"] = [one for one in context["css_files"] if needed(one, body)]
    scripts = [one for one in context["script_files"] if needed(one, body)]
    context["page_data"] = [one for one in scripts if _is_data(one)]
    for data in context["page_data"]:
        data.attributes["body"] = slim_state(data.attributes["body"], body)
    context["script_files"] = [one for one in scripts if not _is_data(one)]
    for script in context["script_files"]:
        if script.filename:
            script.attributes.setdefault("defer", "defer")
    # A role that browsers have given up; the list around it wants items.
    body = body.replace('role="doc-biblioentry"', 'role="listitem"')
    context["body"] = slim_svg(body)
    context["metatags"] = VIEWPORT.sub("", context.get("metatags", ""))  # said already


def _is_data(script):
    return "json" in (script.attributes.get("type") or "")


def _trim(app, error):
    """Take out of the built site what no page of it uses."""
    if error or app.builder.name != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    for path in [one for pattern in UNSERVED for one in static.rglob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for script in static.glob("scripts/*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(SOURCE_MAP.sub("", text), encoding="utf-8")
    names = names_in(site)
    for pattern in THEMES:
        for style in static.glob(pattern):
            text = purged(style.read_text(encoding="utf-8"), names)
            style.write_text(text, encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _lighten, priority=950)  # after those that add
    app.connect("build-finished", _trim, priority=900)  # before the site is zipped
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
