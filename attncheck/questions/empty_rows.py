"""What a query gets whose keys are all hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.model import band
from attncheck.questions.masked_probes import INVERTED, weights_under
from attncheck.subject import Refused

MORE = 4  # times as many tokens
OF_SOME_MASKS = {"mask-of-one-head", "mask-of-another-sentence", "mask-added"}
GETS = {"zeros": "zeros", "nan": "NaN", "mean": "a mean of values"}


def emptied(case: Case, name: str, meaning: str) -> str:
    """Hide every key from one query, and read what it gets.

    Where keys of 0 fill up blocks, so many tokens are taken that they fill one.
    """
    n, block = case.n, case.model.pad
    case.n = -(-n // block) * block
    try:
        found, own = _emptied(case, name, meaning), case.allowed(case.n, case.n)
        if found == "mean":
            mask = _hiding_last(case, meaning)
            if (w := weights_under(case, name, mask, None)) is not None:
                note_uneven(case, w[0, -1])
        _ask_partly_hidden(case, name, meaning, found)
        told = {one.code for one in case.report.problems if "mask" in one.code}
        if told <= OF_SOME_MASKS:  # (one mask for all is used as it should be)
            w = weights_under(case, name, _as_meant(np.zeros_like(own), meaning), None)
            note_all_empty(case, found, w)
        if not told:
            _ask_second_sentence(case, name, meaning, found)
        slow = case.subject.few_shapes  # which compiles every shape anew
        if not slow and not case.report.tells_of("mask"):
            case.n *= MORE
            w = weights_under(case, name, _hiding_last(case, meaning), None)
            note_with_many(case, found, None if w is None else w[0, -1])
        return found
    finally:
        case.n = n


def _emptied(case: Case, name: str, meaning: str) -> str:
    w = weights_under(case, name, _hiding_last(case, meaning))
    return "refused" if w is None else read_empty(w[0, -1])


def _hiding_last(case: Case, meaning: str) -> np.ndarray:
    """Write a mask that hides every key from the last query, and nothing else."""
    seen = np.ones((case.n, case.n), bool)
    seen[-1] = False
    if "mask-transposed" in {problem.code for problem in case.report.problems}:
        seen = seen.T
    return _as_meant(seen, meaning)


def _ask_second_sentence(case: Case, name: str, meaning: str, first: str) -> None:
    """Hide every key from the last query of the second sentence, of three."""
    if len(case.subject.layout) < 4:
        return
    seen = np.ones((3, 1, case.n, case.n), bool)
    seen[1, 0, -1] = False
    draw, shape = case.probes.draw, (3, case.heads, case.n, case.d)
    passed: dict[str, Any] = {name: _as_meant(seen, meaning)}
    try:
        w = case.probes.weights(draw(*shape), draw(*shape), **passed)
    except Refused:
        return
    note_second(case, first, w[1, 0, -1])


def note_second(case: Case, first: str, row: np.ndarray | None) -> None:
    """Note that an empty row of the second sentence gets something else."""
    found = "refused" if row is None else read_empty(row)
    if found != first and {found, first} <= set(GETS):
        case.report.details["empty_row_of_second"] = found


def note_all_empty(case: Case, found: str, w: np.ndarray | None) -> None:
    """Note that queries get something else where a mask hides every key from all."""
    if w is None or found not in GETS:
        return
    with_all = read_empty(w[0, -1])
    if with_all != found:
        case.report.details["empty_row_of_all"] = with_all


def note_with_many(case: Case, found: str, row: np.ndarray | None) -> None:
    """Note that an empty row gets something else with more tokens."""
    if row is None or found not in GETS or (with_many := read_empty(row)) == found:
        return
    even = with_many != "mean" or np.ptp(row) <= 0.05 * row.max()
    uneven = "values with weights that are not even"
    gets = GETS[with_many] if even else uneven
    case.report.details["empty_row_with_many"] = gets


def _ask_partly_hidden(case: Case, name: str, meaning: str, found: str) -> None:
    """Hide every key from a query from which its own rule hides some."""
    own = case.allowed(case.n, case.n)
    rows = partly_hidden(own)
    if not rows.size or case.report.details.get("mask_in_place_of_band"):
        return
    seen = np.ones_like(own)
    seen[rows[-1]] = False
    w = weights_under(case, name, _as_meant(seen, meaning))
    if w is not None:
        note_partly_hidden(case, found, w[0, rows[-1]], own[rows[-1]])


def partly_hidden(own: np.ndarray) -> np.ndarray:
    """Return the queries that see some keys of their own rule, and not all."""
    return np.flatnonzero(own.any(-1) & ~own.all(-1))


def note_partly_hidden(
    case: Case, found: str, row: np.ndarray, own: np.ndarray
) -> None:
    """Note what a query gets to which a mask leaves no key, and its own rule some."""
    gets, details = read_empty(row), case.report.details
    if gets == "mean" and (row[own] > 0).all() and not row[~own].any():
        if found == "mean":
            details["mean_of_own"] = True
            return
    elif gets == found and (found != "mean" or _is_even(row)):
        return
    if found in GETS:
        details["partly_hidden"] = _in_words(gets, row, own)


def _is_even(row: np.ndarray) -> bool:
    return bool(np.ptp(row) <= 0.05 * row.max())


def _in_words(gets: str, row: np.ndarray, own: np.ndarray) -> str:
    """Say what a query gets that should see no key: nothing, NaN, or which keys."""
    if gets != "mean":
        return f"gets {GETS[gets]}"
    hides = "its own rule" if row[~own].max() > 0.01 else "the mask"
    return f"attends to keys which {hides} hides"


def ask_emptied_together(case: Case, name: str, meaning: str) -> None:
    """Let the mask hide what the function's own rule leaves to a query, and no more."""
    own = case.allowed(case.n, case.n)
    rows = partly_hidden(own)
    after = meaning.startswith("multiplied after")
    if not rows.size or after or _is_misread(case):
        return
    seen = np.ones_like(own)
    seen[rows[0]] = ~own[rows[0]]
    w = weights_under(case, name, _as_meant(seen, meaning))
    if w is not None:
        note_together(case, w[0, rows[0]], own[rows[0]])


