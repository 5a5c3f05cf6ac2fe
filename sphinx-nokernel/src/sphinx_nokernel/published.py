"""Record published files, so that a build without solutions can remove them.

Only files that a build recorded are removed. Those that were there before, or were put
there by hand, stay.
"""

import json
from pathlib import Path

from sphinx.util import logging

logger = logging.getLogger(__name__)

NOTE = "nokernel-published.json"
DOWNLOADS = (
    "downloads/site.zip",
    "downloads/notebooks.zip",
    "downloads/site-with-python.zip",  # some books add this and the next
    "downloads/book.epub",
)


def forget_other_mode(app):
    """Remove what an earlier build published if its `nokernel_solutions` differed."""
    earlier, site = _noted(app), Path(app.outdir)
    if earlier is None:
        _warn_of_what_is_there(app)
    elif earlier["solutions"] != app.config.nokernel_solutions:
        for name in earlier["files"]:
            (site / name).unlink(missing_ok=True)
        # Sphinx keeps the words of an earlier index, even without their pages.
        (site / "searchindex.js").unlink(missing_ok=True)


def _noted(app):
    note = Path(app.doctreedir, NOTE)
    return json.loads(note.read_text(encoding="utf-8")) if note.is_file() else None


def _warn_of_what_is_there(app):
    if not app.config.nokernel_solutions and Path(app.outdir, "_sources").is_dir():
        logger.info(
            "%s holds an earlier build, of which nothing is known here: if it "
            "published solutions, empty it first",
            app.outdir,
        )


def note_published(app):
    """Record what builds in this mode have published beside their pages."""
    solutions, names = app.config.nokernel_solutions, set(_files(app))
    earlier = _noted(app)
    if earlier and earlier["solutions"] == solutions:
        names |= set(earlier["files"])  # Sphinx does not delete unused files
    note = {"solutions": solutions, "files": sorted(names)}
    Path(app.doctreedir, NOTE).write_text(json.dumps(note), encoding="utf-8")


def _files(app):
    """Yield the files beside the pages, as paths in the site."""
    site, env = Path(app.outdir), app.env
    yield from DOWNLOADS if app.config.nokernel_bundle else ()
    for folder, files in (("_images", env.images), ("_downloads", env.dlfiles)):
        for _, target in files.values():
            yield f"{folder}/{target}"
    for name in env.found_docs:
        for path in site.glob(f"_sources/{name}.*"):
            yield path.relative_to(site).as_posix()
