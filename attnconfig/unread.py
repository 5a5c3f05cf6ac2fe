"""Lines that a family did not read: harmless with a reason, or they refuse totals."""

from collections.abc import Iterator
from typing import Any

from attnconfig import keys
from attnconfig.attention import Grouped
from attnconfig.model import Model
from attnconfig.noted import ALL, MISSING, PARAMETERS, Noted

RESTATED = {
    "head_dim": "d_k",
    "attention_head_dim": "d_k",
    "num_key_value_heads": "kv_heads",
    "v_head_dim": "values",
}


def refuse_unread(c: Noted, model: Model, inside: str = "") -> None:
    """Refuse the totals that lines not read could change."""
    for key, value in c.lines.items():
        if _is_open(c, key, value) and not _restates(c, key, value, model):
            few = keys.like(key, keys.table()["only_parameters"].split())
            c.refuse(unknown(inside + key, value), *(PARAMETERS if few else ALL))
    for key, lines in c.nested.items():
        refuse_unread(lines, model, f"{inside}{key}.")
        for total, sentence in lines.refused.items():
            c.refuse(sentence, total)


def _is_open(c: Noted, key: str, value: Any) -> bool:
    """Say whether a line says something that nobody read, and that could matter."""
    known = key in c.seen or key in c.ignored or key == "model_type"
    return bool(value) and not known and keys.harmless(key, value) is None


def unknown(key: str, value: Any) -> str:
    """Say that a key is not known."""
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    return f"{key} = {shown}: not known here, and it could change this total."


def _restates(c: Noted, key: str, value: Any, model: Model) -> bool:
    """Say whether a line only says again what another says, or what follows anyway."""
    attentions = [layer.attention for layer in model.layers if layer.attention]
    if key in RESTATED and attentions:
        return all(
            isinstance(each, Grouped) and getattr(each, RESTATED[key]) == value
            for each in attentions
        )
    said = (name for name in keys.other_names(key) if name in c.seen)
    return any(c.lines.get(name, MISSING) == value for name in said)


def unsaid(c: Noted) -> Iterator[str]:
    """Yield unread lines that may change what attention computes, though no total."""
    yield from sorted(c.assumed)
    for key, value in c.lines.items():
        row = keys.harmless(key, value)
        known = key in c.seen or key in c.ignored
        if value and row and row.changes == "attention" and not known:
            yield key
