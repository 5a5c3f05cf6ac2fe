"""The service worker of an installable site: its code, and the digests of all files.

Its first line has the digest of each file; `service_worker/` has the code after it.
Any step that changes files of a built site must write it again (`write_again`).
"""

import base64
import hashlib
import json
from fnmatch import fnmatch
from pathlib import Path

from .bundles import MANIFEST, WORKER

SOURCES = Path(__file__).parent / "service_worker"
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
    code = [path.read_text(encoding="utf-8") for path in sorted(SOURCES.glob("*.js"))]
    text = "\n".join([f"{BEGIN}{json.dumps(told, sort_keys=True)};", *code])
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