def _is_misread(case: Case) -> bool:
    """Say whether a mask goes wrong in another way, or its own rule gives way to it."""
    told = case.report.tells_of("mask")
    return told or bool(case.report.details.get("mask_in_place_of_band"))


def note_together(case: Case, row: np.ndarray, own: np.ndarray) -> None:
    """Note what a query gets to which a mask and its own rule leave nothing together.

    It is noted where it is something else than a mask alone leads to.
    """
    of_mask = case.report.facts["empty_row"]
    found = read_empty(row)
    of_own = case.report.details.get("mean_of_own")
    even = found == "mean" and (not row[~own].any() if of_own else _is_even(row))
    if of_mask not in GETS or (even if of_mask == "mean" else found == of_mask):
        return
    case.report.details["emptied_together"] = _in_words(found, row, own)


def _as_meant(seen: np.ndarray, meaning: str) -> np.ndarray:
    """Write who sees whom as a mask of that meaning."""
    if meaning == "added":
        return np.where(seen, 0, -np.inf)
    return ~seen if meaning in ("may not attend", INVERTED) else seen


def read_empty(row: np.ndarray) -> str:
    """Say what weights a query has that sees no key."""
    if not np.isfinite(row).all():
        return "nan"
    return "zeros" if np.abs(row).max() == 0 else "mean"


def own_empty(case: Case) -> str:
    """Find a query that its own mask leaves without a key.

    Where more queries than keys have a corner of their own, those tell nothing.
    """
    other_corner = "corner_with_more_queries" in case.report.details
    for n, m in case.pictures:
        if other_corner and n > m:
            continue
        hidden = np.flatnonzero(~band(n, m, case.model).any(-1))
        if hidden.size:
            found = read_empty(case.probes.even(n, m)[0][hidden[0]])
            if found == "mean":
                draw, (h, d) = case.probes.draw, (case.heads, case.d)
                w = case.probes.weights(draw(1, h, n, d), draw(1, h, m, d))
                note_uneven(case, w[0, 0, hidden[0]])
            return found
    return "not reached"


