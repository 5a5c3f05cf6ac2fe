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
    pairs = f"pairs of {case.n} queries and {case.n} keys"
    if (seen != seen[:1]).any():
        case.report.add(
            "sentences-differ",
            "Sentences of a batch do not see the same keys: what hides them depends on "
            "the sentence.",
            **{f"{pairs} that meet, by sentence": seen[:, 0].sum((-2, -1))},
        )
        case.done, case.hopeless = "The rest was not asked.", True
    elif (seen != seen[:, :1]).any():
        shown = " ".join(map(str, seen[0].sum((-2, -1))))
        case.done, case.hopeless = "Heads differ.", True
        case.report.unexplained = (
            f"Heads do not see the same keys: of the {pairs}, as many meet, head by "
            f"head: {shown}."
        )
