"""Which card of the book tells of a part of a layer, and of a line of a file."""

import tomllib
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


ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CARDS = [
    Card(f"{page}#{section}", **row)
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
    return [_link(card) for card in CARDS if _tells(card, layer)]


def of_line(key: str) -> list[str]:
    """Return the name and the address of the card of a line, or nothing."""
    name = key.rpartition(".")[2]
    found = (
        card for card in CARDS if any(fnmatch(name, one) for one in card.lines.split())
    )
    return next(map(_link, found), [])


def _link(card: Card) -> list[str]:
    page, _, section = card.address.partition("#")
    return [card.name, f"{page}.html#{section}"]


def _tells(card: Card, layer: Layer) -> bool:
    facts = layer.facts
    if facts and any(_has(facts, fact) for fact in card.fact.split()):
        return True
    networks = [p.each for p in layer.parts if isinstance(p, Experts)]
    return bool(card.part) and any(
        getattr(part, card.part, None) or card.part in part.name
        for part in (*layer.parts, *networks)
    )


def _has(facts: Facts, fact: str) -> bool:
    """Tell whether a fact is set, or has the value behind an equals sign."""
    if fact in OWN:
        return bool(OWN[fact](facts))
    names, _, wanted = fact.partition("=")
    value: Any = facts
    for name in names.split("."):
        value = getattr(value, name, None)
    return value == wanted if wanted else bool(value)
