"""How a mask of keys goes wrong: it leaks, or reaches some heads, sentences, rows."""

from __future__ import annotations

import numpy as np

from attncheck.questions.key_mask_probes import HIGH, KeyMask


def tell_leak(mask: KeyMask) -> bool:
    """Tell of hidden keys that still have weight; say whether there are any."""
    report, seen = mask.case.report, mask.draw()
    if report.facts["scale"] is None or report.facts["position"] is not None:
        return False
    ratios = []
    for score in (0.0, HIGH):
        w = mask.weights(seen, score)
        ratios.append(None if w is None else mask.log_ratio(w, seen))
    low, high = ratios
    if low is None or high is None:
        return False
    words = "A key that the mask hides still has weight"
    if abs(high - low) < 0.1:
        words += f": {low:.3g} is added to its score, not −∞"
    elif abs(high - low + HIGH) < 0.1:
        words += f": it gets the score {low + 0.0:.3g}, not −∞"
    report.add("mask-leaks", f"{words}.")
    return True


def ask_each_sentence(mask: KeyMask) -> None:
    """See whether all rows of all heads follow, of each sentence its own mask."""
    seen = mask.draw()
    follows = _follows(mask, seen)
    if follows is None or follows.all():
        _ask_other_sizes(mask)
        return
    sentences, heads = follows.all((1, 2)), follows.all((0, 2))
    if sentences.any():
        mask.case.report.add(
            "mask-of-another-sentence",
            "Each sentence was given a mask of its own keys, and not every one was "
            "used for its own sentence.",
        )
    elif heads.any():
        words = f"The mask of keys reaches {heads.sum()} of {heads.size} heads."
        mask.case.report.add("mask-of-some-heads", words)
    else:
        _tell_misread(mask, follows, seen.shape[-1])


def _follows(mask: KeyMask, seen: np.ndarray, n: int = 0) -> np.ndarray | None:
    """Say which rows (b, h, n) see just these keys, or cannot tell."""
    w = mask.weights(seen, n=n)
    if w is None or not np.isfinite(w).all():
        return None
    follows, telling = mask.follows(w, seen)
    return np.asarray(follows | ~telling)


def _ask_other_sizes(mask: KeyMask) -> None:
    """Ask again with more keys than queries, a single query, and many keys."""
    n = mask.case.n
    for n_queries, m in ((n, 2 * n), (1, n), (n, 8 * n)):
        follows = _follows(mask, mask.draw(m), n_queries)
        if follows is not None and not follows.all():
            _tell_misread(mask, follows, m)
            return


def _tell_misread(mask: KeyMask, follows: np.ndarray, m: int) -> None:
    """Say which queries see other keys than a mask leaves them."""
    n, wrong = follows.shape[-1], np.flatnonzero(~follows.all((0, 1)))
    who = f"With {n} queries and {m} keys, {wrong.size} of the queries do not see"
    if n == 1:
        who = f"With a single query and {m} keys, it does not see"
    words = f"{who} just those keys that a mask of keys leaves."
    mask.case.report.add("mask-misread", words, queries=wrong)
