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


def _loads(spread):
    """How many of 512 tokens choose each expert: the one that each likes best."""
    liking = np.random.default_rng(14).standard_normal((N_TOKENS, N_EXPERTS))
    popular = [NormalDist().inv_cdf((i + 0.5) / N_EXPERTS) for i in range(N_EXPERTS)]
    chosen = (liking - spread * np.array(popular)).argmax(axis=1)
    return np.bincount(chosen, minlength=N_EXPERTS).tolist()


LOADS = {spread: _loads(spread) for spread in SPREADS}


def _fill(room, spread):
    """Return each expert's tokens: those that chose it, those taken, those dropped.

    Also how many tokens one has room for, all that are dropped, all places, and those
    that stay empty.
    """
    loads, room_for = LOADS[spread], int(room * MEAN + 1e-9)
    kept = [min(load, room_for) for load in loads]
    late = [load - one for load, one in zip(loads, kept, strict=True)]
    places = N_EXPERTS * room_for
    return SimpleNamespace(
        loads=loads,
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
    },
    data=lambda: {
        "names": [f"expert {i + 1}" for i in range(N_EXPERTS)],
        "mean": MEAN,
        "spreads": SPREADS,
        "all_loads": list(LOADS.values()),
    },
    compute=_fill,
    still=lambda _, now: columns(now),
    title="512 tokens choose among 8 experts, and some come too late",
    summary=(
        "A capacity factor of {room:.2f} is room for {room_for} tokens an expert.",
        "{dropped} of 512 tokens are dropped, and {empty} of {places} places stay "
        "empty.",
    ),
    tables=Table(
        "Tokens of each expert",
        "names",
        Line("chose it", "loads", ","),
        Line("taken", "kept", ",", source="loads"),
        Line("dropped", "late", ",", source="loads"),
    ),
    said=("{dropped} of 512 dropped", "{empty} of {places} places empty"),
)
