"""The live figure beside lesson 14: a sliding cache, and the token heads rest on."""

from types import SimpleNamespace

import numpy as np

from attncourse.toys.echoes import measures as echo_measures
from attnlib import softmax

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.picture import MUTED, WEIGHTS, panels


def window(letters, now, curves, state):
    """Draw one letter's weights with the keys that are kept, and the loss by them."""
    figure, (left, right) = panels(1, 2, size=(7.2, 2.6))
    places = np.arange(len(letters))
    left.bar(places, now.all, color="none", edgecolor=MUTED, lw=0.8)
    left.bar(places, now.weights, color=WEIGHTS)
    left.set_xticks(places, letters, fontsize=8)
    left.set(title=f"Weights of the last “{letters[-1]}”", ylim=(0, 1))
    for name, curve in curves.items():
        color = WEIGHTS if name == state["beside"] else MUTED
        right.plot(np.arange(1, len(curve) + 1), curve, color=color, lw=1.5)
    right.plot(state["window"], now.rise, "o", color=WEIGHTS)
    right.set(title="How much the loss rises (nats)", xlabel="last keys kept")
    return figure


N_KEYS = echo_measures.PLACE + 1
LETTERS = tuple(echo_measures.example())
MODELS = {"rotary": "rotary", "sinusoids": "sinusoids", "ALiBi": "alibi"}
# What a cache keeps beside its last keys, and that cache's name where it is stored.
BESIDE = {
    "nothing": "window",
    LETTERS[0]: "window and start",
    f"{LETTERS[1]}, the second": "window and second",
}


def _scores(model):
    return np.array(echo_measures.load()[MODELS[model]][-1]["scores"]).round(3)


def _rises(model, beside):
    """Return the mean rise of the loss over the seeds, at every width."""
    models = echo_measures.load()[MODELS[model]]
    losses = [
        np.array(one["by_window"][BESIDE[beside]]) - one["loss"]["everything"]
        for one in models
    ]
    return np.mean(losses, axis=0).round(4)[:N_KEYS]


def _compute(window, beside, model):
    """Compute which keys are kept, the last letter's weights, and the loss's rise."""
    kept = np.arange(N_KEYS) >= N_KEYS - window
    place = list(BESIDE).index(beside) - 1
    if place >= 0:
        kept[place] = True
    scores, rise = _scores(model), _rises(model, beside)[window - 1]
    weights = softmax(np.where(kept, scores, -np.inf))
    return SimpleNamespace(kept=kept, weights=weights, rise=rise, all=softmax(scores))


panel = Figure(
    __file__,
    controls={
        "window": Slider("Last keys kept", N_KEYS, 1, N_KEYS, 1),
        "beside": Choice("Kept as well", "nothing", tuple(BESIDE)),
        "model": Choice("Model", "rotary", tuple(MODELS)),
    },
    data=lambda: {
        "letters": LETTERS,
        "keys": [f"{j} {letter}" for j, letter in enumerate(LETTERS, 1)],
        "scores": {name: _scores(name) for name in MODELS},
        "rises": {m: {b: _rises(m, b) for b in BESIDE} for m in MODELS},
        "besides": tuple(BESIDE),
        "widths": [f"{n} kept" for n in range(1, N_KEYS + 1)],
        "and": {one: "" if one == "nothing" else f" and {one}" for one in BESIDE},
        "how": {one: "rotary positions" if one == "rotary" else one for one in MODELS},
    },
    compute=_compute,
    still=lambda state, now: window(
        LETTERS, now, {b: _rises(state["model"], b) for b in BESIDE}, state
    ),
    sound={"weights": "weights"},
    title="What a sliding cache drops, and what that costs",
    summary=(
        "The model with {how.$model} keeps the last {window} keys{and.$beside} of "
        "23: the last letter gives “{letters.0}” {weights.0:.2f} of its weight, "
        "and {all.0:.2f} when every key is kept.",
        "The loss after letters rises by {rise:.2f} nats.",
    ),
    tables=(
        Table(
            "The last letter's weights",
            "keys",
            Line("kept", "kept"),
            Line("weight", "weights"),
            Line("with every key", "all"),
        ),
        Table(
            "How much the loss rises (nats), by the last keys that are kept",
            "widths",
            *(Line(f"beside: {one}", f"rises.$model.{one}") for one in BESIDE),
        ),
    ),
    said=(
        "“{letters.0}” gets {weights.0:.2f}",
        "loss {rise:+.2f} nats",
        "{window} last keys{and.$beside} kept",
    ),
)
