"""The role that links a sentence of a lesson to the claim it touches.

    {claim}`post3-softmax-robots`

becomes a small button, “post 3: wrong”, or with the claim's field `short` “post 3
prints 0.03: wrong”: the verdict stands beside the post's name, so that it is not taken
for one on the sentence before it. It opens a note with what the post says and a link to
the claim's row on the page `attncourse_sources`; the browser does that by itself, also
on a phone and without JavaScript. The verdict comes from the file `attncourse_claims`,
where a test keeps it equal to the computed one. An unknown id is an error, and so fails
the build.

On that page, and only there, the script that filters its tables is loaded.
"""

import tomllib
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxRole

LABELS = {
    "holds": "holds",
    "rounded": "holds after rounding",
    "wrong": "wrong",
    "unverifiable": "cannot be checked from the post",
}
NOTE = """\
<button type="button" class="aw-claim-link aw-{verdict}" popovertarget="{id}">\
{who}: <b>{label}</b></button>\
<span popover class="aw-claim-note aw-{verdict}" id="{id}">\
<span>Post {post} says: {says}</span> \
<span>Our check: <b>{label}</b>. <a href="{address}">See how</a></span></span>"""


class claim_link(nodes.Inline, nodes.TextElement):
    """A claim's verdict. Attributes: claim (its row), number (unique in the book)."""


class ClaimRole(SphinxRole):
    """Read {claim}`id` as the claim's verdict."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, or complain about an id that no claim has."""
        path = Path(self.env.srcdir, self.config.attncourse_claims)
        self.env.note_dependency(str(path))
        if claim := claims_by_id(path.read_text(encoding="utf-8")).get(self.text):
            text = f"({who(claim)}: {LABELS[claim['verdict']]})"
            number = self.env.new_serialno("claim")
            return [claim_link("", text, claim=claim, number=number)], []
        message = f"{path.name} has no claim with the id {self.text!r}"
        error = self.inliner.reporter.error(message, line=self.lineno)
        return [self.inliner.problematic(self.rawtext, self.rawtext, error)], [error]


@cache
def claims_by_id(text):
    """Return the claims of a file's text; to parse it takes longer than a page."""
    return {claim["id"]: claim for claim in tomllib.loads(text)["claim"]}


def who(claim):
    """Return the post and, where the claim has a short form, what it says."""
    return f"post {claim['post']} {claim.get('short', '')}".strip()


def note(claim, number, address):
    """Return the HTML of a claim's button and of the note that it opens."""
    return NOTE.format(
        id=f"claim-{number}-{claim['id']}",
        who=escape(who(claim)),
        label=LABELS[claim["verdict"]],
        verdict=claim["verdict"],
        post=claim["post"],
        says=escape(claim["says"]),
        address=f"{address}#{claim['id']}",
    )


class WriteClaims(SphinxPostTransform):
    """Give each claim its button; where the page is not HTML, keep the text."""

    default_priority = 200

    def run(self, **_):
        """Rewrite the claims of one page."""
        builder = self.app.builder
        for node in list(self.document.findall(claim_link)):
            if builder.format == "html":
                sources = self.config.attncourse_sources
                address = builder.get_relative_uri(self.env.docname, sources)
                text = note(node["claim"], node["number"], address)
                node.replace_self(nodes.raw("", text, format="html"))
            else:
                node.replace_self(nodes.Text(node.astext()))


def plain_claim(id_, reader):
    """Return a claim's verdict in words, for copies of the notebooks."""
    path = Path(reader.source, reader.settings["attncourse_claims"])
    claim = claims_by_id(path.read_text(encoding="utf-8")).get(id_)
    if claim is None:
        raise ValueError(f"{path.name} has no claim with the id {id_!r}")
    return f"({who(claim)}: {LABELS[claim['verdict']]})"


def _load_filter(app, pagename, _template, _context, _doctree):
    if pagename == app.config.attncourse_sources:
        app.add_js_file("claims-filter.js", loading_method="defer")


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("attncourse_claims", "book/claims.toml", "env", [str])
    app.add_config_value("attncourse_sources", "book/sources", "env", [str])
    app.add_node(claim_link)
    app.add_role("claim", ClaimRole())
    app.add_post_transform(WriteClaims)
    app.connect("html-page-context", _load_filter)
