"""Live figure: a table cut into two heads, by a reshape and a transpose, or by one."""

import numpy as np

from ..kit.controls import Choice
from ..kit.tabled import Grid, Tabled

TABLE = np.array([range(10 * word + 1, 10 * word + 7) for word in (1, 2, 3)])
PIECES = TABLE.reshape(3, 2, 3)  # words, heads, columns
MADE = {
    "first move": PIECES,
    "both moves": PIECES.transpose(1, 0, 2),
    "reshape alone": TABLE.reshape(2, 3, 3),
}


def _cut(how):
    """Return the pieces in their order, and which numbers belong to head 1."""
    made = MADE[how]
    axes = ("word", "head") if how == "first move" else ("head", "word")
    pieces, own = made.reshape(6, 3), np.isin(made, TABLE[:, :3])
    return {
        "case": how,
        "words": ["word 1", "word 2", "word 3"],
        "columns": [str(j) for j in range(1, 7)],
        "table": TABLE,
        "ours": np.isin(TABLE, TABLE[:, :3]),
        "rows": [
            f"{axes[0]} {i + 1}, {axes[1]} {j + 1}"
            for i, j in np.ndindex(made.shape[:2])
        ],
        "places": ["1", "2", "3"],
        "pieces": pieces,
        "own": own.reshape(6, 3),
        "shape": str(made.shape),
        "foreign": int((~own[0]).sum()),
    }


SHAPE = "Shape {shape}:"
panel = Tabled(
    "split_heads",
    controls={"how": Choice("Cut by", "first move", tuple(MADE))},
    compute=_cut,
    drawn=(
        Grid(
            "Orange: columns 1 to 3, for head 1",
            "table",
            "words",
            form=",",
            lit="ours",
        ),
        Grid("After the cut", "pieces", columns="places", form=",", lit="own"),
    ),
    title="Six columns, cut into two heads",
    summary={
        "first move": f"{SHAPE} each row is broken in two. No number has moved.",
        "both moves": f"{SHAPE} the heads have come forward, each with its columns.",
        "reshape alone": f"{SHAPE} the same, but head 1 gets {{foreign}} numbers of "
        "head 2.",
    },
    said={
        "first move": "Shape {shape}, word by word",
        "both moves": "Shape {shape}, head by head",
        "reshape alone": "Shape {shape}, head 1 gets {foreign} numbers of head 2",
    },
)
