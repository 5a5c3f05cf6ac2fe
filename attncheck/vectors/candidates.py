"""The cases to choose from."""

from __future__ import annotations

import numpy as np

from attncheck.vectors.case import Case


def candidates() -> list[Case]:
    """Return the cases to choose from, the smallest first."""
    cases = [
        Case("plain", "three keys, one head: scale and softmax", (1, 1, 1, 2, 3, 4)),
        Case("square", "as many queries as keys", (1, 1, 1, 4, 4, 4)),
        Case("heads", "two sentences, three heads", (2, 3, 3, 4, 5, 6)),
        Case("causal", "causal", (1, 1, 1, 5, 5, 4), {"is_causal": True}),
        Case("mask", "a mask with an empty row", (1, 2, 2, 4, 4, 4), masked=0.4),
        Case(
            "masks",
            "a mask for each sentence and head",
            (2, 2, 2, 4, 4, 4),
            masked=0.4,
            each=True,
        ),
        Case("bias", "a mask that is added", (1, 2, 2, 4, 4, 4), added=1.5),
        Case(
            "cache-window",
            "a window, after a cache of four keys",
            (1, 2, 1, 4, 8, 4),
            {"is_causal": True, "window": (2, None), "query_offset": 4},
        ),
        Case(
            "causal-mask",
            "causal, and a mask with an empty row",
            (1, 2, 2, 5, 5, 4),
            {"is_causal": True},
            masked=0.3,
        ),
        Case(
            "wide", "fewer queries than keys", (1, 2, 2, 3, 7, 4), {"is_causal": True}
        ),
        Case("tall", "more queries than keys", (1, 1, 1, 7, 3, 4), {"is_causal": True}),
        Case("groups", "six query heads on two key heads", (1, 6, 2, 3, 4, 4)),
        Case(
            "window",
            "a window of two before and one after",
            (1, 1, 1, 8, 8, 4),
            {"window": (2, 1)},
        ),
        Case(
            "causal-window",
            "a causal window",
            (1, 1, 1, 9, 9, 4),
            {"is_causal": True, "window": (2, None)},
        ),
        Case(
            "cache",
            "queries after a cache of four keys",
            (1, 2, 1, 3, 7, 4),
            {"is_causal": True, "query_offset": 4},
        ),
        Case("cap", "capped scores", (1, 1, 1, 4, 6, 4), {"softcap": 2.0}, size=3.0),
        Case(
            "cap-mask",
            "capped scores, then a mask",
            (1, 1, 1, 4, 6, 4),
            {"softcap": 2.0},
            masked=0.4,
        ),
        Case("scale", "a scale of its own", (1, 1, 1, 3, 4, 4), {"scale": 0.25}),
        Case("wider", "d_k = 16, four heads", (1, 4, 4, 6, 6, 16)),
        Case("columns", "72 columns, which fill no block", (1, 1, 1, 3, 5, 72)),
        Case(
            "causal-long",
            "causal, two queries more than a block of 128",
            (1, 1, 1, 130, 130, 4),
            {"is_causal": True},
        ),
        Case("large", "scores of thousands", (1, 1, 1, 3, 5, 8), size=64.0),
        Case("low", "every score far below 0", (1, 1, 1, 2, 4, 8), low=True),
        Case(
            "bent",
            "scores of about 20: caps of 20, 30 and 50",
            (1, 1, 1, 6, 9, 16),
            size=4,
        ),
        *(
            Case(
                f"tail-{m}", f"one key more than a block of {m - 1}", (1, 1, 1, 2, m, 4)
            )
            for m in (17, 33, 65, 129, 257)
        ),
    ]
    return sorted(cases, key=lambda case: np.prod(case.shape))
