"""The live figure beside lesson 14: a sliding cache, and the token heads rest on."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attncourse.toys.echoes import measures as echo_measures
from attnlib import softmax

from ..kit.checks import check_whole
from ..kit.panel import LABEL, Panel, View, numbers, slider
from ..kit.widgets import ipywidgets
from . import still

N_KEYS = echo_measures.PLACE + 1
LETTERS = tuple(echo_measures.example())
MODELS = {"rotary": "rotary", "sinusoids": "sinusoids", "ALiBi": "alibi"}
# What a cache keeps beside its last keys, and that cache's name where it is stored.
BESIDE = {
    "nothing": "window",
    LETTERS[0]: "window and start",
    f"{LETTERS[1]}, the second": "window and second",
}


class SinksView(View, beside=__file__):
    """Scores of one letter, and the loss by the keys that are left, for each model."""

    letters = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scores = traitlets.List().tag(sync=True)
    rises = traitlets.List().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    window = traitlets.Int().tag(sync=True)
    beside = traitlets.Int().tag(sync=True)
    model = traitlets.Int().tag(sync=True)


def panel(window=23, beside="nothing", model="rotary"):
    """Return the live figure beside lesson 14.

    Parameters
    ----------
    window : int
        How many of the last keys the cache holds, from 1 to 23, which is all.
    beside : str
        What it keeps as well: "nothing", "^" or "e, the second".
    model : str
        How the model is told the order: "rotary", "sinusoids" or "ALiBi".

    Returns
    -------
    Panel
        ``compute()`` gives, for the last letter of the text, which keys are ``kept``
        and its ``weights``; and the ``rise`` of the loss after letters, in nats, above
        that of a cache with every key.

    Raises
    ------
    ValueError
        If a value is not one of those.
    """
    window = check_whole("sinks", "window", window, 1, N_KEYS)
    _check("beside", beside, BESIDE)
    _check("model", model, MODELS)
    view = SinksView(
        letters=list(LETTERS),
        scores=[numbers(_scores(name), 3) for name in MODELS],
        rises=[[numbers(_rises(m, b), 4) for b in BESIDE] for m in MODELS],
        names=list(MODELS),
        window=window,
        beside=list(BESIDE).index(beside),
        model=list(MODELS).index(model),
    )
    controls = {
        "window": slider("Last keys kept", window, 1, N_KEYS, 1),
        "beside": _buttons("Kept as well", BESIDE, beside),
        "model": _buttons("Model", MODELS, model),
    }
    return Panel(
        view,
        controls,
        still=lambda: still.window(LETTERS, **_told(window, beside, model)),
        compute=_compute,
    )


def _buttons(name, options, value):
    return ipywidgets.ToggleButtons(
        description=name, options=tuple(options), value=value, style=LABEL
    )


def _check(name, value, known):
    if isinstance(value, bool) or value not in tuple(known):
        raise ValueError(f"sinks: {name} must be one of {list(known)}, got {value!r}")


def _scores(model):
    return np.array(echo_measures.load()[MODELS[model]][-1]["scores"])


def _rises(model, beside):
    """Return the mean rise of the loss over the seeds, at every width."""
    models = echo_measures.load()[MODELS[model]]
    losses = [
        np.array(one["by_window"][BESIDE[beside]]) - one["loss"]["everything"]
        for one in models
    ]
    return np.mean(losses, axis=0)


def _compute(window, beside, model):
    kept = np.arange(N_KEYS) >= N_KEYS - window
    place = list(BESIDE).index(beside) - 1
    if place >= 0:
        kept[place] = True
    weights = softmax(np.where(kept, _scores(model), -np.inf))
    rise = _rises(model, beside)[window - 1]
    return SimpleNamespace(kept=kept, weights=weights, rise=rise)


def _told(window, beside, model):
    now = _compute(window, beside, model)
    curves = {name: _rises(model, name) for name in BESIDE}
    everything = softmax(_scores(model))
    return {
        "everything": everything,
        "now": now,
        "curves": curves,
        "said": (window, beside, model),
    }
