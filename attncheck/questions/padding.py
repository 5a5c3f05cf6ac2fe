"""Keys of 0 that fill up a block, and take part in the softmax."""

from __future__ import annotations

import math

import numpy as np

from attncheck.case import Case
from attncheck.questions.row_sums import weight_of_one_key
from attncheck.subject import Refused

BLOCKS = (4, 8, 16, 32, 64, 128)


def is_padded(case: Case) -> bool:
    """With even scores, see whether sums lack what keys of 0 would take."""
    if case.model.lost is not None or case.model.biased_by_place or case.by_query:
        return False
    alone = weight_of_one_key(case)
    if alone is not None and np.allclose(alone, 1, atol=0.05):
        return False
    lacking: dict[int, float] = {}
    for n in (case.n + 1, case.n + 5, case.n + 12):
        lacks = _lacking(case, n)
        if lacks is None:
            return False
        lacking[n] = lacks
        if abs(lacking[n]) < 0.5:
            break
    near = 0.05 + 8 * case.subject.format.eps * (case.n + 12)
    if len(lacking) < 3 or len({round(x) for x in lacking.values()}) == 1:
        return False
    for block in BLOCKS:
        if all(abs(x - (-n % block)) < near for n, x in lacking.items()):
            return _tell_padding(case, block, lacking)
    return False


def _lacking(case: Case, n: int) -> float | None:
    """Return how many keys of even weight a row lacks; None where it is refused."""
    try:
        seen = case.allowed(n, n).sum(-1)
        total = case.probes.even(n, n, case.heads)[0].sum(-1)
    except Refused:
        return None
    row = _last_of_most(seen)
    return float(seen[row] / total[row] - seen[row]) if total[row] else 0.0


def _last_of_most(seen: np.ndarray) -> int:
    """Return the last of the rows that see most keys: it sees what follows them too."""
    return int(len(seen) - 1 - seen[::-1].argmax())


def _tell_padding(case: Case, block: int, lacking: dict[int, float]) -> bool:
    case.model = case.model.change(pad=block)
    case.report.facts["normalized"] = "no"
    words = f"Keys of 0 that fill a block of {block} take part in the softmax"
    more = _lacking(case, block + 5) if max(lacking) < block else None
    if more is not None and abs(more - (block - 5)) > 0.05 * block:
        words = f"With fewer keys than {block}, keys of 0 that fill them up to so many"
        words += " take part in the softmax"
    case.report.add(
        "padding",
        f"{words}: the weights of a query add up to less than 1.",
        **{f"beside {n} keys": round(x, 3) + 0.0 for n, x in lacking.items()},
    )
    return True


def is_none_in_full_blocks(case: Case, logit: float) -> bool:
    """See whether what looks like a sink is not there where keys fill blocks."""
    lacking: dict[int, float] = {}
    for n in (*BLOCKS, *(block + 5 for block in BLOCKS)):
        try:
            total = case.probes.even(n, n)[0].sum(-1)
        except Refused:
            continue
        seen = case.allowed(n, n).sum(-1)
        row = _last_of_most(seen)
        if total[row]:
            lacking[n] = float(seen[row] / total[row] - seen[row])
    near = 0.3 * math.exp(logit)
    none = [n for n, x in lacking.items() if abs(x) < near]
    for block in BLOCKS:
        if none and none == [n for n in lacking if n % block == 0]:
            case.model, score = case.model.change(sink_unless=block), round(logit, 3)
            case.report.facts["normalized"] = "no"
            case.report.add(
                "padding",
                f"A key of score {score + 0.0:.3g} takes part in the softmax, unless "
                f"the number of keys is a multiple of {block}: the weights of a "
                "query add up to less than 1.",
                **{f"beside {n} keys": round(lacking[n], 3) + 0.0 for n in none[:1]},
                **{
                    f"beside {n} keys": round(lacking[n], 3) for n in list(lacking)[-1:]
                },
            )
            return True
    return False
