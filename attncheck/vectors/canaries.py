"""CANARIES: short inputs, each named for the bug that it catches."""

from __future__ import annotations

from typing import Any, NamedTuple

from attncheck.model import Model
from attncheck.model.domain.masks import LOST
from attncheck.plan import Call


class Canary(NamedTuple):
    """One input, what it catches, and where that shipped.

    Attributes
    ----------
    catches : str
    call : Call
    fault : dict
        Fields of the model with which the bug is made, for the tests of this table.
    thread : str
        The public thread of a bug that shipped.
    needs : str
        "causal", "window" or "softcap": only where that is expected.
    """

    catches: str
    call: Call
    fault: dict[str, Any]
    thread: str = ""
    needs: str = ""


def _call(b: int, h: int, g: int, n: int, m: int, d: int = 64, **more: Any) -> Call:
    return Call("", b, h, g, n, m, d, **{"d_v": d, **more})


TAILS = {f"the tail after blocks of {b} is dropped": b for b in (16, 32, 64, 128)}
CANARIES = (
    Canary("scores are not scaled", _call(2, 3, 3, 13, 13), {"scale": 1.0}),
    Canary("a d of 128 is scaled as 64", _call(1, 2, 2, 18, 30, 128), {"scale": 0.125}),
    Canary(
        "softmax runs over the queries",
        _call(1, 2, 2, 16, 24),
        {"normalized": "queries"},
    ),
    Canary("keys and values are exchanged", _call(1, 2, 2, 9, 24), {"roles": "qvk"}),
    Canary(
        "heads that share keys take them in turn",
        _call(1, 6, 2, 14, 14),
        {"grouping": "tile"},
    ),
    Canary(
        "all heads read the first key head",
        _call(2, 8, 2, 16, 16),
        {"grouping": "first"},
    ),
    Canary(
        "a maximum that starts at 0 loses low scores",
        _call(1, 2, 2, 300, 300, size=40.0, kind="low"),
        {"lowest": 0.0},
        "Dao-AILab/flash-attention#2082",
    ),
    Canary(
        "exp of a large score overflows",
        _call(1, 2, 2, 17, 17, size=300.0),
        {"normalized": "keys, no maximum"},
    ),
    *(
        Canary(
            words,
            _call(1, 2, 2, 4, block + 1),
            {"lost": LOST[f"after blocks of {block}"][1]},
        )
        for words, block in TAILS.items()
    ),
    Canary("padding takes part in the softmax", _call(1, 2, 2, 9, 33), {"pad": 32}),
    Canary(
        "the running sum is not rescaled",
        _call(1, 2, 2, 257, 257),
        {"normalized": "sum not rescaled, 64"},
    ),
    Canary(
        "parts of keys are merged by their maxima",
        _call(1, 2, 2, 16, 192),
        {"normalized": "by maximum, 64"},
        "HKUSTDial/flash-sparse-attention#106",
    ),
    Canary(
        "the last column of an odd d is dropped",
        _call(1, 2, 2, 16, 16, 77),
        {"columns": (0, 76)},
    ),
    Canary(
        "the columns of the values change the scale",
        _call(1, 2, 2, 16, 16, 32, d_v=64),
        {"scale": 0.125},
    ),
    Canary("the last query is lost", _call(6, 2, 2, 9, 9), {"gives": "last query 0"}),
    Canary(
        "heads are put side by side without a transpose",
        _call(5, 12, 12, 9, 9),
        {"gives": "not transposed"},
    ),
    Canary(
        "a causal mask one key too wide",
        _call(1, 2, 2, 12, 12),
        {"window": (None, 1)},
        needs="causal",
    ),
    Canary(
        "the causal mask is dropped in full tiles",
        _call(1, 2, 2, 64, 64),
        {"window": (None, None)},
        "bledden/triton-msl#7",
        "causal",
    ),
    Canary(
        "allowed keys all weigh the same",
        _call(1, 2, 2, 24, 24),
        {"scale": 0.0},
        "harvard-edge/cs249r_book#1785",
    ),
    Canary(
        "queries beside a cache are counted from another place",
        _call(1, 2, 2, 5, 24),
        {"window": (None, 0), "offset": 3},
        "Blaizzy/mlx-vlm#1619",
        "causal",
    ),
    Canary(
        "a step of decoding sees other keys",
        _call(1, 4, 4, 1, 24),
        {"window": (3, 0), "offset": 5},
    ),
    Canary(
        "a window one key too long",
        _call(1, 2, 2, 33, 33),
        {"window": "one more"},
        "zml/zml#763",
        "window",
    ),
    Canary(
        "a window that is ignored past 128 tokens",
        _call(1, 2, 2, 300, 300),
        {"window": (None, 0)},
        "sgl-project/sglang#30050",
        "window",
    ),
    Canary(
        "a cap that is dropped",
        _call(1, 2, 2, 33, 33, size=40.0),
        {"softcap": None},
        needs="softcap",
    ),
)


def canaries_for(model: Model) -> list[Canary]:
    """Return the rows that make sense where this model is expected."""
    left, right = model.window
    has = {
        "": True,
        "causal": right == 0 or left is not None,
        "window": left is not None,
        "softcap": model.softcap is not None,
    }
    return [canary for canary in CANARIES if has[canary.needs]]
