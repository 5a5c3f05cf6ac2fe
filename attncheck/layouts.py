"""Layouts: which axis is the batch, which the heads, the tokens, the columns."""

import itertools
from collections.abc import Sequence

import numpy as np

CANONICAL = "bhnd"


def check_layout(layout: str) -> str:
    """Check an order of axes: n and d, and perhaps b and h, each once."""
    letters = set(layout) if isinstance(layout, str) else set()
    if len(letters) != len(layout) or not {"n", "d"} <= letters <= set(CANONICAL):
        rule = "layout must name each axis once: b and h if there, n and d, as 'bhnd'"
        raise ValueError(f"ask: {rule}, got {layout!r}")
    return layout


def from_canonical(layout: str, inputs: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """Make the calls that cover (b, h, n, d) arrays: one for each axis left out."""
    missing = [i for i, letter in enumerate("bh") if letter not in layout]
    sizes = [range(inputs[0].shape[i]) for i in missing]
    kept = [letter for letter in CANONICAL if letter in layout]
    order = [kept.index(letter) for letter in layout]
    calls = []
    for place in itertools.product(*sizes):
        at = dict(zip(missing, place, strict=True))
        index = tuple(at.get(i, slice(None)) for i in range(2))
        calls.append([_at(x, index).transpose(order) for x in inputs])
    return calls


def _at(x: np.ndarray, index: tuple[int | slice, ...]) -> np.ndarray:
    """Take a head; fewer key heads than query heads cannot be had without an axis."""
    fits = tuple(
        i if isinstance(i, slice) else min(i, size - 1)
        for i, size in zip(index, x.shape, strict=False)
    )
    return x[fits]


def to_canonical(
    layout: str, outputs: Sequence[np.ndarray], shape: tuple[int, ...]
) -> np.ndarray:
    """Put outputs of those calls into one array of this shape, (b, h, n, d_v)."""
    sizes = dict(zip(CANONICAL, shape, strict=True))
    wanted = tuple(sizes[letter] for letter in layout)
    kept = [letter for letter in CANONICAL if letter in layout]
    back = [layout.index(letter) for letter in kept]
    arrays = [_split(x, wanted, sizes, layout) for x in outputs]
    parts = np.stack([x.transpose(back) for x in arrays])
    missing = [letter for letter in "bh" if letter not in layout]
    order = [*missing, *kept]
    parts = parts.reshape([sizes[letter] for letter in order])
    return parts.transpose([order.index(letter) for letter in CANONICAL])


def _split(
    x: np.ndarray, wanted: tuple[int, ...], sizes: dict[str, int], layout: str
) -> np.ndarray:
    b, h, n, d = (sizes[letter] for letter in CANONICAL)
    if set(layout) == set(CANONICAL) and x.shape == (b, n, h * d):
        heads = x.reshape(b, n, h, d).swapaxes(1, 2)
        return heads.transpose([CANONICAL.index(letter) for letter in layout])
    if x.shape != wanted:
        raise ValueError(f"it gives an array {x.shape} where {wanted} was expected")
    return x
