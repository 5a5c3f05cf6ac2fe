"""Small books, built by plain Sphinx, for tests of what a build makes of a page."""

import io

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_nokernel"],
    "myst_enable_extensions": ["colon_fence", "dollarmath"],
    "html_theme": "basic",
    "nb_execution_mode": "off",
}


class Book:
    """A folder of sources, and what a build makes of it."""

    def __init__(self, folder):
        self.source, self.out = folder / "source", folder / "out"
        self.folder = folder
        self.source.mkdir(exist_ok=True)
        self.complaints = ""

    def write(self, name, text):
        """Add a file to the sources."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return self

    def build(self, builder="html", **settings):
        """Build; return the built first page."""
        said, complaints = io.StringIO(), io.StringIO()
        places = (self.source, None, self.out, self.folder / "trees", builder)
        # An extension adds to Sphinx's own list; the next build would find it changed.
        settings = {**SETTINGS, "exclude_patterns": [], **settings}
        with docutils_namespace():  # as if the process had built nothing before
            app = Sphinx(*places, settings, status=said, warning=complaints)
            app.build()
        self.said, self.complaints = said.getvalue(), complaints.getvalue()
        return self.page("index") if builder == "html" else ""

    def build_and_listen(self, **settings):
        """Build; return what the build's log says."""
        self.build(**settings)
        return self.said

    def page(self, name):
        """Return the HTML of a page."""
        return (self.out / f"{name}.html").read_text(encoding="utf-8")
