"""Cards of the book by part of a layer, and by line of a file."""

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from attnconfig import Facts, Layer
from attnconfig.networks import Experts


class Card(NamedTuple):
    """A card, as a row of `cards.toml` has it; its address is a page and a section."""

    address: str
    name: str
    lines: str
    fact: str = ""
    part: str = ""
    by: str = ""
    called: Mapping[str, str] = {}
    whole: bool = False


ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CARDS = [
    Card(f"{page}#{row.pop('at', section)}", **row)
    for page, sections in ROWS.items()
    for section, row in sections.items()
]
# What no single fact says.
OWN = {
    "shared": lambda facts: facts.kv_heads < facts.heads and not facts.latent,
    "other_keys": lambda facts: facts.keys_of is not None,
    "some_columns": lambda facts: (
        facts.rotary and facts.rotary.columns != facts.d_k and not facts.latent
    ),
}


def of_layer(layer: Layer) -> list[list[str]]:
    """Return the name and the address of each card that tells of a layer."""
    return [_link(card, layer) for card in CARDS if _tells(card, layer)]


def of_model(lines: Mapping[str, Any]) -> list[list[str]]:
    """Return the same of each card of a whole model of which a line tells."""
    set_lines = [name for name, value in lines.items() if value]
    return [
        _link(card)
        for card in CARDS
        if card.whole and any(_of(card, name) for name in set_lines)
    ]


def of_line(key: str) -> list[str]:
    """Return the name and the address of the card of a line, or nothing."""
    name = key.rpartition(".")[2]
    return next((_link(card) for card in CARDS if _of(card, name)), [])


def _of(card: Card, name: str) -> bool:
    return any(fnmatch(name, one) for one in card.lines.split())


def _link(card: Card, layer: Layer | None = None) -> list[str]:
    page, _, section = card.address.partition("#")
    name = layer and card.called.get(_value(layer.facts, card.by))
    return [name or card.name, f"{page}.html#{section}"]


def _tells(card: Card, layer: Layer) -> bool:
    facts = layer.facts
    if card.by and _value(facts, card.by) not in card.called:
        return False
    if facts and any(_has(facts, fact) for fact in card.fact.split()):
        return True
    return bool(card.part) and any(
        getattr(part, card.part, None) or card.part in part.name
        for part in with_networks(layer)
    )


def with_networks(layer: Layer) -> list[Any]:
    """Return a layer's parts, and what each of its experts is."""
    return [*layer.parts, *(p.each for p in layer.parts if isinstance(p, Experts))]


def _has(facts: Facts, fact: str) -> bool:
    """Tell whether a fact is set, or has the value behind an equals sign."""
    if fact in OWN:
        return bool(OWN[fact](facts))
    names, _, wanted = fact.partition("=")
    value = _value(facts, names)
    return value == wanted if wanted else bool(value)


def _value(facts: Facts | None, names: str) -> Any:
    value: Any = facts
    for name in names.split("."):
        value = getattr(value, name, None)
    return value
