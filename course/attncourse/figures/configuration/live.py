"""Lesson 14's live figure: a configuration's machine, layer by layer, and its costs.

In a notebook, in a folded cell tagged ``no-live`` and ``hide-input``:

    from attncourse.figures.configuration import live as configuration

    figure = configuration.panel("gpt-oss 20B", tokens=8192, bits=16)
    figure

The reader chooses one of a few models or pastes a ``config.json``. What is pasted is
read by the page's own Python (on a published page it starts then, as *Run* does), or by
the kernel.
"""

import functools
import itertools
import json
from collections import Counter
from types import SimpleNamespace

from attnconfig import decode, prefill, read
from attncourse.real_model.configuration.described import describe
from attncourse.real_model.configuration.pasted import answer

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice, menu
from ..kit.picture import KEY, MUTED, QUERY, VALUE, WEIGHTS, panels
from .models import MODELS

COLORS = {
    "full_attention": WEIGHTS,
    "sliding_attention": QUERY,
    "chunked_attention": QUERY,
    "latent_attention": VALUE,
    "linear_attention": KEY,
    "conv": KEY,
    "hybrid": KEY,
}


def numbers_kept(layer, tokens):
    """Count the numbers that a layer keeps after so many tokens."""
    return sum(kept.numbers(tokens) for kept in layer.kept)


def layers(found, tokens):
    """Draw one bar for each layer of a `Model`: the numbers it keeps for the tokens."""
    figure, axis = panels(size=(6.4, 2.2))
    kept = [numbers_kept(layer, tokens) for layer in found.layers]
    colors = [COLORS.get(layer.kind, MUTED) for layer in found.layers]
    axis.bar(range(len(kept)), kept, color=colors)
    axis.set_xlabel("layer")
    axis.set_ylabel("numbers kept")
    return figure


TOKENS = tuple(2**p for p in range(8, 21))
# What the page's Python runs on the text of a pasted file.
READER = """
from attncourse.real_model.configuration.pasted import answer
answer(text)
"""


def _compute(model, tokens, bits):
    """Compute what a model stores, keeps and multiplies; None where that is refused."""
    found, drawn = _read(model)
    costs = [each(found, tokens, cache_n_bytes=bits / 8) for each in (prefill, decode)]
    reading, writing = (cost and cost.per_byte for cost in costs)
    counts = Counter(drawn["kinds"][k]["name"] for k in drawn["order"])
    runs = [(k, len([*run])) for k, run in itertools.groupby(drawn["order"])]
    ends = [*itertools.accumulate(n for _, n in runs)]
    kinds = [drawn["kinds"][k] for k, _ in runs]
    return SimpleNamespace(
        name=model,
        n_parameters=found.n_parameters,
        used=found.n_active_parameters,
        cache_bytes=found.cache_bytes(tokens, bits / 8),
        reading=reading,
        writing=writing,
        why=" ".join(dict.fromkeys(found.refused.values())),
        layers={  # equal ones in a row together
            "names": [
                f"layers {end - n + 1} to {end}" if n > 1 else f"layer {end}"
                for end, (_, n) in zip(ends, runs, strict=True)
            ],
            "kinds": [kind["name"] for kind in kinds],
            "told": [kind["told"] for kind in kinds],
            "kept": [numbers_kept(found.layers[end - 1], tokens) for end in ends],
        },
        mix=[f"{n} × {name}" for name, n in counts.items()],
        case="refused" if found.refused else "counted",
    )


@functools.cache
def _read(model):
    found = read(MODELS[model])
    return found, describe(found)


def _alone(data):
    """Return the data without what leads away from the page, and without the box's."""
    named = json.loads(json.dumps(data["models"]))
    for one in named.values():
        del one["family"]  # which is said of what was pasted alone
        one["lines"] = [[*line, card[:1]] for *line, card in one["lines"]]
        for kind in one["kinds"]:
            kind["cards"] = [card[:1] for card in kind["cards"]]
    return {"models": named}


panel = Figure(
    __file__,
    controls={
        "model": Choice("Model", "Llama 3 8B", tuple(MODELS), look=menu),
        "tokens": Choice("Tokens", 8192, {f"{n:,}": n for n in TOKENS}, look=choice),
        "bits": Choice("Cache", 16, {f"{n} bits": n for n in (16, 8, 4)}),
    },
    data=lambda: {
        "models": {name: _read(name)[1] for name in MODELS},
        "reader": READER,
        "sample": json.dumps(MODELS["Mistral 7B"], indent=1),
    },
    compute=_compute,
    still=lambda state, _: layers(_read(state["model"])[0], state["tokens"]),
    answer=answer,
    alone=_alone,
    heaviest=18_000,
    pictured=False,
    title="A model layer by layer, and what it costs",
    summary={
        "counted": (
            "{name}: {mix}.",
            "Parameters stored: {n_parameters:,}, used for one token: {used:,}.",
            "Cache after {tokens:,} tokens, at {bits} bits: {cache_bytes:B}.",
            "Multiplications per byte: {reading:.0f} in prefill, "
            "{writing:.2f} in decode.",
        ),
        "refused": "{name}. Refused. {why}",
    },
    tables=(
        Table(
            "Totals",
            "name",
            Line("Parameters stored", "n_parameters", "n"),
            Line("… used for one token", "used", "n"),
            Line("Cache", "cache_bytes", "B"),
            Line("Multiplications per byte, prefill", "reading", ".0f"),
            Line("… decode", "writing"),
            upright=False,
        ),
        Table(
            "Layers, in the order in which they are read",
            "layers.names",
            Line("kind", "layers.kinds"),
            Line("what it has", "layers.told"),
            Line("numbers kept", "layers.kept", ","),
        ),
    ),
    said={
        "counted": (
            "Parameters stored: {n_parameters:n}",
            "… used for one token: {used:n}",
            "Cache: {cache_bytes:B}",
            "Multiplications per byte, prefill: {reading:.0f}",
            "… decode: {writing:.2f}",
        ),
        "refused": "{name}: refused",
    },
)
