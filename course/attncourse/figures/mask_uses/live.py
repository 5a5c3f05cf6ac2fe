"""Live figure: five uses of one mask, and what a mistake in it changes."""

from types import SimpleNamespace

import numpy as np

from attnlib import attention_weights, rotary_embedding

from ..kit.controls import Check, Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import KEY, QUERY, WEIGHTS, panels

# Five uses on twelve tokens: who sees whom, and where each stands.
N = 12
CAUSAL = np.tri(N, dtype=bool)
STRAIGHT = np.arange(N)
TEXT = np.repeat([0, 1], [5, 7])  # two texts in one row
REAL = np.arange(N) >= 4  # behind four tokens of padding
QUESTION, BLOCK = np.arange(N) < 6, np.arange(N) // 4
PARENT = (-1, 0, 0, 1, 1, 2)  # of each draft, behind six tokens of text


def _tree():
    """Return the mask of six drafts, and how deep each stands."""
    sees, depth = np.eye(6, dtype=bool), []
    for i, above in enumerate(PARENT):
        depth.append(0 if above < 0 else depth[above] + 1)
        if above >= 0:
            sees[i] |= sees[above]
    mask = CAUSAL.copy()
    mask[6:, 6:] = sees
    return mask, np.array([*range(6), *(6 + np.array(depth))])


# name: a letter for each token, the mask, the positions
USES = {
    "Packed texts": (
        "AAAAABBBBBBB",
        CAUSAL & (TEXT[:, None] == TEXT),
        np.concatenate([np.arange(5), np.arange(7)]),
    ),
    "Left padding": ("––––AAAAAAAA", CAUSAL & REAL, np.maximum(STRAIGHT - 4, 0)),
    "A prefix": ("QQQQQQAAAAAA", CAUSAL | QUESTION, STRAIGHT),
    "A tree of drafts": ("TTTTTT123456", *_tree()),
    "Blocks": ("111122223333", BLOCK[:, None] >= BLOCK, STRAIGHT),
}

X = np.array(numbers(np.random.default_rng(14).standard_normal((N, 8)), 2))
PADDING = "–"


def table(now, state):
    """Draw who sees whom, with positions above, and how far each row is off."""
    letters, right, _ = USES[state["use"]]
    ratios = {"width_ratios": [3, 1]}
    figure, (grid, bars) = panels(1, 2, size=(6.4, 3.8), phone=5.2, **ratios)
    for cells, color in (
        (now.mask & right, WEIGHTS),
        (now.mask != right, KEY),
    ):
        rows, columns = np.nonzero(cells)
        grid.scatter(columns, rows, s=70, marker="s", color=color, alpha=0.8)
    grid.axhspan(state["query"] - 1.5, state["query"] - 0.5, color=QUERY, alpha=0.15)
    heads = zip(letters, now.positions, strict=True)
    grid.set_xticks(range(N), [f"{letter}\n{place}" for letter, place in heads])
    grid.set_yticks(range(N), letters)
    grid.tick_params(length=0, labeltop=True, labelbottom=False)
    grid.set(xlim=(-0.6, N - 0.4), ylim=(N - 0.4, -0.6), aspect="equal")
    bars.barh(range(N), now.off, color=KEY)
    bars.set(ylim=(N - 0.4, -0.6), xlim=(0, 1.5), xlabel="off by", yticks=[])
    return figure


def _read(mask, positions):
    turned = rotary_embedding(X, positions=positions)
    weights = attention_weights(turned, turned, mask=mask)
    return weights, weights @ X


def _see(use, query, causal, straight):
    """Return mask and positions, right or not, what the query sees, and its weights.

    Also how far each row is off, how many rows are, of those that are not padding, and
    by how much at most.
    """
    letters, right, stands = USES[use]
    mask = CAUSAL if causal else right
    positions = STRAIGHT if straight else stands
    weights, output = _read(mask, positions)
    real = np.array([one != PADDING for one in letters])
    off = abs(output - _read(right, stands)[1]).max(axis=1) * real
    n_off = int((off > 1e-9).sum())
    same = (mask == right).all() and (positions == stands).all()
    return SimpleNamespace(
        mask=mask,
        positions=positions,
        sees=mask[query - 1],
        weights=weights[query - 1],
        off=off,
        stands=int(positions[query - 1]),
        n_sees=int(mask[query - 1].sum()),
        n_off=n_off,
        n_rows=int(real.sum()),
        most=float(off.max()),
        case="right" if same else "off" if n_off else "forgiven",
    )


AT = "{use}: token {query}, at position {stands}, sees {n_sees} of 12 tokens."
OFF = "{n_off} of {n_rows} rows are off, by up to {most:.2f}."
SAME = "The mistake changes no row: distances are the same."
panel = Figure(
    __file__,
    controls={
        "use": Choice("Use", "Packed texts", tuple(USES)),
        "query": Slider("Query", 8, 1, N, 1),
        "causal": Check("Causal mask alone", False),
        "straight": Check("Positions counted straight through", False),
    },
    data=lambda: {
        "tokens": [f"token {i + 1}" for i in range(N)],
        "rows": X,
        "uses": [
            [
                use,
                letters,
                ["".join(map(str, row.astype(int))) for row in mask],
                positions,
            ]
            for use, (letters, mask, positions) in USES.items()
        ],
    },
    compute=_see,
    still=lambda state, now: table(now, state),
    title="Who sees whom in five uses of a mask, and what a mistake changes",
    summary={
        "right": (AT, "Mask and positions are as they should be."),
        "off": (AT, OFF),
        "forgiven": (AT, SAME),
    },
    tables=Table(
        "What the query sees, and how far each token's own row is off",
        "tokens",
        Line("position", "positions", ","),
        Line("seen", "sees"),
        Line("weight", "weights", ".3f", source="sees"),
        Line("row off by", "off", ".3f"),
    ),
    said={
        "right": ("All rows right", "the query sees {n_sees} tokens"),
        "off": (
            "{n_off} of {n_rows} rows off, by up to {most:.2f}",
            "the query sees {n_sees} tokens",
        ),
        "forgiven": ("No row is off", "the query sees {n_sees} tokens"),
    },
)
