"""What a mask that is passed means, and what a query gets whose keys are all hidden."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.mask_details import ask_mask_further, filled_with
from attncheck.model import band
from attncheck.patterns import Seen
from attncheck.subject import Refused

NAMES = ("mask", "attn_mask", "attention_mask", "bias", "attn_bias")
WORDS = {
    "may attend": "In a boolean mask, True means: may attend.",
    "may not attend": "In a boolean mask, True means: may not attend.",
    "added": "A mask is added to the scores: 0 allows, −∞ forbids.",
    "multiplied after": "A mask is multiplied onto the weights, after the softmax.",
}


def ask_mask(case: Case) -> None:
    """Pass a mask by the names that masks have, and see which keys are left."""
    name = _keyword(case)
    if name is not None:
        meaning = _meaning(case, name)
        if meaning is not None:
            case.report.facts["mask"] = meaning
            case.report.details["mask_keyword"] = name
            case.report.sentences.append(f"{WORDS[meaning]} (The keyword is {name}.)")
            ask_mask_further(case, name, meaning)
            case.report.facts["empty_row"] = _emptied(case, name, meaning)
    if case.report.facts["empty_row"] is None:
        case.report.facts["empty_row"] = _own_empty(case)
    _tell_empty(case)


def _keyword(case: Case) -> str | None:
    """Find the name of its mask: in its signature, or, without one, by trying."""
    taken = [name for name in NAMES if name not in case.subject.extra]
    try:
        parameters = inspect.signature(case.subject.function).parameters
    except (TypeError, ValueError):
        return _first_taken(case, taken)
    named = [name for name in taken if name in parameters]
    if named:
        return named[0]
    kinds = {parameter.kind for parameter in parameters.values()}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        return None
    return _first_taken(case, taken)


def _first_taken(case: Case, names: list[str]) -> str | None:
    """Return the first name under which a boolean mask is not refused."""
    taken = (name for name in names if _weights(case, name, bool) is not None)
    return next(taken, None)


def _half(case: Case) -> np.ndarray:
    """Let every query see about half of the keys, each query others."""
    i, j = np.arange(case.n)[:, None], np.arange(case.n)
    return np.asarray((j + i // 3) % 2 == 0)


def _weights(case: Case, name: str, kind: Any, hide: Any = None) -> Any:
    """Return even weights (n, m) under a mask, or None where it is refused."""
    allowed = _half(case) if hide is None else hide
    mask: np.ndarray = allowed.copy() if kind is bool else np.where(allowed, 0, -np.inf)
    sizes = [len(case.subject.layout), 2]
    for ndim in sizes:  # with an axis for the batch and one for the heads, or without
        shaped = mask.reshape((1,) * (ndim - 2) + mask.shape)
        try:
            return case.probes.even(case.n, case.n, case.heads, **{name: shaped})[0]
        except Refused:
            continue
    return None


def _meaning(case: Case, name: str) -> str | None:
    own = case.even(case.n, case.n).allowed
    even = case.probes.even(case.n, case.n, case.heads)[0]
    half = _half(case)
    w = _weights(case, name, bool)
    if w is not None:
        meaning = _read(w, even, own, half)
        if meaning is None and _read(w, even, own, half.T) is not None:
            words = "Queries and keys of a mask are exchanged."
            case.report.add("mask-transposed", words)
            return _read(w, even, own, half.T)
        if meaning is None and filled_with(case, name, half) is not None:
            return "may attend"
        if meaning is not None:
            return meaning
    w = _weights(case, name, float)
    if w is None:
        return None
    meaning = _read(w, even, own, half)
    return "added" if meaning == "may attend" else meaning


def _read(
    w: np.ndarray, even: np.ndarray, own: np.ndarray, half: np.ndarray
) -> str | None:
    """Compare weights under a mask with those without, row by row."""
    last = np.flatnonzero(own.sum(-1) > 2)
    rows = [i for i in last if np.isfinite(w[i]).all() and np.isfinite(even[i]).all()]
    if not rows or np.allclose(w[rows], even[rows], rtol=0.02, atol=1e-6):
        return None
    i = rows[-1]
    yes, no = own[i] & half[i], own[i] & ~half[i]
    small = 0.01 * w[i].max()
    if (w[i][no] <= small).all() and (w[i][yes] > small).all():
        kept = np.allclose(w[i][yes], even[i][yes], rtol=0.02)
        return "multiplied after" if kept else "may attend"
    if (w[i][yes] <= small).all() and (w[i][no] > small).all():
        return "may not attend"
    ratio = float(np.median(w[i][yes]) / np.median(w[i][no]))
    return "added" if abs(ratio / np.e - 1) < 0.05 else None


def _emptied(case: Case, name: str, meaning: str) -> str:
    """Hide every key from one query, and read what it gets."""
    hide = np.ones((case.n, case.n), bool)
    hide[-1] = False
    kind = float if meaning == "added" else bool
    if meaning == "may not attend":
        hide = ~hide
    w = _weights(case, name, kind, hide)
    return "refused" if w is None else _read_empty(w[-1])


def _read_empty(row: np.ndarray) -> str:
    if not np.isfinite(row).all():
        return "nan"
    return "zeros" if np.abs(row).max() == 0 else "mean"


def _own_empty(case: Case) -> str:
    """Find a query that its own mask leaves without a key."""
    for (n, m), picture in list(case.pictures.items()):
        hidden = _hidden(case, n, m, picture)
        if hidden.size:
            row = case.probes.even(n, m)[0][hidden[0]]
            return _read_empty(row)
    return "not reached"


def _hidden(case: Case, n: int, m: int, picture: Seen) -> np.ndarray:
    return np.flatnonzero(~band(n, m, case.model).any(-1))


def _tell_empty(case: Case) -> None:
    words = {
        "zeros": "A query that may attend to nothing gets zeros.",
        "nan": "A query that may attend to nothing gets NaN.",
        "mean": "A query that may attend to nothing gets a mean of all values.",
        "refused": "A mask that hides every key of a query is refused.",
    }
    said = words.get(case.report.facts["empty_row"])
    case.report.sentences += [said] if said else []
