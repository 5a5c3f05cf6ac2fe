"""Lesson 14's live figure: a configuration's machine, layer by layer, and its costs.

In a notebook, in a folded cell tagged ``no-live`` and ``hide-input``:

    from attncourse.figures.configuration import live as configuration

    figure = configuration.panel("gpt-oss 20B", tokens=8192, bits=16)
    figure

The reader chooses one of a few models or pastes a ``config.json``; `panel` takes
``model=`` (one of `MODELS`), ``tokens=`` (a power of two) and ``bits=`` (16, 8 or 4).
``figure.compute()`` gives what is shown. What is pasted is read by the page's own
Python (on a published page it starts then, as *Run* does), or by the kernel.
"""

import json
from typing import NamedTuple

import traitlets

from attnconfig import decode, prefill, read
from attncourse.real_model.configuration.described import describe
from attncourse.real_model.configuration.pasted import answer

from ..kit.panel import LABEL, Panel, View, choice
from ..kit.widgets import ipywidgets
from . import still
from .models import MODELS

TOKENS = {f"{2**p:,}": 2**p for p in range(8, 21)}
BITS = {"16 bits": 16, "8 bits": 8, "4 bits": 4}
# What the page's Python runs on the text of a pasted file.
READER = """
from attncourse.real_model.configuration.pasted import answer
answer(text)
"""


class ConfigurationView(View, beside=__file__):
    """The models to choose from, as `describe` has them, and what is chosen."""

    names = traitlets.List().tag(sync=True)
    described = traitlets.List().tag(sync=True)
    model = traitlets.Int().tag(sync=True)
    tokens = traitlets.Int().tag(sync=True)
    bits = traitlets.Int().tag(sync=True)
    token_counts = traitlets.List(list(TOKENS.values())).tag(sync=True)
    bit_counts = traitlets.List(list(BITS.values())).tag(sync=True)
    reader = traitlets.Unicode(READER).tag(sync=True)
    sample = traitlets.Unicode().tag(sync=True)
    pasted = traitlets.Unicode().tag(sync=True)  # the text, for a kernel to read
    answer = traitlets.Unicode().tag(sync=True)  # what the kernel read, as JSON


class Costs(NamedTuple):
    """What the figure shows; None where a total is refused.

    Parameters
    ----------
    n_parameters, used : int
        What is stored, and what one token needs: of the embedding, one row.
    cache_bytes : float
    reading, writing : float
        Multiplications for each byte that is fetched, with weights of 16 bits.
    refused : dict of str to str
    """

    n_parameters: int | None
    used: int | None
    cache_bytes: float | None
    reading: float | None
    writing: float | None
    refused: dict


def panel(model="Llama 3 8B", tokens=8192, bits=16):
    """Return the live figure of lesson 14.

    Parameters
    ----------
    model : str
        One of `MODELS`.
    tokens : int
        How many tokens were read: a power of two from 256 to 1,048,576.
    bits : int
        Of one number in the cache: 16, 8 or 4.

    Returns
    -------
    Panel
        ``compute()`` gives the `Costs`.

    Raises
    ------
    ValueError
        If a value is not one of those.
    """
    _check("model", model, list(MODELS))
    _check("tokens", tokens, list(TOKENS.values()))
    _check("bits", bits, list(BITS.values()))
    named = {"tokens": f"{tokens:,}", "bits": f"{bits} bits"}
    controls = {
        "model": ipywidgets.Dropdown(
            description="Model", options=list(MODELS), value=model, style=LABEL
        ),
        "tokens": choice("Tokens", list(TOKENS), named["tokens"]),
        "bits": ipywidgets.ToggleButtons(
            description="Cache", options=list(BITS), value=named["bits"], style=LABEL
        ),
    }
    view = ConfigurationView(
        names=list(MODELS),
        described=[describe(read(each)) for each in MODELS.values()],
        model=list(MODELS).index(model),
        tokens=list(TOKENS).index(named["tokens"]),
        bits=list(BITS).index(named["bits"]),
        sample=json.dumps(MODELS["Mistral 7B"], indent=1),
    )
    view.observe(_answer, "pasted")
    costs = _compute(model, **named)
    return Panel(
        view,
        controls,
        still=lambda: still.layers(model, read(MODELS[model]), costs, named),
        compute=_compute,
    )


def _answer(change):
    change["owner"].answer = answer(change["new"])


def _check(name, value, allowed):
    if value not in allowed:
        rule = f"{name} must be one of {allowed}"
        raise ValueError(f"configuration: {rule}, got {value!r}")


def _compute(model, tokens, bits):
    found, n, n_bytes = read(MODELS[model]), TOKENS[tokens], BITS[bits] / 8
    costs = [each(found, n, cache_n_bytes=n_bytes) for each in (prefill, decode)]
    reading, writing = (cost and cost.per_byte for cost in costs)
    return Costs(
        found.n_parameters,
        None if found.refused else found.n_active_parameters,
        found.cache_bytes(n, n_bytes),
        reading,
        writing,
        found.refused,
    )
