"""Live figure: a table cut into two heads, by a reshape and a transpose, or by one."""

import numpy as np

from ..kit.controls import Choice
from ..kit.tabled import Grid, Tabled

TABLE = np.array([range(10 * word + 1, 10 * word + 7) for word in (1, 2, 3)])
BOTH, ONE = "both moves", "reshape alone"


def _cut(how, head):
    """Return which numbers of the table a head gets, and which are not its own."""
    right = TABLE.reshape(3, 2, 3).transpose(1, 0, 2)
    got = (right if how == BOTH else TABLE.reshape(2, 3, 3))[head - 1]
    own = np.isin(got, right[head - 1])
    return {
        "words": ["word 1", "word 2", "word 3"],
        "columns": [str(j) for j in range(1, 7)],
        "table": TABLE,
        "taken": np.isin(TABLE, got),
        "rows": ["row 1", "row 2", "row 3"],
        "places": ["1", "2", "3"],
        "got": got,
        "own": own,
        "wrong": int((~own).sum()),
    }


panel = Tabled(
    "split_heads",
    controls={
        "how": Choice("Cut by", BOTH, (BOTH, ONE)),
        "head": Choice("Head", 1, {"1": 1, "2": 2}),
    },
    compute=_cut,
    drawn=(
        Grid(
            "Orange: what the head takes",
            "table",
            "words",
            form=",",
            lit="taken",
        ),
        Grid(
            "What it gets; orange: its own",
            "got",
            columns="places",
            form=",",
            lit="own",
        ),
    ),
    title="Six columns, cut into two heads",
    summary="Cut by {how}, head {head} gets {wrong} of the other head's numbers.",
    said=("{how}, head {head}", "{wrong} of 9 numbers not its own"),
)
