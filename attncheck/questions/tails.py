"""Tails of blocks: queries and keys that are lost at some sizes."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import band
from attncheck.questions.last_check import NEAR, OFF_BY, describe_far, deviation
from attncheck.questions.long_runs import LONG, are_unseen, even_scores, tell_long
from attncheck.reading.where import name_places
from attncheck.subject import Refused

BLOCKS = (16, 32, 64, 128, 256)  # (300 is a multiple of none)


def ask_tails(case: Case) -> None:
    """Look just below and above the sizes of blocks for lost queries and keys."""
    if case.empty:
        words = f"With {case.empty[0]} tokens it gives nothing but 0 or NaN"
        whole = case.report.facts["alignment"] is not None  # at a size that it takes
        why = ", as when a block that is not full is dropped" if whole else ""
        case.report.add("tail-dropped", f"{words}{why}.", n_tokens=case.empty[0])
        return
    if case.report.unexplained or case.report.facts["scale"] is None:
        return
    if case.model.lost is not None or case.unnamed:  # it was, or would be, seen already
        return
    if case.heads > 1 and _gives_nothing_with_one_head(case):
        return
    for n in (*(b + step for b in BLOCKS for step in (1, -1, 0)), 300):
        if found := _lost_at(case, n):
            _tell_tail(case, n, *found)
            return
    _tell_uneven(case)


def _tell_uneven(case: Case) -> None:
    """Say where many tokens do not follow from the facts, if few tokens do.

    Of a window that few tokens do not show, they tell nothing.
    """
    if not case.uneven or case.model.biased_by_place:
        case.report.unexplained = case.uneven
        return
    if case.wide and case.report.facts["window"] is None:
        case.report.unexplained = case.uneven
        _tell_other_window(case)
        return
    try:
        few, many = (
            deviation(case, b=1, heads=case.heads, n=n, m=n) for n in (2 * case.n, LONG)
        )
    except Refused:
        few = many = np.zeros((1, 1, 1, 1))
    if few.max() > NEAR or many.max() <= NEAR:
        case.report.unexplained = case.uneven
        return
    where = describe_far(case, many)
    tell_long(case, LONG, where, **{OFF_BY: many.max()})


def _tell_other_window(case: Case) -> None:
    """Say which queries do not see the window that was meant."""
    try:
        found = case.even(LONG, LONG).allowed
    except Refused:
        return
    wanted = band(LONG, LONG, case.model.change(window=case.window_meant))
    rows = np.flatnonzero((found != wanted).any(-1))
    if not rows.size:
        return
    query = int(rows[0])
    does = []
    for keys, words in (
        (wanted[query] & ~found[query], "does not see"),
        (found[query] & ~wanted[query], "also sees"),
    ):
        if keys.any():
            places = np.flatnonzero(keys)
            many = "key" if len(places) == 1 else "keys"
            does.append(f"{words} {many} {name_places(places, blocks=False)}")
    case.report.add(
        "other-window",
        f"window was meant to be {case.window_meant}; with {LONG} tokens, {rows.size} "
        f"queries see other keys: query {query} {' and '.join(does)}.",
    )


def _gives_nothing_with_one_head(case: Case) -> bool:
    """Say that a single head gets nothing, whatever the number of tokens is."""
    try:
        value = np.ones((1, 1, case.n, case.d))
        lost = not np.nan_to_num(case.subject(*even_scores(case, case.n), value)).any()
    except Refused:
        return False
    if lost:
        words = f"With 1 head it gives nothing but 0 or NaN, and not with {case.heads}."
        case.report.add("wrong-with-other-heads", words)
    return lost


def _lost_at(case: Case, n: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the keys and queries that are lost at n tokens; None if none are."""
    try:
        keys, queries = _lost(case, n)
    except Refused as error:
        case.report.details.setdefault("refused", {})[f"{n} × {n}"] = str(error)
        return None
    if keys.size and not are_unseen(case, n, keys):
        case.uneven = (
            f"With {n} tokens and equal scores, some numbers are not those of the "
            "mask that fewer tokens show."
        )
        return None
    return (keys, queries) if keys.size or queries.size else None


def _otherwise(case: Case, n: int, keys: np.ndarray) -> str:
    """Say where outputs are not those without these keys; empty if nowhere."""
    before, seen = case.model, np.ones((n, n), bool)
    seen[:, keys] = False
    case.model = before.change(allowed=seen)
    try:
        off = deviation(case, b=1, heads=case.heads, n=n, m=n)
    except Refused:
        return ""
    finally:
        case.model = before
    wrong = (off > NEAR).any() and not before.biased_by_place
    return describe_far(case, off) if wrong else ""


