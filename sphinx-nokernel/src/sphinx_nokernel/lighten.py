"""Keep pages light: load what a page uses, and let nothing wait for scripts.

Saved widget state moves to the end of the page, without the widgets that the page does
not show. `nokernel_lighten`, made for sphinx-book-theme, keeps styles and scripts that
extensions add to every page only on those that use them, removes from the theme's style
sheets the rules for classes that occur nowhere in the site (47 of the 70 kB that delay
the first paint: a quarter of a second at 1.6 Mbit/s), and does not serve files that no
page loads. With `nokernel_defer`, for templates that defer their own scripts, the
browser shows the page first and then runs all scripts, in order.
"""

import json
import re
import shutil
from pathlib import Path

from .styles import names_in, purged
from .widget_state import STATE, number_widgets, shorten_state

# File name prefixes, each with the page text that needs the file (None: never). Inline
# DOCUMENTATION_OPTIONS scripts set up a search and a switcher that are off.
USED_BY = {
    "sphinx-thebe": None,
    "sphinx-design": re.compile(r'class="[^"]*\bsd-'),
    "design-tabs": re.compile(r'class="[^"]*\bsd-tab'),
    "clipboard": re.compile(r'class="[^"]*\bhighlight'),
    "copybutton": re.compile(r'class="[^"]*\bhighlight'),
    "togglebutton": re.compile(r'class="[^"]*\b(?:toggle|dropdown)\b'),
}
UNSERVED = ["*.map", "locales", "sphinx-thebe.*"]
SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=.*")
VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>')
THEMES = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "mystnb.*.css",
)


def move_state_to_end(app, page):
    """Move saved widget state to the end of the page, without unused widgets.

    State that html-manager will read stays as it is.
    """
    if not page.mounts:
        return
    data, known = page.states(), set()
    scripts = page.context["script_files"]
    page.context["script_files"] = [one for one in scripts if one not in data]
    for one in data:
        saved = one.attributes["body"]
        text = shorten_state(saved, page.body)
        page.context["body"] += f'<script type="{STATE}">{text}</script>\n'
        known |= json.loads(saved)["state"].keys()
    page.context["body"] = number_widgets(page.body, known)


def needed(asset, body):
    """Say whether a page with this text needs a style or script."""
    text = asset.attributes.get("body") or ""
    name = "togglebutton" if "toggle" in text else Path(str(asset.filename or "")).name
    for start, users in USED_BY.items():
        if name.startswith(start):
            return bool(users and users.search(body))
    return "DOCUMENTATION_OPTIONS." not in text


def drop_unused_assets(app, page):
    """Leave out the styles and scripts that the page does not use."""
    if app.config.nokernel_lighten:
        for kind in ("css_files", "script_files"):
            files = page.context[kind]
            page.context[kind] = [one for one in files if needed(one, page.body)]
        tags = page.context.get("metatags") or ""  # the theme writes one too
        page.context["metatags"] = VIEWPORT.sub("", tags)


def defer_scripts(app, page):
    """Defer every script, so that none delays the page."""
    for script in page.context["script_files"] if app.config.nokernel_defer else ():
        if script.filename:
            script.attributes.setdefault("defer", "defer")


def trim_site(app):
    """Remove from the built site what none of its pages uses."""
    if not app.config.nokernel_lighten or app.builder.name != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    unserved = UNSERVED + app.config.nokernel_unserved
    for path in [one for pattern in unserved for one in static.rglob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for script in static.glob("scripts/*.js"):
        text = script.read_text(encoding="utf-8")
        script.write_text(SOURCE_MAP.sub("", text), encoding="utf-8")
    data = app.config.nokernel_data_scripts
    names = names_in(site, [one for pattern in data for one in static.rglob(pattern)])
    for pattern in THEMES:
        for style in static.glob(pattern):
            text = purged(style.read_text(encoding="utf-8"), names)
            style.write_text(text, encoding="utf-8")
