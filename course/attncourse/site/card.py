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

Each option is Markdown and becomes an item of a list; all are required but `what` (it
is) and `server` (how one turns it on).
A card of several parts has a row for each, behind what is said of all of them:

    :::{model-part}
    :keyword: none
    :unknown: How well a trained index chooses.

    names: DSA, lightning indexer
    line: `index_topk`
    used: part index
    source: DeepSeek V3.2-Exp, September 2025

    names: NSA
    …
    :::

On the page each row is a fold under its names, the first of them open. `none` stands
for no line of a configuration, and for no keyword of attnlib. A question of the card
covers none of this: who looks something up need not guess. `used` is asked of files
that `attnconfig` reads, by `users`; other words than its own stand as they are.

The search leads to a card from each of its names, without what stands in brackets, from
a line that a family of `attnconfig` reads, and from a model of which the part tells
something. From a name in a fold that is shut, the search and the glossary lead to that
fold: it opens, and begins with a link to the card's heading.
"""

import re
from collections import defaultdict
from functools import cache

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from attncourse.real_model.configuration.cards import of_line
from attncourse.site import users
from sphinx_nokernel.export.markdown import plain_text
from sphinx_nokernel.nodes import revealed

FIELDS = {
    "names": "Names",
    "what": "What it is",
    "line": "In a file",
    "keyword": "In attnlib",
    "server": "On a server",
    "used": "Who uses it",
    "source": "Source",
    "unknown": "Not known",
}
MAY_LACK = {"what", "server"}
NONE = {
    "line": "no line says it",
    "keyword": "no keyword",
    "used": "a file does not tell",
}
OPTION = re.compile(r"^:(\w+): (.+)\n", re.MULTILINE)
BRACKETS = re.compile(r" \([^)]*\)")
LINE = re.compile(r"`(\w+_\w+)`")
ARXIV, LINK = re.compile(r"arXiv:([\d.]+\d)"), r"[\g<0>](https://arxiv.org/abs/\1)"
LETTER = r"(?<=\b\w)-"  # a hyphen behind a single letter, as in M-RoPE
SIZES = re.compile(r"[ -]E?\d[\dx.]*B\b.*")  # of a model, in its name
FOLDS = "attncourse_folds"  # of a page: by section, which name leads to which fold
FACTS = "Configuration, users, source"
FEW = 20  # a part that more families have tells little of a model:
FIRST = 6  # so many of them are told, and none is led there
REST = "and [others](all_families.md)"


def options_and_body(text):
    """Split what stands in the directive as Sphinx does."""
    return dict(OPTION.findall(text)), OPTION.sub("", text)


def rows(options, body=""):
    """List what is said of each part: its own row, and what holds for all.

    Parameters
    ----------
    options : dict of str to str
        What is said of all, or of the one part.
    body : str
        A row for each part, with a blank line between any two.

    Returns
    -------
    list of dict of str to str
    """
    own = [
        dict(line.split(": ", 1) for line in row.splitlines())
        for row in re.split(r"\n\s*\n", body.strip())
        if row
    ]
    return [{**options, **row} for row in own or [{}]]


def told(options, body=""):
    """Return what a card says, as a list in Markdown."""
    each = rows(options, body)
    if len(each) == 1:
        return "\n".join(_items(each[0], each[0]))
    found = []
    for row in each:
        found += [f"- **{row['names']}**", *_items(row, _own(row, options), "  ")]
    if options:
        found += ["- **Each of them**", *_items(options, options, "  ")]
    return "\n".join(found)


def folded(options, body=""):
    """Return the same with a fold for each row, where there are several."""
    each = rows(options, body)
    if len(each) == 1:
        return told(options, body)
    found, shown = [], " toggle-shown"
    for row in each:
        found += [f":::{{admonition}} {row['names']}", f":class: dropdown{shown}"]
        found += ["", *_items(row, _own(row, options)), ":::", ""]
        shown = ""
    if options:
        found += ["**Each of them**", "", *_items(options, options)]
    return "\n".join(found)


def _own(row, options):
    return [name for name in row if name not in options and name != "names"]


def _items(said, which, margin=""):
    for name, title in FIELDS.items():
        if name in which:
            text = _used(said[name]) if name == "used" else said[name]
            text = NONE.get(name) if text == "none" else ARXIV.sub(LINK, text)
            yield f"{margin}- **{title}:** {text}"


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
    joined = [(LETTER if " " in one else "-", one) for one in names if "-" in one]
    joined = [re.sub(hyphen, "", one) for hyphen, one in joined]
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
    has_content = True

    def run(self):
        """Return the list, or complain about what is missing."""
        each = rows(self.options, "\n".join(self.content))
        needed = FIELDS.keys() - MAY_LACK
        if missing := {name for row in each for name in needed - row.keys()}:
            raise self.error(f"model-part: {', '.join(sorted(missing))} missing")
        said = folded(self.options, "\n".join(self.content))
        lines = ["::::{div} aw-card", *said.splitlines(), "::::"]
        source, line = self.get_source_info()
        node = nodes.Element()
        self.state.nested_parse(StringList(lines, source), line, node)
        shut = {}  # the names of each fold but the first, which is open
        for row, fold in [*zip(each, node.findall(nodes.admonition), strict=False)][1:]:
            fold["ids"] = [place_of_row(row)]
            own = {*spellings(row)}.difference(spellings(each[0]))
            shut |= dict.fromkeys(own, fold["ids"][0])
        names = [name for row in each for name in spellings(row)]
        names += [name for row in each for name in models(row["used"])]
        index = addnodes.index(entries=[], names_of_card=names, places=shut)
        return [revealed(), index, *node.children]


def place_of_row(row):
    """Return the id of a row's fold: its first name, with a line for each space."""
    name = re.split("[,;] ", BRACKETS.sub("", row["names"]))[0].replace("'", "’")
    return "part-" + re.sub(r"[^\w’-]+", "_", name)


