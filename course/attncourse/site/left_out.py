"""Pages outside the table of contents: no link leads there, and no path names them.

So a course can be made of some of the lessons, in any order.

- A link to a page that is left out becomes its words.
- In the path of the first page (class `aw-route`) its stop goes, and the others stand
  in the order of the table of contents, each with its own number. Where a reader begins
  (`aw-begin`), its link goes.
- What leads on at the end of a page, from a bold *Next:* or *From here:*, goes if all
  its links are to such pages; on the first page, so does any end that begins in bold.

A link to a page that is nowhere stays an error, the build names what is left out, and
it stops if the terms or the papers are, to which every lesson leads.
"""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)
LEADS_ON = ("Next:", "From here:")
KEEP = (
    "_toc.yml leaves out {}. Keep the glossary and the sources: lessons explain their "
    "terms in the one, and cite papers by the other. All other pages may go."
)


def is_left_out(env, page):
    """Say whether a page is written, but not in the book."""
    files = [Path(env.srcdir, page + suffix) for suffix in env.config.source_suffix]
    return page not in env.found_docs and any(file.exists() for file in files)


def _links(node):
    found = node.findall(addnodes.pending_xref)
    return [one for one in found if one.get("refdomain") == "doc"]


class Unlink(SphinxPostTransform):
    """Put the words of a link in its place, or take away what names the page."""

    default_priority = 8  # before MyST's own, which is 9

    def run(self, **_):
        """Rewrite one page."""
        for box in list(self.document.findall(nodes.container)):
            if "aw-route" in box["classes"]:
                self._shorten(box)
            elif "aw-begin" in box["classes"]:
                for link in filter(self._is_out, _links(box)):
                    link.parent.remove(link)
        for words in list(self.document.findall(nodes.strong)):
            self._cut_end(words)
        for link in filter(self._is_out, _links(self.document)):
            page = link["reftarget"]
            words = link[0].deepcopy() if link.astext() else nodes.Text(page)
            link.replace_self(words)
            logger.info("%s: no link to %s", self.env.docname, page)

    def _is_out(self, link):
        return is_left_out(self.env, link["reftarget"])

    def _shorten(self, route):
        """Keep the stops that are in the book, in its order, with their numbers."""
        order = {page: i for i, page in enumerate(self.env.collect_relations())}
        for stops in list(route.findall(nodes.enumerated_list)):
            first = stops.get("start", 1)
            told = [(_links(stop)[0], stop, first + i) for i, stop in enumerate(stops)]
            kept = [one for one in told if not self._is_out(one[0])]
            kept.sort(key=lambda one: order[one[0]["reftarget"]])
            at = stops.parent.index(stops)
            if not kept and isinstance(stops.parent[at - 1], nodes.paragraph):
                stops.parent.pop(at - 1)  # what they had in common
            stops.replace_self(_runs(stops, kept))

    def _cut_end(self, words):
        end, at = words.parent, words.parent.index(words)
        leads_on = words.astext() in LEADS_ON
        begins = not any(node.astext() for node in end[:at])
        of_first = begins and self.env.docname == self.config.root_doc
        if not isinstance(end.parent, nodes.section) or not (leads_on or of_first):
            return
        links = [link for node in end[at:] for link in _links(node)]
        if links and all(map(self._is_out, links)):
            del end[at:]
            if not end.astext().strip():
                end.parent.remove(end)


def _runs(stops, kept):
    """Return a list for each run of numbers that follow each other."""
    runs, expected = [], None
    for _, stop, number in kept:
        if number != expected:
            runs.append(stops.copy())
            runs[-1].attributes.pop("start", None)
            if number != 1:
                runs[-1]["start"] = number
        runs[-1] += stop
        expected = number + 1
    return runs


def _keep(_app, env, _docnames):
    """Stop at once where hundreds of warnings would follow."""
    needed = (env.config.attncourse_glossary, env.config.attncourse_sources)
    if gone := [page for page in needed if is_left_out(env, page)]:
        raise ExtensionError(KEEP.format(" and ".join(gone)))


def setup(app):
    """Register with Sphinx."""
    app.connect("env-before-read-docs", _keep)
    app.add_post_transform(Unlink)
