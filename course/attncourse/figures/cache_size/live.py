"""Lesson 14's live figure: bytes of a cache, by heads, tokens and window."""

from types import SimpleNamespace

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import INK, MUTED, WEIGHTS, panels


def bars(full, now, told):
    """Draw the cache of every head and token, and the cache as it is asked for."""
    figure, axis = panels(size=(6.4, 1.6))
    names = ["all heads, all tokens", told]
    axis.barh([1, 0], [full / 2**30, now / 2**30], color=[MUTED, WEIGHTS])
    axis.set_yticks([1, 0], names, color=INK)
    axis.set_xlabel("GiB")
    return figure


LAYERS, QUERY_HEADS, HEAD_DIM, BYTES = 32, 32, 128, 2  # a model of eight billion
TOKENS = {f"{2**p:,}": 2**p for p in range(10, 18)}
WINDOWS = {"none": 0, "1,024": 1024, "4,096": 4096, "16,384": 16384}


def _size(tokens, heads, window):
    """Return tokens kept, bytes for each token, bytes in all, and without savings."""
    kept = min(tokens, WINDOWS[window] or tokens)
    per_token = 2 * LAYERS * heads * HEAD_DIM * BYTES  # keys and values
    full = 2 * LAYERS * QUERY_HEADS * HEAD_DIM * BYTES * tokens
    total = kept * per_token
    return SimpleNamespace(
        kept=kept,
        per_token=per_token,
        total=total,
        full=full,
        times=full / total,
        both=(full, total),
        case="all" if total == full else "less" if full < 10 * total else "far",
    )


CASES = {
    "all": "nothing saved",
    "less": "{times:.1f} times less",
    "far": "{times:.0f} times less",
}
KEEPS = "{heads} heads of keys and values, {kept:,} tokens kept: {total:B}, %s."
panel = Figure(
    __file__,
    controls={
        "tokens": Choice("Tokens", 32_768, TOKENS, look=choice),
        "heads": Choice(
            "Heads of keys and values", 8, (1, 2, 4, 8, 16, 32), look=choice
        ),
        "window": Choice("Window", "none", tuple(WINDOWS), look=choice),
    },
    data=lambda: {
        "windows": WINDOWS,
        "names": ("all heads, all tokens", "what is kept"),
        "sizes": (LAYERS, QUERY_HEADS, HEAD_DIM, BYTES),
    },
    compute=_size,
    still=lambda state, now: bars(
        now.full, now.total, f"{state['heads']} heads, {now.kept:,} tokens"
    ),
    title="Bytes of a cache",
    summary={case: KEEPS % times for case, times in CASES.items()},
    tables=Table("Bytes", "names", Line("bytes", "both", "B"), upright=False),
    said={case: ("{total:B}, " + times,) for case, times in CASES.items()},
)
