"""Make a site installable, and available offline on a reader's device.

With `nokernel_installable`, a build writes `site.webmanifest`, with which browsers
install the site as an app, and `service-worker.js`, which stores the site's files once
a reader asks for that (`keep-site.js`), with the button beside the downloads or by
installing it. The worker holds the digest of each file. Both files are in the root of
the site and address its files by relative paths, so that it works in any folder.
"""

import json
from pathlib import Path

from .bundles import END, MANIFEST
from .live_code import digests
from .site_worker import SIZE, write_worker

BOX = f"""<li id="nk-keep" hidden><button type="button">Keep this site on this
device</button> ({SIZE} MB): afterwards all its pages open without a network.
<span role="status"></span></li>
"""
SECTION = """
<section id="keep-this-site">
<h2>Keep this site</h2>
<ul>
{box}</ul>
</section>
"""
COLOR = '<meta name="theme-color" media="(prefers-color-scheme: {})" content="{}" />\n'


def is_installable(app):
    """Say whether this build writes a site that can be installed."""
    return bool(app.config.nokernel_installable) and app.builder.name == "html"


def load_keeping(app, page):
    """Add the script, the theme colors and the touch icon to every page."""
    if not is_installable(app):
        return
    app.add_js_file("nokernel/keep-site.js", loading_method="defer")
    colors = app.config.nokernel_installable.get("colors", {})
    tags = "".join(COLOR.format(theme, color) for theme, color in colors.items())
    for icon in icons(app.config.nokernel_installable):
        if icon["purpose"] == "any" and not icon["src"].endswith(".svg"):
            link = page.context["pathto"](icon["src"], resource=True)
            tags += f'<link rel="apple-touch-icon" href="{link}" />\n'
    page.context["metatags"] = (page.context.get("metatags") or "") + tags


def link_keeping(app, page):
    """Offer to keep the site: on the first page, after any downloads."""
    if not is_installable(app) or page.name != app.config.root_doc:
        return
    if END in page.body:
        downloads, end, rest = page.body.partition(f"</ul>\n</section>\n{END}")
        page.context["body"] = downloads + BOX + end + rest
    else:
        page.context["body"] += SECTION.format(box=BOX)


def icons(settings):
    """Return the manifest's icons.

    Parameters
    ----------
    settings : dict
        ``icons`` are files below `_static`: an SVG, or ``NAME-SIZE.png``, whose name
        contains "maskable" if its edge may be cropped.
    """
    found = []
    for name in settings.get("icons", ()):
        size = Path(name).stem.rpartition("-")[2]
        kind = "any" if name.endswith(".svg") else f"{size}x{size}"
        use = "maskable" if "maskable" in name else "any"
        found.append({"src": f"_static/{name}", "sizes": kind, "purpose": use})
    return found


def manifest(config, start):
    """Return the web app manifest; its addresses are relative to itself."""
    settings = config.nokernel_installable
    color = settings.get("colors", {}).get("light", "#ffffff")
    return {
        "name": config.project,
        "short_name": settings.get("short_name", config.project),
        "lang": config.language or "en",
        "start_url": start,
        "scope": "./",
        "display": "standalone",
        "theme_color": color,
        "background_color": color,
        "icons": icons(settings),
    }


def write_installable(app):
    """Write the manifest and the service worker, after all other files."""
    if not is_installable(app):
        return
    site, config = Path(app.outdir), app.config
    start = f"{config.root_doc}.html"
    text = json.dumps(manifest(config, start), indent=1, ensure_ascii=False)
    (site / MANIFEST).write_text(text + "\n", encoding="utf-8")
    settings = {
        "start": start,
        "python": config.nokernel_pyodide if config.nokernel_live_code else "",
        "digests": digests(config),
        "patterns": list(config.nokernel_installable.get("later", ())),
    }
    write_worker(site, settings)
