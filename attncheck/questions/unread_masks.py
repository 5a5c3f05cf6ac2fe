"""Masks that are passed and mean nothing known: what was seen of them is said."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.empty_rows import MORE
from attncheck.questions.masked_probes import half, unmasked, weights_at, weights_under

HIGH = 3.0  # the score of all pairs, where it is not 0


def first_changed(case: Case, w: np.ndarray) -> int:
    """Return the first head whose weights (h, n, n) a mask changes; 0 if none."""
    even = unmasked(case)
    changed = [not _same(*both) for both in zip(w, even, strict=True)]
    return int(np.argmax(changed))


def _same(w: np.ndarray, even: np.ndarray) -> bool:
    return bool(np.allclose(w, even, rtol=0.02, atol=1e-6, equal_nan=True))


def _ignored(case: Case, name: str, mask: np.ndarray) -> bool:
    """Say whether a mask changes nothing at random scores either.

    A level of scores needs a product that is known; these need none.
    """
    with_it = weights_under(case, name, mask, None)
    return with_it is not None and _same(with_it, weights_at(case, None))


def _is_read_with_many(case: Case, name: str) -> bool:
    """Say whether a mask changes something with more tokens."""
    n, case.n = case.n, MORE * case.n
    try:
        w = weights_under(case, name, half(case))
        return w is not None and not _same(w, unmasked(case))
    finally:
        case.n = n


def add_joined(case: Case, name: str) -> str:
    """Add the problem that its own rule and a mask are joined; return the words."""
    seen = (
        f"a mask passed as {name} is joined with OR to the function's own: queries "
        "see keys that they do not see without"
    )
    case.report.add("mask-adds-keys", f"{seen[:1].upper()}{seen[1:]}.")
    return seen


def tell_unread(case: Case, name: str) -> None:
    """Say what a Boolean mask does: nothing, or it adds keys, or something else."""
    mask = half(case)
    w = weights_under(case, name, mask)
    if w is None:
        case.report.details["mask_seen"] = "a Boolean mask is refused"
        return
    even = unmasked(case)
    own = case.allowed(case.n, case.n)
    seen = f"a mask passed as {name} changes weights by a rule that I do not know"
    if _same(w, even):
        seen = f"a mask passed as {name} changes nothing where all scores are 0"
        high = weights_under(case, name, mask, HIGH)
        if high is not None and _same(high, even) and _ignored(case, name, mask):
            seen = f"a mask passed as {name} changes nothing"
            if _is_read_with_many(case, name):
                few, many = case.n, MORE * case.n
                seen = f"with {few} tokens, and not with {many}, {seen}"
        of_keys = weights_under(case, name, np.broadcast_to(mask[:1], mask.shape))
        if of_keys is not None and not _same(of_keys, even):
            seen = (
                f"a mask passed as {name} that differs from query to query changes "
                "nothing; one that is the same for all queries does"
            )
    elif not own.all() and any(((w > 0) == (own | one)).all() for one in (mask, ~mask)):
        seen = add_joined(case, name)
    case.report.details["mask_seen"] = seen
    case.report.sentences.append(f"{seen[:1].upper()}{seen[1:]}.")
    case.report.but.append(seen)
