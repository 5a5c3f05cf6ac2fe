"""Live figure: tokens choose experts, and some come too late."""

from statistics import NormalDist
from types import SimpleNamespace

import numpy as np

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import INK, KEY, MUTED, WEIGHTS, panels

N_TOKENS, N_EXPERTS = 512, 8
MEAN = N_TOKENS // N_EXPERTS
SPREADS = (0, 0.25, 0.5, 0.75, 1)  # of how popular the experts are
STEPS, RATE = range(0, 101, 10), 0.01  # of the bias of each expert


def columns(now):
    """Draw each expert's tokens as a column: what is kept, and what is dropped."""
    figure, axis = panels(size=(6.4, 2.6), phone=2.6)
    places = np.arange(1, N_EXPERTS + 1)
    axis.bar(places, now.kept, color=WEIGHTS)
    axis.bar(places, now.late, bottom=now.kept, color=KEY)
    axis.axhline(now.room_for, color=INK, lw=1.2)
    axis.axhline(MEAN, color=MUTED, lw=0.8, ls=":")
    axis.set(xlabel="expert, the most popular first", ylabel="tokens")
    axis.set_xticks(places)
    return figure


def _balanced(spread):
    """Return what a bias makes of one batch, after each of `STEPS`.

    How many of 512 tokens choose each expert, the biases, and how many tokens choose
    another one than the one that each likes best.
    """
    rng = np.random.default_rng(14)
    liking = rng.standard_normal((N_TOKENS, N_EXPERTS))  # of the batch that is shown
    popular = [NormalDist().inv_cdf((i + 0.5) / N_EXPERTS) for i in range(N_EXPERTS)]
    popular, bias, found = -spread * np.array(popular), np.zeros(N_EXPERTS), []
    for step in range(STEPS[-1] + 1):
        if step in STEPS:
            chosen = (liking + popular + bias).argmax(axis=1)
            moved = chosen != (liking + popular).argmax(axis=1)
            load = np.bincount(chosen, minlength=N_EXPERTS)
            found.append(
                (load.tolist(), (bias.round(2) + 0).tolist(), int(moved.sum()))
            )
        others = rng.standard_normal((N_TOKENS, N_EXPERTS)) + popular + bias
        load = np.bincount(others.argmax(axis=1), minlength=N_EXPERTS)
        bias = bias + RATE * np.sign(MEAN - load)
    return found


BATCHES = {spread: _balanced(spread) for spread in SPREADS}


def _fill(room, spread, steps):
    """Return each expert's tokens: those that chose it, those taken, those dropped.

    Also each one's bias, how many tokens one has room for, all that are dropped, all
    places, those that stay empty, and how many tokens a bias has moved.
    """
    loads, biases, moved = BATCHES[spread][STEPS.index(steps)]
    room_for = int(room * MEAN + 1e-9)
    kept = [min(load, room_for) for load in loads]
    late = [load - one for load, one in zip(loads, kept, strict=True)]
    places = N_EXPERTS * room_for
    return SimpleNamespace(
        loads=loads,
        biases=biases,
        moved=moved,
        kept=kept,
        late=late,
        room_for=room_for,
        dropped=sum(late),
        places=places,
        empty=places - sum(kept),
    )


panel = Figure(
    __file__,
    controls={
        "room": Slider("Capacity factor", 1.25, 1.0, 3.0, 0.05, form=".2f"),
        "spread": Choice("Popularity spread", 0.5, SPREADS, look=choice),
        "steps": Slider("Steps of the bias", 0, STEPS[0], STEPS[-1], STEPS.step),
    },
    data=lambda: {
        "names": [f"expert {i + 1}" for i in range(N_EXPERTS)],
        "mean": MEAN,
        "spreads": SPREADS,
        "steps": list(STEPS),
        "batches": list(BATCHES.values()),
    },
    compute=_fill,
    still=lambda _, now: columns(now),
    title="512 tokens choose among 8 experts, and some come too late",
    summary=(
        "A capacity factor of {room:.2f} is room for {room_for} tokens an expert.",
        "{dropped} of 512 tokens are dropped, and {empty} of {places} places stay "
        "empty.",
        "After {steps} steps of the bias {moved} tokens go to another expert than "
        "the one they like best.",
    ),
    tables=Table(
        "Tokens of each expert",
        "names",
        Line("bias", "biases", ".2f"),
        Line("chose it", "loads", ","),
        Line("taken", "kept", ",", source="loads"),
        Line("dropped", "late", ",", source="loads"),
    ),
    said=(
        "{dropped} of 512 dropped",
        "{empty} of {places} places empty",
        "{moved} moved by the bias",
    ),
)
