"""The table of families: ``families.toml``, a row of which is read into a `Family`.

What no row can say is a function, which the row names: see `building.way`.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from attnconfig.building import WAYS, Some, Which
from attnconfig.facts import Facts
from attnconfig.family import Family
from attnconfig.heads import Heads, Says
from attnconfig.networks import Mixture, Wide
from attnconfig.part import LAYER, LAYER_NO_BIAS, PLAIN
from attnconfig.turning import FULL, Turn

FAMILIES: dict[str, tuple[Family, dict[str, int]]] = {}  # with sizes of a text_config

NORMS = {"LayerNorm": LAYER, "LayerNorm, no bias": LAYER_NO_BIAS, "plain": PLAIN}
FACTS, HEADS = ({field.name for field in fields(of)} for of in (Facts, Heads))
FLAGS = ("bias", "out_bias", "normed", "gated", "shared_bias", "head_bias")
SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    "vocab_size",
)
WAYS_OF = ["read", "change", "around", "states", "beside", "behind", "own", "layers"]


def line(said: str, default: Any = None) -> Says:
    """Read the name of a line, and what holds without it: ``num_experts = 8``."""
    key, _, given = said.partition(" = ")
    if given:
        is_value = given[0] in "0123456789tf"
        default = json.loads(given) if is_value else line(given, False)
    return Says(key, default)


def way(said: Any) -> Any:
    """Find the function that a row names, alone or with what to call it with first."""
    if not said:
        return None
    if isinstance(said, dict):
        return {key: way(one) for key, one in said.items()}
    return WAYS[said] if isinstance(said, str) else WAYS[said[0]](*said[1:])


def some(said: Any) -> Some:
    """Read a rule that says which layers."""
    return Which(**said) if isinstance(said, dict) else way(said)


def turn(said: Any) -> Any:
    """Read a rotation, or one for each kind of layer; false: nothing turns."""
    if not said:
        return None
    if FULL in said:
        return {kind: Turn(**one) for kind, one in said.items()}
    return Turn(**said)


def entries(row: Mapping[str, Any]) -> dict[str, Any]:
    """Read what a row, or a part of one, says."""
    return {key: _entry(key, said) for key, said in row.items()}


def _entry(key: str, said: Any) -> Any:
    if key in FLAGS and isinstance(said, str):
        return line(said, False)
    if key in WAYS_OF:
        return way(said)
    return MADE[key](said) if key in MADE else said


def _facts_apart(own: dict[str, Any]) -> dict[str, Any]:
    """Put what heads compute, and no field of `Heads` says, into its facts."""
    facts = {key: own.pop(key) for key in own.keys() & FACTS - HEADS}
    return {**own, "facts": facts}


MADE: dict[str, Callable[[Any], Any]] = {
    "turn": turn,
    "some": some,
    "kinds": lambda said: {kind: some(rule) for kind, rule in said.items()},
    "norm": NORMS.__getitem__,
    "norms": lambda n: n if isinstance(n, int) else [line(n[0]), *n[1:]],
    "scale": lambda said: line(said) if isinstance(said, str) else said,
    "shared": line,
    "shared_width": line,
    "expert": lambda said: Wide(**entries(said)),
    "dense": lambda said: Wide(**entries(said)),
    "heads": lambda said: Heads(**_facts_apart(entries(said))) if said else None,
    "network": lambda said: Wide(**entries(said)) if said else None,
    "experts": lambda said: Mixture(**entries(said)),
    "latent": lambda said: WAYS["Mla"](**entries(said)),
}


FIELDS = {"heads": "mixer", "latent": "mixer", "experts": "network"}


def family_of(row: Mapping[str, Any]) -> Family:
    """Read a row."""
    own = entries({key: said for key, said in row.items() if key != "sizes"})
    return Family(**{FIELDS.get(key, key): said for key, said in own.items()})


def enter_table() -> None:
    """Enter the families of ``families.toml``; ``like``: as another, but for this."""
    text = Path(__file__).with_name("families.toml").read_text("utf-8")
    table: dict[str, dict[str, Any]] = tomllib.loads(text)
    for names, row in table.items():
        if "like" in row:
            like = table[row.pop("like")]
            heads = {**like.get("heads", {}), **row.get("heads", {})}
            row = table[names] = {**like, **row, "heads": heads}
        sizes = dict(zip(SIZES, row.get("sizes", ()), strict=False))
        for name in names.split():
            FAMILIES[name] = family_of(row), sizes
