"""Whether all sentences and all heads see the same keys."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.subject import Refused


def ask_alike(case: Case) -> None:
    """Compare who sees whom in three sentences, and in all heads."""
    shape = (3, case.heads, case.n, case.d)
    try:
        w = case.probes.weights(np.zeros(shape), case.probes.draw(*shape))
    except Refused:
        return
    seen = np.nan_to_num(w) > 0
    differ = {0: (seen != seen[:1]).any(), 1: (seen != seen[:, :1]).any()}
    for axis, name in ((0, "sentence"), (1, "head")):
        if differ[axis] and _reach_others(case, axis):
            words = f"Values of one {name} reach outputs of another."
            case.report.add("mixed-axes", words)
            case.done = f"What one {name} gets is not made of its own values alone."
            return
    pairs = f"pairs of {case.n} queries and {case.n} keys"
    if differ[0]:
        case.report.add(
            "sentences-differ",
            "Sentences of a batch do not see the same keys: what hides them depends on "
            "the sentence.",
            **{f"{pairs} that meet, by sentence": seen[:, 0].sum((-2, -1))},
        )
        case.done, case.hopeless = "The rest was not asked.", True
    elif differ[1]:
        shown = " ".join(map(str, seen[0].sum((-2, -1))))
        case.done, case.hopeless = "Heads differ.", True
        case.report.unexplained = (
            f"Heads do not see the same keys: of the {pairs}, as many meet, head by "
            f"head: {shown}."
        )


def _reach_others(case: Case, axis: int) -> bool:
    """Say whether the first sentence (or head) gets values, its own being 0."""
    shape = (3, case.heads, case.n, case.d)
    q, k, v = (case.probes.draw(*shape) for _ in range(3))
    v.swapaxes(0, axis)[0] = 0
    output = case.subject(q, k, v).swapaxes(0, axis)[0]
    return bool(np.nanmax(np.abs(output), initial=0) > 1e-3)
