"""Keep a live figure's still picture on the page beside its live view.

A figure's output offers a widget view and, as HTML, a still picture. myst-nb keeps
only the first of the two. We keep both: readers without JavaScript, print and PDF
get the picture; `mount-widgets.js` hides it once the live view stands.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

VIEW = "application/vnd.jupyter.widget-view+json"


class KeepStillPicture(SphinxPostTransform):
    """Split each output that holds a widget view and HTML into its two parts."""

    default_priority = 3  # myst-nb chooses one MIME type at priority 4
    formats = ("html",)

    def run(self, **_):
        """Rewrite the outputs of one page."""
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            parts = {part["mime_type"]: part.children for part in bundle.children}
            if VIEW in parts and "text/html" in parts:
                still = nodes.container("", *parts["text/html"], classes=["aw-still"])
                figure = nodes.container("", still, *parts[VIEW], classes=["aw-figure"])
                bundle.replace_self(figure)


def setup(app):
    """Register with Sphinx."""
    app.add_post_transform(KeepStillPicture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
