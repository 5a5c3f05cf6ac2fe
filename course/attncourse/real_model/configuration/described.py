"""All that a figure draws of a configuration, as plain numbers, words and lists."""

from typing import Any

from attnconfig import Facts, Layer, Model, Rotary, costs
from attnconfig.networks import Experts
from attnconfig.weights import FORMATS, Rows
from attncourse.real_model.configuration import cards
from attncourse.real_model.configuration.calls import calls

# Configurations of published models that the lessons speak of, as they are published.
#
# Lines of training and of tokens are left out.

LLAMA_3_8B = {
    **{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8},
    **{"intermediate_size": 14336, "vocab_size": 128256, "hidden_act": "silu"},
    **{"rope_theta": 500_000.0, "rms_norm_eps": 1e-5, "tie_word_embeddings": False},
}
MISTRAL_7B = {
    **{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8},
    **{"intermediate_size": 14336, "vocab_size": 32000, "hidden_act": "silu"},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-5, "tie_word_embeddings": False},
    "sliding_window": 4096,
}
GEMMA_2_9B = {
    **{"model_type": "gemma2", "hidden_size": 3584, "num_hidden_layers": 42},
    **{"num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256},
    **{"intermediate_size": 14336, "vocab_size": 256000},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-6, "sliding_window": 4096},
    **{"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0},
    **{"query_pre_attn_scalar": 256, "hidden_activation": "gelu_pytorch_tanh"},
}


TOTALS = ("n_parameters", "n_active_parameters")


def describe(model: Model) -> dict[str, Any]:
    """Return what is to be drawn.

    Parameters
    ----------
    model : Model

    Returns
    -------
    dict
        "family", "refused", "notes", the two counts of parameters, "equations" of the
        first, "kinds": the layers that differ, "order": which of them each layer is,
        "matrices", "output", "fetched" and "all": what is multiplied, and fetched for
        one token and for all, and "lines": each line of the file with its sentence
        and its card.
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
        "equations": model.equations,
        "kinds": kinds,
        "order": [kinds.index(each) for each in drawn],
        "matrices": costs.matrices(model) if whole else None,
        "output": costs.output_matrix(model) if whole else None,
        "fetched": costs.fetched(model) if whole else None,
        "all": costs.fetched(model, every=True) if whole else None,
        "lines": [[*line, cards.of_line(line.key)] for line in model.explain()],
    }


def _layer(model: Model, layer: Layer, lines: list[str]) -> dict[str, Any]:
    facts = layer.facts
    sizes = ("heads", "kv_heads", "d_k", "d_v", "latent")
    sees = facts and (facts.chunk or (facts.window and facts.window[0] + 1))
    return {
        "kind": layer.kind,
        **{name: getattr(facts, name, None) for name in sizes},
        "window": sees,
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
        "facts": _facts(layer),
        "cards": cards.of_layer(layer),
        "call": lines,
        "parts": [
            weight.equation
            for part in layer.parts
            for weight in part.weights(model.width)
        ],
    }


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
