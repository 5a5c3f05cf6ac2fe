"""All that a figure draws of a configuration, as plain numbers, words and lists."""

import math

from attncourse.real_model.configuration import calls, costs, equations, meanings

TOTALS = ("n_parameters", "n_active_parameters")


def describe(config, found):
    """Return what is to be drawn.

    Parameters
    ----------
    config : dict
    found : Configuration
        What `read` made of it.

    Returns
    -------
    dict
        "family", "refused", the two counts of parameters, "equations" of the first,
        "kinds": the layers that differ, "order": which of them each layer is,
        "matrices", "output" and "fetched": what `costs` multiplies and fetches, and
        "lines": each line of the file with its sentence.
    """
    drawn = [_layer(layer) for layer in found.layers]
    kinds = [each for i, each in enumerate(drawn) if each not in drawn[:i]]
    whole = not found.refused
    return {
        "family": found.family,
        "refused": found.refused,
        **{name: getattr(found, name) for name in TOTALS},
        "equations": equations.parameters(found),
        "kinds": kinds,
        "order": [kinds.index(each) for each in drawn],
        "matrices": costs.matrices(found) if whole else None,
        "output": costs.output_matrix(found) if whole else None,
        "fetched": costs.fetched(found) if whole else None,
        "lines": [list(line) for line in meanings.explain(config)],
    }


def _layer(layer):
    states = [math.prod(shape) for shape in layer.state.values()]
    return {
        **{name: getattr(layer, name) for name in ("kind", "heads", "kv_heads")},
        **{"d_k": layer.d_k, "d_v": layer.d_v, "window": layer.window},
        **{"row": layer.row, "perKey": layer.per_key, "state": sum(states)},
        "facts": _facts(layer),
        "call": calls.call(layer),
        "parts": [f"{part.name}: {part.equation}" for part in layer.parts],
    }


def _facts(layer):
    """Say in words what the layer has."""
    has = layer.features
    told = [_rotation(has["rotation"])] if "rotation" in has else []
    if layer.heads and "rotation" not in has:
        told.append("no rotation")
    if "qk_norm" in has:
        told.append("norm on queries and keys")
    names = {"sinks": "a learned sink for each head", "output_gate": "gated output"}
    told += [words for name, words in names.items() if name in has]
    for name, words in (("softcap", "scores capped at"), ("scale", "scores times")):
        told += [f"{words} {has[name]}"] if name in has else []
    if "experts" in has:
        e = has["experts"]
        more = ", and one that all use" if e["shared"] else ""
        told.append(f"{e['n']} experts, {e['used']} for a token{more}")
    return told


def _rotation(rotation):
    base, share = rotation.get("base"), rotation.get("share")
    said = f"rotation, base {base:,.0f}" if base else "rotation"
    said += f", of {share:.0%} of the columns" if share and share != 1 else ""
    scaling = rotation.get("scaling") or {}
    kind = scaling.get("rope_type") or scaling.get("type")
    if kind == "mrope":
        return said + ", pairs shared among time, height and width (not drawn)"
    factor = scaling.get("factor")
    times = f" {factor:g} times" if isinstance(factor, (int, float)) else ""
    return said + (f", stretched{times} by {kind}" if kind else "")
