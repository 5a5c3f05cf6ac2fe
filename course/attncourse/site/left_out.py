"""Links to pages that the table of contents leaves out: their words, and no link.

So a course can be made of some of the lessons. A link to a page that is nowhere stays
an error, and the build names what is left out.
"""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)


def is_left_out(env, page):
    """Say whether a page is written, but not in the book."""
    files = [Path(env.srcdir, page + suffix) for suffix in env.config.source_suffix]
    return page not in env.all_docs and any(file.exists() for file in files)


class Unlink(SphinxPostTransform):
    """Put the words of a link in its place."""

    default_priority = 8  # before MyST's own, which is 9

    def run(self, **_):
        """Rewrite one page."""
        for node in list(self.document.findall(addnodes.pending_xref)):
            page = node["reftarget"]
            if node.get("refdomain") == "doc" and is_left_out(self.env, page):
                words = node[0].deepcopy() if node.astext() else nodes.Text(page)
                node.replace_self(words)
                logger.info("%s: no link to %s", self.env.docname, page)


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(Unlink)
