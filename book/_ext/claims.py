"""The role that links a sentence of a lesson to the claim it touches.

    {claim}`post3-softmax-robots`

becomes a link that reads “checked: wrong” and leads to that claim's row on the page
“Sources, checked”. The verdict comes from `claims.toml`, where a test keeps it equal to
the computed one. An unknown id is an error, and so fails the build.

On that page, and only there, the script that filters its tables is loaded.
"""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxRole

CLAIMS = Path(__file__).resolve().parents[2] / "course/attncourse/claims/claims.toml"
PAGE = "sources"
LABELS = {
    "holds": "checked: holds",
    "rounded": "checked: holds after rounding",
    "wrong": "checked: wrong",
    "made-up": "checked: nothing to check",
}


class claim_link(nodes.Inline, nodes.TextElement):
    """A link to a claim, until the page it leads to is known."""


class ClaimRole(SphinxRole):
    """Read {claim}`id` as the claim's verdict."""

    def run(self):
        """Return the link, or complain about an id that no claim has."""
        self.env.note_dependency(str(CLAIMS))
        rows = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))["claim"]
        for claim in rows:
            if claim["id"] == self.text:
                return [self._link(claim)], []
        message = f"claims.toml has no claim with the id {self.text!r}"
        error = self.inliner.reporter.error(message, line=self.lineno)
        return [self.inliner.problematic(self.rawtext, self.rawtext, error)], [error]

    def _link(self, claim):
        title = f"Post {claim['post']}: {claim['says']}"
        classes = ["aw-claim-link", f"aw-{claim['verdict']}"]
        options = {"target": claim["id"], "title": title, "classes": classes}
        return claim_link("", LABELS[claim["verdict"]], **options)


class LinkClaims(SphinxPostTransform):
    """Point each link at the page; where that is not HTML, keep the text."""

    default_priority = 200

    def run(self, **_):
        """Rewrite the links of one page."""
        html = self.app.builder.format == "html"
        for node in list(self.document.findall(claim_link)):
            text = nodes.Text(node.astext())
            node.replace_self(self._reference(node, text) if html else text)

    def _reference(self, node, text):
        pages = [name for name in self.env.found_docs if Path(name).name == PAGE]
        if not pages:
            raise ExtensionError(f"{{claim}} links need a page named {PAGE}.")
        page = self.app.builder.get_relative_uri(self.env.docname, pages[0])
        reference = nodes.reference("", "", text, internal=True)
        reference["refuri"] = f"{page}#{node['target']}"
        reference["reftitle"] = node["title"]
        reference["classes"] = node["classes"]
        return reference


def _load_filter(app, pagename, _template, _context, _doctree):
    if Path(pagename).name == PAGE:
        app.add_js_file("claims-filter.js", loading_method="defer")


def setup(app):
    """Register with Sphinx."""
    app.add_node(claim_link)
    app.add_role("claim", ClaimRole())
    app.add_post_transform(LinkClaims)
    app.add_css_file("claims.css")
    app.connect("html-page-context", _load_filter)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
