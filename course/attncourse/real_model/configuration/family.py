"""The table of families: how each is built, and what its keys are when left out.

``families.toml`` is written by hand; ``defaults.json`` is taken from the configuration
classes of transformers, and `make parity` compares both with models built by it.
"""

import functools
import json
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
# Families of models that see or hear as well, and the one of their ``text_config``.
TEXT = {
    "gemma3": "gemma3_text",
    "llama4": "llama4_text",
    "mistral3": "mistral",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
}
# Keys whose value is one of these change no total, and neither do names of tokens.
HARMLESS_ENDS = ("_token_id", "_token_ids", "_token_index")


@functools.cache
def table():
    """Return all entries by family, each with the lines that it takes from others."""
    entries = tomllib.loads((HERE / "families.toml").read_text(encoding="utf-8"))
    base = entries.pop("base")
    return {name: base | _inherited(entries, name) for name in entries}


def _inherited(entries, name):
    entry = dict(entries[name])
    parent = entry.pop("like", None)
    return (_inherited(entries, parent) if parent else {}) | entry


@functools.cache
def inert():
    """Return what is said of keys that change no total of any family."""
    return json.loads((HERE / "inert.json").read_text(encoding="utf-8"))


@functools.cache
def all_defaults():
    """Return the defaults of all families, as transformers has them."""
    return json.loads((HERE / "defaults.json").read_text(encoding="utf-8"))


def defaults(name):
    """Return what a family's keys are when a configuration leaves them out."""
    stated = all_defaults().get(name, {}).get("defaults", {})
    return {**stated, **table()[name].get("defaults", {})}


def rope(name):
    """Return the rotation of a family whose file says nothing of it."""
    return all_defaults().get(name, {}).get("rope") or {}


def scores(name):
    """Return cap and scale of a family whose file says nothing of them."""
    return all_defaults().get(name, {}).get("scores", {})


def named_keys(entry):
    """List the keys that an entry reads: all that it writes as ``$key``."""
    if isinstance(entry, dict):
        return [key for value in entry.values() for key in named_keys(value)]
    is_key = isinstance(entry, str) and entry.startswith("$")
    return [entry[1:]] if is_key else []
