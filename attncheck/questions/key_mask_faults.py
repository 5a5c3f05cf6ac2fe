"""How a mask of keys goes wrong: it leaks, or reaches some heads, sentences, rows."""

from __future__ import annotations

import numpy as np

from attncheck.questions.key_mask_probes import HIGH, NEGLIGIBLE, KeyMask


def tell_leak(mask: KeyMask) -> bool:
    """Tell of hidden keys that still have weight; say whether there are any."""
    seen, ratios = mask.draw(), []
    for score in mask.levels:
        w = mask.weights(seen, score)
        ratios.append(None if w is None else mask.log_ratio(w, seen))
    low, high = ratios[0], ratios[-1]
    if len(ratios) < 2 or low is None or high is None:
        return False
    words = "A key that the mask hides still has weight"
    if abs(high - low) < 0.1:
        words += f": {low:.3g} is added to its score, not −∞"
    elif abs(high - low + HIGH) < 0.1:
        words += f": it gets the score {low + 0.0:.3g}, not −∞"
    mask.case.report.add("mask-leaks", f"{words}.")
    return True


def ask_each_sentence(mask: KeyMask) -> None:
    """See whether all rows of all heads follow, of each sentence its own mask."""
    seen = mask.draw()
    w = mask.clear(seen)
    if w is None:
        return
    follows = _follows(mask, w, seen)
    if follows.all():
        _ask_other_sizes(mask)
    elif _is_reached_by_others(mask, seen, w, int(follows.all((1, 2)).argmin())):
        mask.case.report.add(
            "mask-of-another-sentence",
            "Each sentence was given a mask of its own keys, and not every one was "
            "used for its own sentence alone.",
        )
    elif not _tell_deaf_heads(mask, w, np.asarray(follows.all((0, 2)))):
        _tell_misread(mask, follows, seen.shape[-1])


def _is_reached_by_others(
    mask: KeyMask, seen: np.ndarray, w: np.ndarray, sentence: int
) -> bool:
    """Give all other sentences other masks, and see whether this one's keys change."""
    others = ~seen
    others[sentence] = seen[sentence]
    changed = mask.clear(others)
    if changed is None:
        return False
    return not np.allclose(changed[sentence], w[sentence], rtol=0.02, atol=1e-6)


def _tell_deaf_heads(mask: KeyMask, w: np.ndarray, right: np.ndarray) -> bool:
    """Tell of heads that go on as if no mask were passed; say whether all others do."""
    none = mask.clear(np.ones_like(mask.draw()))
    if none is None or not right.any():
        return False
    if not np.allclose(w[:, ~right], none[:, ~right], rtol=0.02, atol=1e-6):
        return False
    mask.case.report.add(
        "mask-of-some-heads",
        f"The mask of keys reaches {right.sum()} of {right.size} heads; the others go "
        "on as if there were none.",
    )
    return True


def _follows(mask: KeyMask, w: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Say which rows (b, h, n) see just these keys, or cannot tell."""
    follows, telling = mask.follows(w, seen)
    return np.asarray(follows | ~telling)


def _ask_other_sizes(mask: KeyMask) -> None:
    """Ask again with more keys than queries, a single query, and many keys."""
    n = mask.case.n
    _ask_as_many_queries(mask)
    _ask_as_many_heads(mask)
    for n_queries, m in ((n, 2 * n), (1, n), (n, 8 * n)):
        seen = mask.draw(m)
        w = mask.clear(seen, n_queries)
        if w is None:
            continue
        follows = _follows(mask, w, seen)
        if not follows.all():
            _tell_misread(mask, follows, m)
            return


def _ask_as_many_queries(mask: KeyMask) -> None:
    """As many queries as sentences: it could be (n_queries, n_keys), too."""
    seen = mask.draw()
    n = len(seen)
    w = mask.clear(seen, n) if n > 1 else None
    if w is None:
        return
    pairs = seen & mask.case.allowed(*w.shape[-2:])
    own = _follows(mask, w, seen)
    told = pairs.any(-1) & np.isfinite(w).all(-1)
    as_pairs = ((w > NEGLIGIBLE * w.max(-1, keepdims=True)) == pairs).all(-1)
    if not own.all() and as_pairs[told].all():
        mask.case.report.but.append(
            f"a mask of keys passed as {mask.name} is read as (n_queries, n_keys) "
            "where there are as many queries as sentences"
        )


def _ask_as_many_heads(mask: KeyMask) -> None:
    """As many sentences as heads: it could be one for each head, too."""
    seen, heads = mask.draw(), mask.case.heads
    if not 1 < heads <= len(seen):
        return
    seen = seen[:heads]
    w = mask.clear(seen)
    if w is None:
        return
    own = mask.case.allowed(*w.shape[-2:])
    of_heads = own & seen[:, None]
    told = of_heads.any(-1).all(0) & np.isfinite(w).all((0, 1, -1))
    large = w > NEGLIGIBLE * w.max(-1, keepdims=True)
    as_heads = (large == of_heads).all(-1)[..., told]
    if told.any() and as_heads.all() and not _follows(mask, w, seen).all():
        mask.case.report.but.append(
            f"a mask of keys passed as {mask.name} is read as one for each head where "
            "there are as many sentences as heads"
        )


def _tell_misread(mask: KeyMask, follows: np.ndarray, m: int) -> None:
    """Say which queries see other keys than a mask leaves them."""
    n, wrong = follows.shape[-1], np.flatnonzero(~follows.all((0, 1)))
    who = f"With {n} queries and {m} keys, {wrong.size} of the queries do not see"
    if n == 1:
        who = f"With a single query and {m} keys, it does not see"
    words = f"{who} just those keys that a mask of keys leaves."
    mask.case.report.add("mask-misread", words, queries=wrong)
