"""What a mask that is passed means."""

from __future__ import annotations

import inspect

import numpy as np

from attncheck.case import Case
from attncheck.questions.empty_rows import (
    ask_emptied_together,
    compare_own_empty,
    emptied,
    own_empty,
    tell_empty,
)
from attncheck.questions.key_masks import NAMES as KEY_NAMES
from attncheck.questions.key_masks import (
    ask_key_mask,
    ask_keys_alone,
    find_key_masks,
    tell_remembered,
)
from attncheck.questions.mask_details import ask_mask_further, filled_with
from attncheck.questions.masked_probes import (
    INVERTED,
    as_passed,
    half,
    left_by,
    ratio,
    unmasked,
    weights_under,
)
from attncheck.questions.unread_masks import first_changed, tell_unread

NAMES = ("mask", "attn_mask", "attention_mask", "bias", "attn_bias")
ROUNDED = 0.3  # of a score: so much may be rounding, of weights with few bits
WORDS = {
    "may attend": "In a boolean mask, True means: may attend.",
    "may not attend": "In a boolean mask, True means: may not attend.",
    "added": "A mask is added to the scores: 0 allows, −∞ forbids.",
    "multiplied after": "A mask is multiplied onto the weights, after the softmax.",
    INVERTED: "A mask is multiplied onto the weights, after the softmax: True hides.",
}


def ask_mask(case: Case) -> None:
    """Pass a mask by the names that masks have, and see which keys are left."""
    name = _keyword(case)
    case.report.details["mask_asked"] = True
    if name is not None:
        meaning = _meaning(case, name)
        if meaning is not None and _is_remembered(case, name, meaning):
            tell_remembered(case, f"A mask passed as {name}")
        elif _reads_one_row(case, name) and ask_key_mask(case, name):
            pass  # it takes one of keys alone
        elif meaning is not None:
            case.report.facts["mask"] = meaning.partition(",")[0]
            case.report.details["mask_keyword"] = name
            case.report.sentences.append(f"{WORDS[meaning]} (The keyword is {name}.)")
            ask_mask_further(case, name, meaning)
            if not case.report.tells_of("mask-adds-keys"):
                case.report.facts["empty_row"] = emptied(case, name, meaning)
                ask_emptied_together(case, name, meaning)
                ask_keys_alone(case, name, meaning)
        elif not _is_of_keys(case, name):
            tell_unread(case, name)
    for key_name in find_key_masks(case):
        ask_key_mask(case, key_name)
    if case.report.facts["empty_row"] is None:
        case.report.facts["empty_row"] = own_empty(case)
    else:
        compare_own_empty(case)
    tell_empty(case)


def _reads_one_row(case: Case, name: str) -> bool:
    """Say whether all queries see the keys of one row, where each was given its own.

    It is asked of a name that masks of keys have, too.
    """
    if name != "attention_mask":
        return False
    w = weights_under(case, name, half(case))
    if w is None or not np.isfinite(w).all():
        return False
    own, seen = case.allowed(case.n, case.n), w[0] > 0.01 * w[0].max(-1, keepdims=True)
    fullest = int(own.sum(-1).argmax())
    hides = not seen[fullest].all()
    return hides and np.array_equal(seen, own & seen[fullest])


def _is_of_keys(case: Case, name: str) -> bool:
    """Pass one of keys alone, where one of queries and keys is refused, or not read.

    As many queries as sentences, and either may be taken for the other.
    """
    refused = weights_under(case, name, half(case)) is None
    return ask_key_mask(case, name, unread=refused)


def _is_remembered(case: Case, name: str, meaning: str) -> bool:
    """Say whether a mask that hides nothing gives what the mask before it gave."""
    mask = half(case)
    none = np.full_like(mask, left_by(np.array(True), meaning))
    some, all_of_them = (
        weights_under(case, name, as_passed(x, meaning)) for x in (mask, none)
    )
    if some is None or all_of_them is None:
        return False
    changed = not np.allclose(some, unmasked(case), 0.02, 1e-6, equal_nan=True)
    return changed and np.array_equal(some, all_of_them, equal_nan=True)


