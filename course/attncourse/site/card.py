"""The directive that closes a card: a part of a model, under the names of the field.

    ## MLA

    **Can all heads do with one short row?** …   (the question, what is shown, code)

    :::{model-part}
    :names: MLA, multi-head latent attention
    :line: kv_lora_rank
    :keyword: scale=
    :used: fact latent
    :source: DeepSeek-V2 {cite:p}`deepseek2024v2`, May 2024
    :unknown: How many numbers a row needs.
    :::

Each option is Markdown and becomes an item of a list; all are required. `none` stands
for no line of a configuration, and for no keyword of attnlib. `used` is asked of files
that `attnconfig` reads, by `users`; other words than its own stand as they are. Who
searches for one of the names, without what stands in brackets, for a line that a family
of `attnconfig` reads, or for a model of which the part tells something, is led there.
"""

import re
from collections import defaultdict
from functools import cache

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from attncourse.real_model.configuration.cards import of_line
from attncourse.site import users
from sphinx_nokernel.export.markdown import plain_text

FIELDS = {
    "names": "Names",
    "line": "In a file",
    "keyword": "In attnlib",
    "used": "Who uses it",
    "source": "Source",
    "unknown": "Not known",
}
NONE = {
    "line": "no line says it",
    "keyword": "no keyword",
    "used": "a file does not tell",
}
BRACKETS = re.compile(r" \([^)]*\)")
LINE = re.compile(r"`(\w+_\w+)`")
SIZES = re.compile(r"[ -]E?\d[\dx.]*B\b.*")  # of a model, in its name
FEW = 20  # a part that more families have tells little of a model:
FIRST = 6  # so many of them are told, and none is led there
REST = "and [others](all_families.md)"


def told(options):
    """Return what a card says, as a list in Markdown."""
    said = {**options, "used": _used(options["used"])}
    items = (
        f"- **{title}:** {NONE.get(name) if said[name] == 'none' else said[name]}"
        for name, title in FIELDS.items()
    )
    return "\n".join(items)


def _used(how):
    return "; ".join(_users(one) for one in how.split("; "))


def _users(how):
    if not (asked := users.questions(how)):
        return how
    ((what, question),) = asked
    found = [*users.users(question).values()]
    names = found if len(found) <= FEW else [*found[:FIRST], REST]
    said = f"at least {len(found)} of {users.known()} families: {', '.join(names)}"
    return f"{what}: {said}" if what else said


def spellings(options):
    """List what a reader may search for: names, as others spell them too, and lines.

    Parameters
    ----------
    options : dict of str to str
    """
    names = re.split(r"[,;] ", BRACKETS.sub("", options["names"]))
    joined = [one.replace("-", "") for one in names if "-" in one and " " not in one]
    return [*_with_spaces(names), *joined, *LINE.findall(options["line"])]


def _with_spaces(names):
    return dict.fromkeys([*names, *(name.replace("-", " ") for name in names)])


def models(how):
    """List models by the names that they go by, where few have the part."""
    names = [one.name for one in users.files() if SIZES.sub("", one.name) in how]
    for _, question in users.questions(how):
        found = [*users.users(question).values()]
        names += found if len(found) <= FEW else []
    return names_of_models(names)


def names_of_models(names):
    """List how models are searched for: without their sizes, also without hyphens."""
    return [*_with_spaces([SIZES.sub("", one) for one in names])]


class Card(SphinxDirective):
    """The directive: a list of what a card has to say beside its text."""

    option_spec = dict.fromkeys(FIELDS, directives.unchanged_required)

    def run(self):
        """Return the list, or complain about what is missing."""
        if missing := [name for name in FIELDS if name not in self.options]:
            raise self.error(f"model-part: {', '.join(missing)} missing")
        lines = [":::{div} aw-card", *told(self.options).splitlines(), ":::"]
        source, line = self.get_source_info()
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, source), line, node)
        names = [*spellings(self.options), *models(self.options["used"])]
        return [addnodes.index(entries=[], names_of_card=names), *node.children]


class NamesLeadToCards(SphinxTransform):
    """What a card is called leads to the heading above it, in search."""

    default_priority = 840  # before the index is collected, at 850

    def apply(self, **_):
        """Fill in the entries of one page."""
        for node in self.document.findall(addnodes.index):
            if "names_of_card" not in node:
                continue
            section = node.parent
            while not isinstance(section, nodes.section) and section.parent:
                section = section.parent
            place = section["ids"][0]
            page = self.env.docname.rpartition("/")[2]
            lines = _lines().get(f"{page}.html#{place}", ())
            for name in dict.fromkeys([*node["names_of_card"], *lines]):
                entry = ("single", name, place, "main", None)
                node["entries"].append(entry)


@cache
def _lines():
    """Return {address of a card: lines that families read, or published files have}."""
    found = defaultdict(list)
    read = frozenset().union(*(lines for lines, _ in users.families().values()))
    for name in sorted(read.union(*(one.lines for one in users.files()))):
        if card := of_line(name):
            found[card[1]].append(name)
    return found


def plain_card(argument, options, body, reader):
    """Return the same for copies of the notebooks."""
    return plain_text(told(options), reader)


def setup(app):
    """Register with Sphinx."""
    app.add_directive("model-part", Card)
    app.add_transform(NamesLeadToCards)
