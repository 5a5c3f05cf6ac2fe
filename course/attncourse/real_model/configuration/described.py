"""All that a figure draws of a configuration, as plain numbers, words and lists."""

from typing import Any

from attnconfig import Facts, Layer, Model, Rotary, costs
from attnconfig.networks import Experts
from attnconfig.weights import FORMATS, Rows
from attncourse.real_model.configuration import cards
from attncourse.real_model.configuration.calls import calls

TOTALS = ("n_parameters", "n_active_parameters")


def describe(model: Model) -> dict[str, Any]:
    """Return what is to be drawn.

    Parameters
    ----------
    model : Model

    Returns
    -------
    dict
        "family", "refused", "notes", the two counts of parameters, "outside": what is
        learned outside the layers, "kinds": the layers that differ, "order": which of
        them each layer is, "matrices", "output", "fetched" and "all": what is
        multiplied, and fetched for one token and for all, and "lines": each line of the
        file with its sentence and its card. Of products, the page computes what they
        come to, and how often they are there.
    """
    told = zip(model.layers, calls(model), strict=True)
    drawn = [_layer(model, layer, lines) for layer, lines in told]
    kinds = [each for i, each in enumerate(drawn) if each not in drawn[:i]]
    whole = not model.refused
    return {
        "family": model.family,
        "refused": model.refused,
        "notes": list(model.notes),
        **{name: getattr(model, name) for name in TOTALS},
        "outside": [_factors(one.equation) for one in model.outside],
        "kinds": kinds,
        "order": [kinds.index(each) for each in drawn],
        "matrices": costs.matrices(model) if whole else None,
        "output": costs.output_matrix(model) if whole else None,
        "fetched": costs.fetched(model) if whole else None,
        "all": costs.fetched(model, every=True) if whole else None,
        "lines": [[*line, cards.of_line(line.key)] for line in model.explain()],
    }


KINDS = {
    "full_attention": "full attention",
    "sliding_attention": "attention with a window",
    "chunked_attention": "attention in chunks",
    "latent_attention": "latent attention",
    "linear_attention": "a state, no keys",
    "conv": "a short convolution",
    "hybrid": "attention beside a state",
    "network": "a network alone",
}


def _layer(model: Model, layer: Layer, lines: list[str]) -> dict[str, Any]:
    facts = _facts(layer)
    return {
        "kind": layer.kind,
        "name": KINDS[layer.kind],
        "told": " · ".join([*_heads(layer), *_state(layer), *facts]),
        "kept": [
            {
                "row": kept.row,
                "bytes": FORMATS[kept.dtype] if kept.dtype else None,
                "reads": kept.reads,
                "rows": _rows(kept.rows),
            }
            for kept in layer.kept
        ],
        "work": [{"each": w.each, "rows": _rows(w.rows)} for w in layer.work],
        "experts": any(isinstance(part, Experts) for part in layer.parts),
        "cards": cards.of_layer(layer),
        "call": lines,
        "parts": [
            _factors(weight.equation)
            for part in layer.parts
            for weight in part.weights(model.width)
        ],
    }


def _factors(equation: str) -> str:
    return equation.rpartition(" = ")[0]


def _heads(layer: Layer) -> list[str]:
    """Say in words how many heads it has, and how far they see."""
    if (facts := layer.facts) is None:
        return []
    n, shared = facts.heads, facts.kv_heads
    sees = facts.chunk or (facts.window and facts.window[0] + 1)
    groups = f", {n // shared} to each of {shared} heads of keys" if shared < n else ""
    groups = ", all sharing one head of keys" if groups and shared == 1 else groups
    told = f"{n} heads of {facts.d_k}{groups}"
    if facts.latent:
        told = f"{n} heads, one latent row of {facts.latent} numbers"
    return [told, *([f"sees {sees:,} tokens"] if sees else [])]


def _state(layer: Layer) -> list[str]:
    n = sum(kept.row for kept in layer.kept if kept.rows is None)
    return [f"a state of {n:,} numbers"] if n else []


def _rows(rows: Rows | None) -> dict[str, Any] | None:
    return None if rows is None else vars(rows)


def _facts(layer: Layer) -> list[str]:
    """Say in words what the layer has."""
    told = [] if layer.facts is None else _of_attention(layer.facts)
    for part in layer.parts:
        if isinstance(part, Experts):
            more = ", and one that all use" if part.shared else ""
            told.append(f"{part.n} experts, {part.used} for a token{more}")
    return told


def _of_attention(facts: Facts) -> list[str]:
    told = [_rotation(facts.rotary, facts.d_k)] if facts.rotary else ["no rotation"]
    if facts.qk_norm:
        told.append("norm on queries and keys")
    names = {"sinks": "a learned sink for each head", "output_gate": "gated output"}
    told += [words for name, words in names.items() if getattr(facts, name)]
    if facts.chosen:
        told.append(f"an indexer lets a query see {facts.chosen:,} keys")
    if facts.softcap:
        told.append(f"scores capped at {facts.softcap}")
    if facts.scale != facts.d_k**-0.5:
        told.append(f"scores times {facts.scale:.4g}")
    if facts.keys_of is not None:
        told.append(f"the keys and values of layer {facts.keys_of + 1}")
    return told


def _rotation(rotary: Rotary, d_k: int) -> str:
    said = f"rotation, base {rotary.base:,.0f}"
    said += f", of {rotary.columns} of {d_k} columns" if rotary.columns != d_k else ""
    if rotary.sections:
        said += ", pairs shared among time, height and width (one in text)"
    factor = rotary.scaling.get("factor")
    times = f" {factor:g} times" if isinstance(factor, int | float) else ""
    return said + (f", stretched{times} by {rotary.stretch}" if rotary.scaling else "")
