"""Post 4, positional encoding: the formula, the example and the code."""

# ruff: noqa: D103 (each function is the checker of the claim of its name)

import numpy as np

from attnlib import sinusoidal_positional_encoding as encoding

from .measures import encoding_as_coded, outcome, show
from .registry import Found, checks

PRINTED = np.array([0.0, 1.0, 0.841, 0.540])  # called a positional encoding
WORD = np.array([0.5, 0.2, 0.3, 0.1])


def _angle(position, pair, d_model):
    """Return the angle of a pair of columns by the printed formula."""
    return position / 10_000 ** (2 * pair / d_model)


def pe_formula():
    table = encoding(7, 6)
    entries = [
        (table[p, 2 * i + k], wave(_angle(p, i, 6)))
        for p in range(7)
        for i in range(3)
        for k, wave in enumerate((np.sin, np.cos))
    ]
    found, expected = zip(*entries, strict=True)
    return np.allclose(found, expected)


def pe_unique():
    table = encoding(1000, 4)
    apart = np.linalg.norm(table[:, None] - table, axis=-1)
    nearest = (apart + 9 * np.eye(1000)).min()
    return Found(len(np.unique(table, axis=0)), facts={"nearest": nearest})


def pe_sin_2():
    exact, coded = encoding(2, 4)[1, 2], encoding_as_coded(2, 4)[1, 2]
    return Found(exact, again=coded, facts={"times": exact / coded})


def pe_cos_3():
    exact = encoding(2, 4)[1, 3]
    return Found(exact, facts={"exact": exact})


def pe_labeled():
    table = encoding(10_000, 4)
    nearest = np.abs(table - PRINTED).max(axis=-1).min()
    facts = {"zero": show(table[0], 3), "positions": len(table), "nearest": nearest}
    return Found(table[1], again=[*table[0, :2], *table[1, :2]], facts=facts)


def pe_sum():
    first = show(WORD + encoding(2, 4)[1], 3)
    return Found(WORD + PRINTED, facts={"first": first})


def relative():
    table = encoding(50, 4)
    dots = table @ table.T
    offsets = [np.diagonal(dots, offset) for offset in range(50)]
    facts = {"offset_1": dots[0, 1], "offset_3": dots[0, 3]}
    return Found(all(np.allclose(d, d[0]) for d in offsets), facts=facts)


def extrapolation():
    trained, later = np.split(encoding(1024, 512), 2)
    below = later.min(axis=0) < trained.min(axis=0) - 0.01
    above = later.max(axis=0) > trained.max(axis=0) + 0.01
    return float((below | above).mean())


def code_exponent():
    off = np.abs(encoding_as_coded(5, 4) - encoding(5, 4)).max()
    waves = {"paper": 2 * np.pi / _angle(1, 255, 512)}
    waves["coded"] = 2 * np.pi / _angle(1, 2 * 255, 512)
    return Found(off, facts=waves)


def code_shape():
    shape = encoding_as_coded(5, 4).shape
    return Found(shape, facts={"last": shape[0] - 1})


def code_odd():
    assert encoding(5, 5).shape == (5, 5)
    return outcome(encoding_as_coded, 5, 5)


checks(
    "post4",
    {
        "pe-index": lambda: max(2 * i + 1 for i in range(4)),
        "pe-position-0": lambda: encoding(1, 4)[0],
        "pe-sin-1": lambda: encoding(2, 4)[1, 0],
        "pe-cos-1": lambda: encoding(2, 4)[1, 1],
        "pe-angle": lambda: Found(_angle(1, 1, 4), again=_angle(1, 2, 4)),
    },
)
