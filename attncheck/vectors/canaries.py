"""CANARIES: short inputs, each named for the bug that it catches."""

from attncheck.model import Model
from attncheck.plan import Call, row

TAILS = (16, 32, 64, 128)
# What has to be expected for its rows to make sense.
ROWS: dict[str, tuple[Call, ...]] = {
    "": (
        row("", (2, 3, 3, 13, 13), "scores are not scaled"),
        row("", (1, 2, 2, 18, 30, 128), "a d of 128 is scaled as 64"),
        row("", (1, 2, 2, 16, 24), "softmax runs over the queries"),
        row("", (1, 2, 2, 9, 24), "keys and values are exchanged"),
        row("", (1, 6, 2, 14, 14), "heads that share keys take them in turn"),
        row("", (2, 8, 2, 16, 16), "all heads read the first key head"),
        row(
            *("", (1, 2, 2, 300, 300), "a maximum that starts at 0 loses low scores"),
            size=40.0,
            kind="low",
        ),
        row("", (1, 2, 2, 17, 17), "exp of a large score overflows", size=300.0),
        *(
            row("", (1, 2, 2, 4, b + 1), f"the tail after blocks of {b} is dropped")
            for b in TAILS
        ),
        row("", (1, 2, 2, 9, 33), "padding takes part in the softmax"),
        row("", (1, 2, 2, 257, 257), "the running sum is not rescaled"),
        row("", (1, 2, 2, 16, 192), "parts of keys are merged by their maxima"),
        row("", (1, 2, 2, 16, 16, 77), "the last column of an odd d is dropped"),
        row("", (1, 2, 2, 16, 16, 32, 64), "the columns of values change the scale"),
        row("", (6, 2, 2, 9, 9), "the last query is lost"),
        row("", (5, 12, 12, 9, 9), "heads are put side by side without a transpose"),
        row("", (1, 2, 2, 24, 24), "allowed keys all weigh the same"),
        row("", (1, 4, 4, 1, 24), "a step of decoding sees other keys"),
    ),
    "causal": (
        row("", (1, 2, 2, 12, 12), "a causal mask one key too wide"),
        row("", (1, 2, 2, 64, 64), "the causal mask is dropped in full tiles"),
        row("", (1, 2, 2, 5, 24), "queries beside a cache are counted from elsewhere"),
    ),
    "window": (
        row("", (1, 2, 2, 33, 33), "a window one key too long"),
        row("", (1, 2, 2, 300, 300), "a window that is ignored past 128 tokens"),
    ),
    "softcap": (row("", (1, 2, 2, 33, 33), "a cap that is dropped", size=40.0),),
}
CANARIES = tuple(call for calls in ROWS.values() for call in calls)
# The public threads of bugs that shipped.
THREADS = {
    "a maximum that starts at 0 loses low scores": "Dao-AILab/flash-attention#2082",
    "parts of keys are merged by their maxima": "HKUSTDial/flash-sparse-attention#106",
    "the causal mask is dropped in full tiles": "bledden/triton-msl#7",
    "allowed keys all weigh the same": "harvard-edge/cs249r_book#1785",
    "queries beside a cache are counted from elsewhere": "Blaizzy/mlx-vlm#1619",
    "a window one key too long": "zml/zml#763",
    "a window that is ignored past 128 tokens": "sgl-project/sglang#30050",
}


def canaries_for(model: Model) -> list[Call]:
    """Return the rows that make sense where this model is expected."""
    left, right = model.window
    has = {
        "": True,
        "causal": right == 0 or left is not None,
        "window": left is not None,
        "softcap": model.softcap is not None,
    }
    return [call for needs, calls in ROWS.items() if has[needs] for call in calls]