def _keyword(case: Case) -> str | None:
    """Find the name of its mask: in its signature, or, without one, by trying."""
    taken = [name for name in NAMES if name not in case.subject.extra]
    try:
        parameters = inspect.signature(case.subject.function).parameters
    except (TypeError, ValueError):
        return _first_taken(case, taken)
    named = [name for name in taken if name in parameters]
    named += [
        name
        for name, parameter in parameters.items()
        if name.endswith("_mask") and parameter.default is None
        if name not in (*named, *KEY_NAMES, *case.subject.extra)
    ]
    if named:
        return named[0]
    kinds = {parameter.kind for parameter in parameters.values()}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        return None
    return _first_taken(case, taken)


def _first_taken(case: Case, names: list[str]) -> str | None:
    """Return the first name under which a boolean mask is not refused."""
    mask = half(case)
    taken = (name for name in names if weights_under(case, name, mask) is not None)
    return next(taken, None)


def _meaning(case: Case, name: str) -> str | None:
    as_bool = weights_under(case, name, half(case))
    meaning = None
    if as_bool is not None:
        meaning = _of_bool(case, name, as_bool[first_changed(case, as_bool)])
    if meaning is not None:
        case.report.details["mask_may_be_added"] = _adds(case, name)
        if not case.report.details["mask_may_be_added"]:
            _ask_infinities(case, name)
        return meaning
    added = weights_under(case, name, np.where(half(case), 0, -np.inf))
    if added is not None:
        meaning = _read(case, added[first_changed(case, added)], half(case))
    return "added" if meaning == "may attend" else meaning


def _adds(case: Case, name: str) -> bool:
    """Say whether numbers are added: one of two pairs gets 1 more than the other."""
    w = weights_under(case, name, np.where(half(case), 1.0, 0.0))
    return w is not None and _read(case, w[0], half(case)) == "added"


def _ask_infinities(case: Case, name: str) -> None:
    """Ask whether 0 allows and −∞ hides, where 1 does not raise a score by 1."""
    mask, own = half(case), case.allowed(case.n, case.n)
    w = weights_under(case, name, as_passed(mask, "added"))
    if w is None or _read(case, w[0], mask) != "may attend":
        return
    raised = weights_under(case, name, np.where(mask, 1.0, 0.0))
    change = None if raised is None else ratio(raised[0], mask, own)
    does = "is not added to a score"
    if change is not None:
        if abs(change + 1) < ROUNDED:
            case.report.details["mask_may_be_added"] = True
            return
        does = f"changes a score by about {0.0 - change:.2g}"
    case.report.details["mask_of_numbers"] = f"0 in it allows, −∞ hides, but 1 {does}"


def _of_bool(case: Case, name: str, w: np.ndarray) -> str | None:
    """Say what a boolean mask means; a problem, if it is turned or does not hide."""
    mask = half(case)
    if (meaning := _read(case, w, mask)) is not None:
        return meaning
    if (meaning := _read(case, w, mask.T)) is not None:
        words = "The mask is transposed: its queries and keys are exchanged."
        case.report.add("mask-transposed", words)
        return meaning
    if np.isnan(w).all():
        words = "A boolean mask that hides some keys of each query makes all of it NaN."
        case.report.add("mask-nan", words)
        return None
    for inverted in (False, True):
        how = "may not attend" if inverted else "may attend"
        if filled_with(case, name, mask, how) is not None:
            return how
    return None


def _read(case: Case, w: np.ndarray, mask: np.ndarray) -> str | None:
    """Compare weights under a mask with those without, row by row."""
    own = case.allowed(case.n, case.n)
    even = unmasked(case)[0]
    last = np.flatnonzero(own.sum(-1) > 2)
    rows = [i for i in last if np.isfinite(w[i]).all() and np.isfinite(even[i]).all()]
    if not rows or np.allclose(w[rows], even[rows], rtol=0.02, atol=1e-6):
        return None
    i = rows[-1]
    yes, no = own[i] & mask[i], own[i] & ~mask[i]
    small = 0.01 * w[i].max()
    if (w[i][no] <= small).all() and (w[i][yes] > small).all():
        kept = np.allclose(w[i][yes], even[i][yes], rtol=0.02)
        return "multiplied after" if kept else "may attend"
    if (w[i][yes] <= small).all() and (w[i][no] > small).all():
        kept = np.allclose(w[i][no], even[i][no], rtol=0.02)
        return INVERTED if kept else "may not attend"
    ratio = float(np.median(w[i][yes]) / np.median(w[i][no]))
    return "added" if abs(ratio / np.e - 1) < 0.05 else None
