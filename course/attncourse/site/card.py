"""The directive that closes a card: a part of a model, under the names of the field.

    ## MLA

    **Can all heads do with one short row?** …   (the question, what is shown, code)

    :::{model-part}
    :names: MLA, multi-head latent attention
    :line: kv_lora_rank
    :keyword: scale=
    :used: line kv_lora_rank
    :source: DeepSeek-V2 {cite:p}`deepseek2024v2`, May 2024
    :unknown: How many numbers a row needs.
    :::

Each option is Markdown and becomes an item of a list; all are required. `none` stands
for no line of a configuration, and for no keyword of attnlib. What `used` says is asked
of the families of `attnconfig`, by `users`. Who searches for one of the names, without
what stands in brackets, or for a line, is led to the card.
"""

import re
from functools import cache
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from attnconfig.families import FAMILIES
from attnconfig.noted import Noted, Refusal
from attncourse.figures.configuration.models import MODELS
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
    "keyword": "no keyword: the cell above is all of it",
    "used": "no family by its file alone",
}
LINES = {"hidden_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 32}
LINES |= {"intermediate_size": 8192, "vocab_size": 32000}
MORE: tuple[dict[str, int], ...] = (
    {},
    {"num_key_value_heads": 8},
)  # some families take the one, some the other
MISSING = re.compile(r"(\w+) is missing\.")
BRACKETS = re.compile(r" \([^)]*\)")
LINE = re.compile(r"`(\w+_\w+)`")
SIZE = 8  # of what a family cannot do without
SECTIONS = {"rope_scaling": {"rope_type": "default", "mrope_section": [16, 24, 24]}}
OWN: dict[str, dict[str, Any]] = {  # what all files of a family say for themselves
    **dict.fromkeys(("glm4v_text", "glm4v_moe_text"), SECTIONS),
    **dict.fromkeys(("qwen2_vl_text", "qwen2_5_vl_text"), SECTIONS),
    **dict.fromkeys(("qwen3_vl_text", "qwen3_vl_moe_text"), SECTIONS),
    **dict.fromkeys(("qwen3_5_text", "qwen3_5_moe_text"), SECTIONS),
    "deepseek_v4": {"compress_ratios": [4, 128] * 12},
    "mamba2": {"num_heads": 128},
    "nemotron_h": {"hybrid_override_pattern": "M-M*" * 6},
}
FIRST = 6  # so many are told, those of lesson 14's menu first
MENU = {each["model_type"] for each in MODELS.values()}


@cache
def families():
    """Return {family: (lines it reads, parts of its layers)} of a file of few lines.

    The file has sizes, and what all files of a family say, so that the parts are those
    that it has where a file is silent. Encoders, and what needs more to be read, have
    no parts.
    """
    found = {}
    for name, (build, sizes) in FAMILIES.items():
        own = {"model_type": name, **LINES, **OWN.get(name, {})}
        tried = [_tried(build, own | more, sizes) for more in MORE]
        seen = frozenset.union(*(seen for seen, _ in tried))
        found[name] = seen, next((parts for _, parts in tried if parts), ())
    return found


def _tried(build, lines, sizes):
    """Build a family's model; where a size is missing, give it one, and try again."""
    noted = Noted(lines, sizes)
    try:
        layers = build(noted).layers
    except Refusal as problem:
        missing = MISSING.fullmatch(str(problem))
        if missing and missing[1] not in lines:
            return _tried(build, {**lines, missing[1]: SIZE}, sizes)
        return frozenset(noted.seen), ()
    return frozenset(noted.seen), tuple({p for each in layers for p in each.parts})


def users(how):
    """List the families that have something.

    Parameters
    ----------
    how : str
        "line NAME …": that read one of these lines; "part NAME": with a part of a layer
        that has this attribute set; "named WORDS": with a part that is called so.
    """
    kind, _, said = how.partition(" ")
    asked = {
        "line": lambda lines, parts: bool(lines & set(said.split())),
        "part": lambda lines, parts: any(_has(part, said) for part in parts),
        "named": lambda lines, parts: any(said in part.name for part in parts),
    }[kind]
    return sorted(name for name, have in families().items() if asked(*have))


def _has(part, names):
    for name in names.split("."):
        part = getattr(part, name, None)
    return part not in (None, False)


def told(options):
    """Return what a card says, as a list in Markdown."""
    said = {**options, "used": _users(options["used"])}
    items = (
        f"- **{title}:** {NONE.get(name) if said[name] == 'none' else said[name]}"
        for name, title in FIELDS.items()
    )
    return "\n".join(items)


def _users(how):
    if how == "none":
        return how
    found = sorted(users(how), key=lambda name: name not in MENU)
    names = ", ".join(f"`{name}`" for name in found[:FIRST])
    names += " …" if len(found) > FIRST else ""
    known = sum(bool(parts) for _, parts in families().values())
    reads = "read by" if how.startswith("line") else "by default in"
    return f"{reads} {len(found)} of {known} families: {names}"


def spellings(options):
    """List what a reader may search for: a card's names, also without hyphens, lines.

    Parameters
    ----------
    options : dict of str to str
    """
    names = re.split(r"[,;] ", BRACKETS.sub("", options["names"]))
    lines = LINE.findall(options["line"])
    return list(dict.fromkeys([*names, *(n.replace("-", " ") for n in names), *lines]))


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
        return [
            addnodes.index(entries=[], names_of_card=spellings(self.options)),
            *node.children,
        ]


class NamesLeadToCards(SphinxTransform):
    """What a card is called leads to the heading above it, in search."""

    default_priority = 840  # before the index is collected, at 850

    def apply(self, **_):
        """Fill in the entries of one page."""
        for node in self.document.findall(addnodes.index):
            section = node.parent
            while not isinstance(section, nodes.section) and section.parent:
                section = section.parent
            for name in node.get("names_of_card", ()):
                entry = ("single", name, section["ids"][0], "main", None)
                node["entries"].append(entry)


def plain_card(argument, options, body, reader):
    """Return the same for copies of the notebooks."""
    return told({name: plain_text(said, reader) for name, said in options.items()})


def setup(app):
    """Register with Sphinx."""
    app.add_directive("model-part", Card)
    app.add_transform(NamesLeadToCards)
