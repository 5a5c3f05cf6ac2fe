"""The role that opens the machine in a state: of a lesson, at a number, with changes.

    {machine-at}`the weights <stage=4&at=A.4.0>`

What stands in angle brackets is the end of the address that the machine's page reads
and writes (see `figures/machine/controls.js`). Where the book leaves out that page, the
words stay, without a link.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import ReferenceRole
from sphinx.util.nodes import explicit_title_re

PAGE = "book/machine"


class machine_at(nodes.Inline, nodes.TextElement):
    """Words that lead to the machine. Attributes: state."""


class MachineAt(ReferenceRole):
    """The role."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the words, with the state that they lead to."""
        return [machine_at("", self.title, state=self.target)], []


class Lead(SphinxPostTransform):
    """Make links of the words, once all pages are known."""

    default_priority = 8

    def run(self, **_):
        """Rewrite one page."""
        for node in list(self.document.findall(machine_at)):
            node.replace_self(self._link(node))

    def _link(self, node):
        words = node.astext()
        if PAGE not in self.env.all_docs or self.app.builder.format != "html":
            return nodes.Text(words)
        page = self.app.builder.get_relative_uri(self.env.docname, PAGE)
        return nodes.reference("", words, refuri=f"{page}?{node['state']}")


def plain_machine_at(text, reader):
    """Return the words alone: copies of the lessons do without the machine's page."""
    titled = explicit_title_re.match(text)
    return titled[1] if titled else text


def setup(app):
    """Register with Sphinx."""
    app.add_role("machine-at", MachineAt())
    app.add_node(machine_at)
    app.add_post_transform(Lead)
