"""Make a site installable, and available offline on a reader's device.

With `nokernel_installable`, a build writes `site.webmanifest`, with which browsers
install the site as an app, and `service-worker.js`, which stores the site's files once
a reader asks for that (`keep-site.js`), with the button beside the downloads or by
installing it. The worker holds the digest of each file. Both files are in the root of
the site and address its files by relative paths, so that it works in any folder.
"""

import base64
import hashlib
import json
from fnmatch import fnmatch
from pathlib import Path

from .bundles import END, MANIFEST, WORKER
from .live_code import digests

# The service worker of an installable site: its code, and the digests of all files.
#
# Its first line has the digest of each file; `service-worker.js` has the code after it.
# Any step that changes files of a built site must write it again (`write_again`).

SOURCE = Path(__file__).with_name("service-worker.js")
BEGIN = "self.nokernelSite = "
# Files that no page needs: downloads, sources, the build's own records.
NEVER = ("downloads/*", "_sources/*", ".*", "*.inv", WORKER, MANIFEST)
SIZE = "<!-- megabytes kept -->"


def write_again(site):
    """Rewrite the worker of a site whose files have changed since it was built."""
    worker = Path(site, WORKER)
    if worker.is_file():
        told = worker.read_text(encoding="utf-8").split("\n", 1)[0]
        settings = json.loads(told.removeprefix(BEGIN).removesuffix(";"))
        write_worker(site, settings)


def write_worker(site, settings):
    """Write the worker: its settings, with the digest of each file, and its code."""
    now, later = _listed(site, settings)
    _say_size(site, settings["start"], now)
    files = {name: _digest(site, name) for name in now}
    others = {name: _digest(site, name) for name in later}
    version = hashlib.sha256(json.dumps([files, others]).encode()).hexdigest()[:16]
    told = {**settings, "version": version, "files": files, "later": others}
    code = SOURCE.read_text(encoding="utf-8")
    text = f"{BEGIN}{json.dumps(told, sort_keys=True)};\n{code}"
    Path(site, WORKER).write_text(text, encoding="utf-8")


def _listed(site, settings):
    """Return the files to store immediately, and those to store once used."""
    never = [*NEVER, *([f"{settings['python']}*"] if settings["python"] else [])]
    found = [path for path in Path(site).rglob("*") if path.is_file()]
    names = sorted(path.relative_to(site).as_posix() for path in found)
    names = [name for name in names if not _matches(name, never)]
    later = [name for name in names if _matches(name, settings["patterns"])]
    return [name for name in names if name not in {*later}], later


def _matches(name, patterns):
    return any(fnmatch(name, pattern) for pattern in patterns)


def _say_size(site, start, names):
    """Write the size of the stored files beside the button, in whole megabytes."""
    page = Path(site, start)
    html = page.read_text(encoding="utf-8")
    size = sum(Path(site, name).stat().st_size for name in names)
    page.write_text(html.replace(SIZE, f"{size / 1e6:.0f}"), encoding="utf-8")


def _digest(site, name):
    digest = hashlib.sha256(Path(site, name).read_bytes()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


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