class NamesLeadToCards(SphinxTransform):
    """What a card is called leads to the heading above it, in search."""

    default_priority = 840  # before the index is collected, at 850

    def apply(self, **_):
        """Fill in the entries of one page, and note which names lead to a fold."""
        folds = self.env.metadata[self.env.docname].setdefault(FOLDS, {})
        for node in [*self.document.findall(addnodes.index)]:
            if "names_of_card" not in node:
                continue
            section = node.parent
            while not isinstance(section, nodes.section) and section.parent:
                section = section.parent
            place = section["ids"][0]
            if isinstance(section.parent, nodes.section):  # a card, not a lesson
                _lead_down(section, node.next_node(nodes.container, siblings=True))
            _lead_up(section)
            page = self.env.docname.rpartition("/")[2]
            lines = _lines().get(f"{page}.html#{place}", ())
            places = node.get("places", {})
            for name in dict.fromkeys([*node["names_of_card"], *lines]):
                entry = ("single", name, places.get(name, place), "main", None)
                node["entries"].append(entry)
            folds[place] = {name.casefold(): id_ for name, id_ in places.items()}


def _lead_down(section, facts):
    """Begin a card with a link to what it says beside its text."""
    facts["ids"] = [f"{section['ids'][0]}-facts"]
    down = nodes.reference("", FACTS, internal=True, refid=facts["ids"][0])
    section.insert(1, nodes.paragraph("", "", down, classes=["aw-to-facts"]))


def _lead_up(section):
    """Begin each fold that names lead to with a link to the heading of its card."""
    for fold in section.findall(nodes.admonition):
        if fold["ids"]:
            title = nodes.emphasis("", section[0].astext())
            up = nodes.reference("", "", title, internal=True, refid=section["ids"][0])
            fold.insert(1, nodes.paragraph("", "Part of the card ", up))


class TermsLeadToFolds(SphinxPostTransform):
    """In the glossary, links to a card lead to the folds that have the term's names."""

    default_priority = 700  # after references are resolved
    formats = ("html",)

    def run(self, **_):
        """Rewrite the links of one page, and add one for each further fold."""
        relative = self.app.builder.get_relative_uri
        folds = {
            f"{relative(self.env.docname, page)}#{place}": names
            for page, told in self.env.metadata.items()
            for place, names in told.get(FOLDS, {}).items()
        }
        for item in self.document.findall(nodes.definition_list_item):
            terms = [one.astext() for one in item.findall(nodes.term)]
            for link in [*item.findall(nodes.reference)]:
                page, names = link.get("refuri", "").partition("#")[0], {}
                for term in terms:
                    if fold := folds.get(link.get("refuri"), {}).get(term.casefold()):
                        names.setdefault(f"{page}#{fold}", term)
                further = []
                for address, term in names.items():
                    if term == terms[0]:
                        link["refuri"] = address
                    else:
                        more = nodes.reference("", term, internal=True, refuri=address)
                        further += [nodes.Text(", "), more]
                at = link.parent.index(link) + 1
                link.parent[at:at] = further


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
    return plain_text(told(options, body), reader)


def setup(app):
    """Register with Sphinx."""
    app.add_directive("model-part", Card)
    app.add_transform(NamesLeadToCards)
    app.add_post_transform(TermsLeadToFolds)
