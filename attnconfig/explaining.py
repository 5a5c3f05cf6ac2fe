"""An explanation of each line of a file, and of what another value would change."""

from collections.abc import Iterator
from typing import Any

from attnconfig import keys
from attnconfig.attention import Grouped
from attnconfig.keys import Line
from attnconfig.model import Model
from attnconfig.noted import ALL, MISSING, PARAMETERS, Noted

# Lines that a family did not read: harmless with a reason, or they refuse totals.

RESTATED = {
    "head_dim": "d_k",
    "attention_head_dim": "d_k",
    "num_key_value_heads": "kv_heads",
    "v_head_dim": "d_v",
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
            isinstance(each, Grouped) and getattr(each.facts, RESTATED[key]) == value
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


STRETCHED = ("rope_scaling", "rope_parameters")


def explain(c: Noted, family: str | None, inside: str = "") -> list[Line]:
    """Say of each line of a family's file what it says.

    Parameters
    ----------
    c : Noted
        After the family has read it.
    family : str or None
    inside : str
        What the names of the lines begin with.
    """
    return [Line(inside + key, *_line(c, key, c.lines[key], family)) for key in c.lines]


def _line(
    c: Noted, key: str, value: Any, family: str | None
) -> tuple[keys.Changes, str]:
    if key in STRETCHED and isinstance(value, dict):
        return "attention", stretch(value)
    if key in c.ignored and (key not in c.seen or keys.sentence(key) is None):
        return c.ignored[key]
    return _again(c, key) or _read(c, key, family) or unread(key, value)


def _again(c: Noted, key: str) -> tuple[keys.Changes, str] | None:
    """Say that a line says again what another one says, which was read."""
    said = (name for name in keys.other_names(key) if name in c.seen & c.lines.keys())
    again = next(said, None)
    if key in c.seen or again is None:
        return None
    return "totals", f"Says what {again} says."


def _read(c: Noted, key: str, family: str | None) -> tuple[keys.Changes, str] | None:
    """Say what a line says that its family read, or would have read."""
    if key in c.fixed and keys.sentence(key) is None:
        allowed = " or ".join(map(repr, c.fixed[key]))
        return "totals", f"Anything but {allowed} is refused here."
    known = key in c.seen or key == "model_type" or family is None
    return keys.sentence(key) if known else None


def unread(key: str, value: Any) -> tuple[keys.Changes, str]:
    """Say what a line says that no family reads, or none here."""
    row, said = keys.harmless(key, value), keys.sentence(key)
    if row is not None:
        return row.changes, said[1] if said and row.changes == said[0] else row.why
    empty: tuple[keys.Changes, str] = ("nothing", "Nothing is said.")
    return ("unknown", "Not known here.") if value else empty


def stretch(said: dict[str, Any]) -> str:
    """Say how positions are stretched: what the file says, by its own name."""
    own = [each for each in said.values() if isinstance(each, dict)] or [said]
    told = []
    for each in own:
        kind = each.get("rope_type") or each.get("type") or "default"
        if "mrope_section" in each:
            kind = "mrope"
        named = f"{kind!r}: a stretch that is not described here."
        told.append(keys.table()["stretches"].get(str(kind), named))
        factor = each.get("factor")
        if isinstance(factor, int | float) and kind != "default":
            told[-1] += f" The factor is {factor:g}."
    return " ".join(dict.fromkeys(told))
