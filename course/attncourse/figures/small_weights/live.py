"""Live figure: a row of weights beside a sink, rounded to eight bits."""

from statistics import NormalDist
from types import SimpleNamespace

import numpy as np

from attnlib import softmax

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice, numbers
from ..kit.picture import INK, KEY, MUTED, WEIGHTS, panels

LEAST, MOST, ZERO = -21, 11, -23


def strips(now):
    """Draw weights on a scale of powers of two, and where eight bits put them."""
    figure, axis = panels(size=(6.4, 2.2), phone=2.2)
    exact = np.maximum(np.log2(now.powers), LEAST)
    lost = now.kept == 0
    kept = np.where(lost, ZERO, np.log2(np.maximum(now.kept, 1e-9)))
    axis.axvspan(-9, np.log2(448), color=MUTED, alpha=0.15, lw=0)
    for x, y, gone in zip(exact, kept, lost, strict=True):
        axis.plot([x, y], [1, 0], color=KEY if gone else WEIGHTS, lw=0.5, alpha=0.8)
    for places, height in ((exact, 1), (kept, 0)):
        axis.scatter(places, np.full(64, height), s=9, c=np.where(lost, KEY, WEIGHTS))
    axis.text(ZERO, -0.25, "0", ha="center", va="top", fontsize=9, color=INK)
    axis.set_yticks([1, 0], ["exact", "kept"])
    axis.set_xticks([-16, -9, 0, 8], ["2⁻¹⁶", "2⁻⁹", "1", "256"])
    axis.set(xlim=(ZERO - 1, MOST), ylim=(-0.3, 1.3))
    return figure


N_OTHERS, EACH = 63, 16  # dots, and how many weights each stands for
COUNTS = np.array([EACH] * N_OTHERS + [1])
# As scores that spread by 1, without chance: equally many lie between any two.
OTHERS = numbers(
    [NormalDist().inv_cdf((i + 0.5) / N_OTHERS) for i in range(N_OTHERS)], 3
)
NAMED = {"the sink": 63, "largest": 62, "a quarter above": 47, "in the middle": 31}
NAMED |= {"a quarter below": 15, "smallest": 0}
LARGEST, POWER = 448, -6  # of E4M3; below this power of two, steps get no finer


def e4m3(x):
    """Round numbers that are not negative to FP8: 4 bits of exponent, 3 of digits."""
    x = np.asarray(x, float)
    power = np.maximum(np.floor(np.log2(np.maximum(x, 1e-30))), POWER)
    step = 2.0 ** (power - 3)
    return np.minimum(np.round(x / step) * step, LARGEST)


def _round(lead, factor):
    """Return the row times the factor, and what eight bits keep: (64,), the sink last.

    The same for a few of them; the share of the others that became 0, and what the row
    then adds up to.
    """
    weights = softmax([*OTHERS, lead])
    powers = factor * weights / weights.max()  # what a kernel keeps: exp(s − max)
    kept = e4m3(powers)
    lost = float((kept[:-1] == 0).mean())
    few = list(NAMED.values())
    return SimpleNamespace(
        powers=powers,
        kept=kept,
        some=powers[few],
        some_kept=kept[few],
        lost=lost,
        total=float((COUNTS * kept).sum() / (COUNTS * powers).sum()),
        case="cut" if powers.max() > LARGEST else "lost" if lost else "fits",
    )


AT = (
    "A sink leads by {lead:.1f}, all times {factor}: {lost:.3f} of 1,008 others become "
    "0.",
    "The row adds up to {total:.3f}.",
)
panel = Figure(
    __file__,
    controls={
        "lead": Slider("The sink leads by", 8.0, 0.0, 12.0, 0.5, form=".1f"),
        "factor": Choice("Times", 1, (1, 4, 16, 64, 256, 1024), look=choice),
    },
    data=lambda: {
        "others": OTHERS,
        "names": list(NAMED),
        "few": list(NAMED.values()),
        "each": EACH,
    },
    compute=_round,
    still=lambda _, now: strips(now),
    title="What eight bits keep of a row of weights",
    summary={
        "lost": AT,
        "fits": AT,
        "cut": (*AT, "What is larger than 448 is cut to it."),
    },
    tables=Table(
        "exp(score − largest) times the factor, and what E4M3 keeps",
        "names",
        Line("exact", "some", ".5f"),
        Line("kept", "some_kept", ".5f", source="some"),
    ),
    said=("{lost:.3f} become 0", "the row adds up to {total:.3f}"),
)