def _lost(case: Case, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys that no query sees, and the queries that get nothing.

    Every key has the value 1 in one of d columns: sums of every d-th key show them all.
    """
    d, width = case.d, min(case.d, n)
    value = np.zeros((1, 1, n, d))
    place = np.arange(n)
    value[..., place, place % width] = 1
    output = case.subject(*even_scores(case, n), value)[0, 0][:, :width]
    inside = band(n, n, case.model) | bool(case.level)
    wanted = np.zeros((n, width))
    np.add.at(wanted.T, place % width, inside.T.astype(float))
    queries = inside.any(-1) & ~np.nan_to_num(output).any(-1)
    if "nan" in {problem.code for problem in case.report.problems}:
        queries &= np.isfinite(output).all(-1)  # they were told
    if case.model.biased_by_place or (case.by_query and n > width):
        return np.array([], int), np.flatnonzero(queries)
    level = _level(output, wanted, case.by_query)
    short = (output < level * (wanted - 0.5)) & (wanted > 0) & ~queries[:, None]
    columns = np.flatnonzero(short.any(0))
    keys = np.flatnonzero(np.isin(place % width, columns) & _late(place, n, width))
    return keys, np.flatnonzero(queries)


def _level(output: np.ndarray, wanted: np.ndarray, by_query: bool) -> np.ndarray:
    """Return the weight of one key, row by row (or column by column)."""
    ratio = np.where(wanted > 0, output / np.where(wanted > 0, wanted, 1), 0)
    ratio = np.where(np.isfinite(ratio), ratio, 0)
    return np.asarray(ratio.max(0 if by_query else -1, keepdims=True))


def _late(place: np.ndarray, n: int, width: int) -> np.ndarray:
    """Of the keys that share a column, the last is the one that a tail drops."""
    return place >= n - width


def _begins_anew(case: Case, n: int) -> int:
    """Return the block of queries in which a causal mask begins anew, or 0."""
    for block in BLOCKS:  # (the last alone may begin anew: two are full, or all)
        sizes = (n, 2 * block + 1, 2 * block)
        if block < n and all(_is_anew(case, size, block) for size in sizes):
            return block
    return 0


def _is_anew(case: Case, n: int, block: int) -> bool:
    place = np.arange(n)
    try:
        allowed = case.even(n, n).allowed
    except Refused:
        return False
    return np.array_equal(allowed, place <= (place % block)[:, None])


def _tell_small_block(case: Case, n: int, n_lost: int) -> bool:
    """Say that the tail of a small block is dropped, where that explains outputs."""
    before = case.model
    for block in range(2, 16):
        if n % block != n_lost:
            continue
        case.model = before.change(lost=("tail", block))
        sizes = {n, 10, 11, 14, 15, *range(2, 2 * block + 2)}  # (4 is no block of 2)
        try:
            off = [deviation(case, b=1, heads=case.heads, n=m, m=m) for m in sizes]
        except Refused:
            off = []
        if off and max(float(x.max()) for x in off) <= NEAR:
            words = f"Keys after the last full block of {block} reach no output."
            case.report.add("tail-dropped", words, n_keys=n, lost=n_lost)
            return True
        case.model = before
    return False


def _tell_tail(case: Case, n: int, keys: np.ndarray, queries: np.ndarray) -> None:
    if keys.size and (block := _begins_anew(case, n)):
        case.report.add(
            "mask-begins-anew",
            f"Its causal mask begins anew with each block of {block} queries: query "
            f"{block} sees only key 0 again.",
            **{"block": block, "n_keys": n},
        )
        told = case.report.sentences
        told[:] = [line for line in told if not line.startswith("Query i sees")]
        return
    if keys.size and _tell_small_block(case, n, len(keys)):
        return
    full = next((2 * block for block in BLOCKS if abs(n - block) == 1), n)
    for size, lost in ((n, keys), (full, keys[:0])):  # full blocks should be whole
        if keys.size and (wrong := _otherwise(case, size, lost)):
            tell_long(case, size, wrong)
            return
    begins = f"With {n} queries and {n} keys"
    if keys.size:
        case.report.add(
            "tail-dropped",
            f"{begins}, the values of those from {keys.min()} on reach no output, as "
            "when a block that is not full is dropped."
            if keys.min() == n - keys.size
            else f"{begins}, the values of {keys.size} of them reach no output.",
            **{"n_keys": n},
        )
        return
    if queries.size == n:
        _tell_empty(case, n)
        return
    case.report.add(
        "tail-dropped",
        f"{begins}, those queries from {queries.min()} on get nothing but 0 or NaN."
        if queries.min() == n - queries.size
        else f"{begins}, {queries.size} of the queries get nothing but 0 or NaN.",
        **{"n_queries": n, "first lost": int(queries.min()), "lost": len(queries)},
    )


def _tell_empty(case: Case, n: int) -> None:
    """Say that n tokens get nothing: a full last block of keys may be dropped."""
    words = f"With {n} tokens it gives nothing but 0 or NaN"
    lost = [_lost(case, times * n)[0] for times in (2, 3)]
    ends = (np.arange((times - 1) * n, times * n) for times in (2, 3))
    if all(np.array_equal(*both) for both in zip(lost, ends, strict=True)):
        words = (
            f"Where the number of keys is a multiple of {n}, the last {n} of them "
            f"reach no output: {words[0].lower()}{words[1:]}"
        )
    case.report.add("tail-dropped", f"{words}.", n_tokens=n)
