"""Live figure: five ways to choose what a query attends to, and what each costs."""

from types import SimpleNamespace

import numpy as np

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import INK, KEY, MUTED, WEIGHTS, panels


def bars(now, names):
    """Draw the multiplications of the index and of attention, a bar for each way."""
    figure, axis = panels(size=(6.4, 2.6), phone=2.8)
    rows, index = np.arange(len(names)), np.array(now.of_index)
    axis.barh(rows, index, color=KEY)
    axis.barh(rows, now.shares - index, left=index, color=WEIGHTS)
    for row, share in enumerate(now.shares):
        axis.text(share, row, f" {share:.3f}", va="center", fontsize=9, color=INK)
    axis.axvline(1, color=MUTED, lw=0.8)
    axis.set_yticks(rows, names)
    axis.tick_params(labelsize=9)
    axis.invert_yaxis()
    axis.set(xlim=(0, 1.25), xlabel="multiplications, as a share of all keys'")
    return figure


# DeepSeek V3.2's sizes: 128 heads that score rows of 576 numbers and mix 512 of them,
# and an index of 64 heads of 128.
ATTENDS, RANKS = 128 * (576 + 512), 64 * 128
KEPT, BLOCK, WINDOW = 2048, 64, 128
LENGTHS = (1024, 2048, 2176, 2560, 4096, *(2**p for p in range(13, 21)))
TOKENS = {f"{n:,}": n for n in LENGTHS}
# name: tokens for each row that the index ranks, or 0; tokens folded into a row; rows
# chosen, or 0 for all
WAYS = {
    "all keys": (0, 1, 0),
    "DSA": (1, 1, KEPT),
    "blocks": (BLOCK, 1, KEPT),
    "CSA": (4, 4, 512),
    "HCA": (0, 128, 0),
}
NAMES = tuple(WAYS)


def _costs(tokens):
    """Return each way's rows, ranked and read, and multiplications beside all keys'."""
    ranked, read = [], []
    for every, fold, most in WAYS.values():
        rows = tokens // fold
        ranked.append(tokens // every if every else 0)
        near = min(tokens, WINDOW) if fold > 1 else 0
        read.append((min(rows, most) if most else rows) + near)
    all_keys = tokens * ATTENDS
    of_index = np.array(ranked) * RANKS / all_keys
    shares = of_index + np.array(read) * ATTENDS / all_keys
    dearer = [n for n, share in zip(NAMES, shares, strict=True) if share > 1]
    return SimpleNamespace(
        ranked=ranked,
        read=read,
        of_index=of_index,
        shares=shares,
        dearer=dearer,
        best=NAMES[int(shares.argmin())],
        case="dearer" if dearer else "cheaper",
    )


AT = (
    "At {tokens:,} tokens DSA costs {shares.1:.3f} of what all keys cost, {best} least."
)
panel = Figure(
    __file__,
    controls={"tokens": Choice("Tokens", 131_072, TOKENS, look=choice)},
    data=lambda: {
        "names": NAMES,
        "ways": list(WAYS.values()),
        "sizes": (ATTENDS, RANKS, WINDOW),
    },
    compute=_costs,
    still=lambda _, now: bars(now, NAMES),
    title="What choosing keys costs, and what it saves",
    summary={"dearer": (AT, "Dearer than all keys: {dearer}."), "cheaper": AT},
    tables=Table(
        "For each query: rows, and multiplications as shares of all keys'",
        "names",
        Line("ranked", "ranked", ","),
        Line("read", "read", ","),
        Line("index", "of_index", ".4f", source="ranked"),
        Line("in all", "shares", ".4f", source="read"),
        shown=True,
    ),
    said={
        "dearer": ("Dearer than all keys: {dearer}", "DSA {shares.1:.3f}"),
        "cheaper": ("DSA {shares.1:.3f}, {best} least",),
    },
)
