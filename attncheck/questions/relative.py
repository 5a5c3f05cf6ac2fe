"""A bias that depends on key − query alone, as T5's does (Raffel et al., 2020)."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import relative_bias
from attncheck.patterns import Seen
from attncheck.scales import centered
from attncheck.subject import Refused

FAR = 4  # times as many tokens: as far as the facts are compared in the end
NEAR = 0.02  # of the largest step of the bias


def ask_relative(case: Case) -> bool:
    """Measure the bias, head by head; False if it depends on more than key − query."""
    far = FAR * case.n
    try:
        tables = [_table(case, far, head) for head in range(case.heads)]
    except Refused:
        return False
    found = [table for table in tables if table is not None]
    if len(found) < len(tables):
        return False
    before = case.model
    for corner in dict.fromkeys((before.corner, "start", "end")):
        if corner != before.corner and before.window != (None, None):
            continue  # queries stand where the mask says
        case.model = before.change(relative=np.array(found), corner=corner)
        if all(_bears_out(case, head) for head in range(case.heads)):
            _tell(case, np.array(found))
            return True
    case.model = before
    return False


def _table(case: Case, n: int, head: int) -> np.ndarray | None:
    """Return the bias for key − query = 1 − n … n − 1, 0 at the nearest to 0.

    Softmax cannot see what a whole row has more: steps from key to key are measured.
    """
    picture = case.even(n, n, head, case.heads)
    table = np.zeros(2 * n - 1)
    if picture.bias is None:
        return table
    steps, known = _steps(picture, n)
    logs, both = _logs(picture), picture.allowed[:, 1:] & picture.allowed[:, :-1]
    off = np.abs(np.diff(logs, axis=-1) - steps[_away(n)[:, :-1] + n - 1])[both]
    largest = max(float(np.abs(steps).max()), case.tolerance)
    if not off.size or off.max() > NEAR * largest + 2 * case.tolerance:
        return None
    seen = np.flatnonzero(known)
    if not known[seen[0] : seen[-1] + 1].all():
        return None
    table[1:] = np.cumsum(steps)
    return np.asarray(table - table[min(n - 1, seen[-1] + 1)])


def _logs(picture: Seen) -> np.ndarray:
    """Return the log weights where there are any, else 0."""
    logs = np.zeros(1) if picture.bias is None else picture.bias
    return np.where(picture.allowed, logs, 0)


def _away(n: int) -> np.ndarray:
    return np.asarray(np.arange(n) - np.arange(n)[:, None])


def _steps(picture: Seen, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean step from each key − query to the next, and which are known."""
    logs, both = _logs(picture), picture.allowed[:, 1:] & picture.allowed[:, :-1]
    place = (_away(n)[:, :-1] + n - 1)[both]
    count = np.bincount(place, minlength=2 * n - 2)
    total = np.bincount(place, np.diff(logs, axis=-1)[both], minlength=2 * n - 2)
    return total / np.maximum(count, 1), count > 0


def _bears_out(case: Case, head: int) -> bool:
    """Say whether the table explains a mask of fewer queries than keys too."""
    n, m = case.n, 2 * case.n
    try:
        picture = case.even(n, m, head, case.heads)
    except Refused:
        return True
    y = centered(_logs(picture), picture.allowed)
    x = centered(relative_bias(n, m, case.model)[head], picture.allowed)
    return bool(np.abs(x - y).max() <= NEAR * np.abs(y).max() + 2 * case.tolerance)


def _tell(case: Case, tables: np.ndarray) -> None:
    near, last = min(3, case.n - 1), case.model.window[1]
    far = near if last is None else min(near, last)
    middle = tables.shape[-1] // 2
    shown = np.round(tables[0, middle - near : middle + far + 1], 3) + 0.0
    case.report.details["relative_bias"] = np.round(tables, 4).tolist()
    free = case.model.window == (None, None) and case.model.corner == "end"
    stands = "; the last query stands at the last key" if free else ""
    case.report.sentences.append(
        "It adds a bias to the scores that depends on key − query alone, as T5's "
        f"does{stands}. In the first of {len(tables)} heads, from key − query = "
        f"−{near} to {far}: {_numbers(shown)}."
    )


def _numbers(shown: np.ndarray) -> str:
    return " ".join(f"{x:.3g}" for x in shown).replace("-", "−")
