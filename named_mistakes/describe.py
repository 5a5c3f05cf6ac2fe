"""Descriptions of a wrong result, in words and numbers."""

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise

SHOWN, MOST = 4, 17  # significant digits; 17 tell any two floats apart


def largest_difference(one: Judged) -> tuple[int, tuple[int, ...] | None]:
    """Find which array is furthest off, and where; None if its shape is wrong."""
    worst: tuple[float, int, tuple[int, ...] | None] = (-1.0, 0, None)
    for i, (x, w) in enumerate(zip(one.got, one.wanted, strict=True)):
        if x.shape != w.shape:
            return i, None
        off = np.abs(np.asarray(x, complex) - np.asarray(w, complex))
        # NaN says less than a wrong number, and more than a right one.
        off = np.where(np.isfinite(off), off, 1e-9)
        at = np.unravel_index(int(np.argmax(off)), off.shape)
        if off[at] > worst[0]:
            worst = (float(off[at]), i, tuple(int(k) for k in at))
    return worst[1:]


def difference(
    exercise: Exercise, one: Judged, at: tuple[int, tuple | None] | None = None
) -> str:
    """Say what came back and what was expected, where they are furthest apart."""
    which, where = at or largest_difference(one)
    name, x, w = exercise.returns[which], one.got[which], one.wanted[which]
    if where is None:
        return (
            f"For {one.case.described()} the shape of your {name} is {x.shape}, where "
            f"{w.shape} was expected"
        )
    place = f"{name}{list(where)}" if where else name
    seen, due = _told_apart(x[where], w[where])
    return (
        f"For {one.case.described()} your {place} is {seen}, where {due} was expected"
    )


def _told_apart(x: np.generic, w: np.generic) -> tuple[str, str]:
    """Write two numbers with enough digits, SHOWN or more, to tell them apart."""
    if isinstance(x, np.bool_) and isinstance(w, np.bool_):
        return str(x), str(w)
    if w.dtype.kind in "iu":  # a count is written in full
        return f"{x:.{MOST}g}", str(w)
    several = ((f"{x:.{n}g}", f"{w:.{n}g}") for n in range(SHOWN, MOST))
    told = next((two for two in several if len(set(two)) > 1), (f"{x}", f"{w}"))
    return told[0].replace("nan", "NaN"), told[1]


def be(name: str) -> str:
    """Return the verb for what comes back: "is" for an output, "are" for weights."""
    return "are" if name.endswith("s") and not name.endswith("ss") else "is"


def example(exercise: Exercise, one: Judged) -> str:
    """Write out the inputs, what came back and what was expected."""
    parts = list(one.case.inputs.items())
    for name, x, w in zip(exercise.returns, one.got, one.wanted, strict=True):
        parts += [(f"your {name}", x), (f"expected {name}", w)]
    return "\n".join(f"{name} ={_written(x)}" for name, x in parts)


def _written(x: object) -> str:
    if not isinstance(x, np.ndarray):
        return f" {x}"
    x = x + 0.0 if x.dtype.kind == "f" else x  # no minus before a zero
    return "\n" + np.array2string(
        x, precision=4, suppress_small=True, threshold=60, edgeitems=2
    )
