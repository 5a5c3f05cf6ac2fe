"""Scripts and styles of this package for a site's pages, and the project's name."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sphinx.util import logging

from .widget_state import STATE

STATIC = Path(__file__).parent / "static"
UNNAMED = "Project name not set"  # Sphinx's own default
# The style sheet covers predictions until predict.js has run; if it never runs,
# nothing stays covered.
COVER = """\
document.documentElement.dataset.nkCover = "";
addEventListener("load", () => {
  if (!window.nokernelPredictions) delete document.documentElement.dataset.nkCover;
});"""
# sphinxcontrib-bibtex uses a deprecated ARIA role in a list that needs list items;
# myst-nb's label for a fold differs from its visible text (WCAG 2.5.3).
MENDED = {
    'role="doc-biblioentry"': 'role="listitem"',
    '<summary aria-label="Toggle hidden content">': "<summary>",
}

# E-books and help files: HTML too, but they run no scripts.
BOOKS = ("epub", "applehelp", "devhelp", "htmlhelp", "qthelp")


@dataclass
class Page:
    """A page that is about to be written."""

    name: str
    context: dict
    doctree: Any  # None for pages without a source

    @property
    def body(self):
        """The HTML of its text."""
        return self.context.get("body") or ""

    @property
    def mounts(self):
        """Whether this package, rather than html-manager, mounts its widgets."""
        return bool(self.doctree and self.doctree.get("nk_mounts"))

    def states(self):
        """List the scripts that hold saved widget state."""
        scripts = self.context["script_files"]
        return [one for one in scripts if one.attributes.get("type") == STATE]


def is_site(builder):
    """Say whether a builder writes pages for a browser."""
    return builder.format == "html" and builder.name not in BOOKS


def pages_in(app, name):
    """List the sources of the page being written."""
    return sorted(app.env.found_docs) if app.builder.name == "singlehtml" else [name]


def name_project(app, config):
    """Name the project after the book's title: Jupyter Book sets only the title."""
    if config.project == UNNAMED and config.html_title:
        config.project = config.html_title


def title_first_page(app, docname, source):
    """Head the first page by the book's title."""
    if app.config.nokernel_title_first_page and docname == app.config.root_doc:
        source[0] = titled(source[0], app.config.project)


def titled(text, title):
    """Return the text of a page, or of its notebook, with another title."""
    escaped = json.dumps(title, ensure_ascii=False)[1:-1]
    in_notebook = text.lstrip().startswith("{")
    pattern = r'(?<=")# .+?(?=\\n|")' if in_notebook else r"^# .+$"
    new = f"# {escaped if in_notebook else title}"
    return re.sub(pattern, lambda _: new, text, count=1, flags=re.MULTILINE)


def serve_static(app, config):
    """Serve this package's scripts and styles, below `_static/nokernel`."""
    config.html_static_path.append(str(STATIC))
    # Importing the Python files among them leaves compiled ones here.
    config.exclude_patterns.append("**/__pycache__")


def load_everywhere(app, page):
    """Add the colors, and the script that lets the keyboard reach scrolling boxes."""
    app.add_css_file("nokernel/nokernel.css")
    app.add_js_file("nokernel/scrolling.js", loading_method="defer")


STYLED = ("nk-question", "nk-challenge", "nk-solution")


def load_questions(app, page):
    """Add the scripts and the style of questions to pages that have some."""
    if any(name in page.body for name in STYLED):
        app.add_css_file("nokernel/questions.css")
    if "nk-quiz" in page.body:
        app.add_js_file("nokernel/quiz.js", loading_method="defer")
    if "nk-predict" in page.body or "nk-challenge" in page.body:
        app.add_js_file(None, body=COVER)
        for script in ("predict", "predict-links"):
            app.add_js_file(f"nokernel/{script}.js", loading_method="defer")


def mend_markup(app, page):
    """Fix the markup of other extensions that axe reports."""
    if page.context.get("body"):
        for wrong, right in MENDED.items():
            page.context["body"] = page.body.replace(wrong, right)


# Record published files, so that a build without solutions can remove them.
#
# Only files that a build recorded are removed. Those that were there before, or were
# put there by hand, stay.

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