def compare_own_empty(case: Case) -> None:
    """Say that its own rule empties a query in another way than a mask does."""
    details, of_mask = case.report.details, case.report.facts["empty_row"]
    before = dict(details)
    own = own_empty(case)
    case.report.details = before
    if own == of_mask in ("zeros", "nan"):
        case.report.details["own_empty_same"] = True
    if of_mask in GETS and own in GETS and own != of_mask:
        case.report.details["own_empty_row"] = own
        case.report.but.append(
            f"a query to which its own rule leaves no key gets {GETS[own]}, not "
            f"{GETS[of_mask]} as under a mask"
        )


def note_uneven(case: Case, row: np.ndarray) -> None:
    """Note that a mean of values has uneven weights, or leaves some values out."""
    if np.isfinite(row).all() and np.ptp(row) > 0.05 * row.max():
        case.report.details["empty_row_is_uneven"] = True
        if row[0] > 0.99 * row.sum():
            case.report.details["empty_row_sees_first"] = True
    elif np.isfinite(row).all() and row.sum() < 0.95:  # as beside empty slots
        case.report.details["empty_row_is_less"] = True


def tell_empty(case: Case) -> None:
    """Say in words what such a query gets: one that what leaves without a key."""
    details, found = case.report.details, case.report.facts["empty_row"]
    gets = {"zeros": "zeros", "nan": "NaN", "mean": "a mean of all values"}
    if details.get("mean_of_own"):
        gets["mean"] = "a mean of the values that its own rule leaves it"
    if case.report.facts["normalized"] == "sink":  # which may take its part
        gets["mean"] = gets["mean"].replace("a mean", "equal parts")
    elif "empty_row_is_less" in details:
        gets["mean"] = gets["mean"].replace("a mean", "equal parts, less than a mean,")
    who = "A query that may attend to nothing"
    by_mask = details.get("mask_keyword") or details.get("key_mask") or case.key_masks
    own, some = details.get("own_empty_row"), details.get("partly_hidden")
    together = details.get("emptied_together")
    if case.model.window != (None, None) or case.model.picture is not None:
        joined = case.report.tells_of("mask-adds-keys")
        by = "a mask" if by_mask and not joined else "its own rule"
        if by == "a mask" and "own_empty_same" in details and not some:
            by = "a mask or its own rule"
        who = f"A query to which {by} leaves no key"
    said = f"{who} gets {gets.get(found)}."
    if some:
        said = f"{said[:-1]}, if its own rule hides none from it; one from which its "
        said += f"own rule hides some {some}."
        together = None if together == some else together
    if own and together:
        said = f"{said[:-1]}; one to which its own rule leaves none, {GETS[own]}."
        said += f" One to which both leave none together {together}."
    elif own:
        said = f"{said[:-1]}; one to which its own rule leaves none, {GETS[own]}."
    elif together:
        said = (
            f"{said[:-1]}; one to which the mask and its own rule leave none together "
            f"{together}."
        )
    if of_all := details.get("empty_row_of_all"):
        said = f"{said[:-1]}; where a mask hides every key from every query, each gets "
        said += f"{GETS[of_all]}."
    if second := details.get("empty_row_of_second"):
        said = f"{said[:-1]}, in the first sentence; in the second, {GETS[second]}."
    if many := details.get("empty_row_with_many"):
        few = f"with {case.n} tokens; with {MORE * case.n}, {many}"
        said = f"{said[:-1]}, {few}."
    if "empty_row_is_uneven" in details:
        uneven = (
            "values with weights that are not even, as if some keys were not hidden"
        )
        said = f"{who} may get {uneven}."
        if "empty_row_sees_first" in details:
            said = f"{who} sees the first key."
    if found == "refused":
        said = "A mask that hides every key of a query is refused."
    if found in ("refused", *gets):
        case.report.sentences.append(said)
