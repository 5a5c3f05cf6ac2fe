"""Which axis is which: where one changed number shows."""

import numpy as np

from attncheck.subject import Refused, Subject

SIZES = {"b": 3, "h": 2, "n": 12, "d": 64}
AT = {"b": 2, "h": 0, "n": 6, "d": 3}
CHANGED = 1e-4  # of the largest change: less is rounding
LOUD = 8.0


def find_layout(subject: Subject) -> str:
    """Return the order of the axes: along which one changed value reaches others."""
    told = subject.layout
    axes = _reach(subject, told, 2)
    if len(axes) != 1 or axes == {"n"} or not axes <= set(told):
        return told
    tokens = axes.pop()
    sides = _reach(subject, told, 0) - {tokens}
    columns = "d" if "d" in sides or not sides else min(sides)
    rest = iter(letter for letter in "bh" if letter in told)
    letters = {tokens: "n", columns: "d"}
    return "".join(letters.get(x) or next(rest) for x in told)


def _reach(subject: Subject, layout: str, which: int) -> set[str]:
    """Name the axes along which one changed number reaches other outputs."""
    rng = np.random.default_rng(26)
    shape = tuple(SIZES[x] for x in layout)
    inputs = [subject.round(0.3 * rng.standard_normal(shape)) for _ in range(3)]
    at = tuple(AT[x] for x in layout)
    try:
        before = subject.raw(*inputs)
        inputs[which][at] += LOUD
        after = subject.raw(*inputs)
    except Refused:
        return set()
    if after.shape != shape:
        return set()
    change = np.abs(after - before)
    moved = np.argwhere(change > CHANGED * max(1.0, float(change.max(initial=0.0))))
    return {x for a, x in enumerate(layout) if (moved[:, a] != at[a]).any()}
