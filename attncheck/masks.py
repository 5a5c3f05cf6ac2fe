"""Masks that are passed: under which name, with which meaning, and where not."""

import inspect
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from attncheck.claim import Claimed, Run
from attncheck.plan import HIDES, MASKS, NAMES, MaskCall
from attncheck.runs import draw
from attncheck.subject import Refused, Subject
from attncheck.verify import judge
from attncheck.words import rows_of

D = 64  # columns
MASKED = 3000  # where the numbers of their draws begin
FORMS: dict[str, Any] = {"bm": np.s_[:, 0, 0], "nm": np.s_[0, 0], "bhnm": np.s_[...]}


# What a mask means, and the field of a model that it sets.
MEANINGS = {
    "may attend": "allowed",
    "may not attend": "allowed",
    "added": "bias",
    "multiplied after": "kept",
}


class Asked(NamedTuple):
    """The rows of the calls with one name and meaning.

    `instead`: the mask takes the place of the causal mask or window.
    """

    name: str
    meaning: str
    instead: bool
    rows: list[dict[str, Any]]
    kinds: set[str]  # what fully masked rows get

    @property
    def explained(self) -> int:
        """How many calls it explains."""
        return sum(row["explained"] for row in self.rows)


def ask_masks(subject: Subject, claim: Claimed, d: int = D) -> Asked | None:
    """Return the name and the meaning that explain most calls; None: it takes none."""
    tried: list[Asked] = []
    own = any(part.base.window != (None, None) for part in claim.parts)
    for name in names_of(subject):
        for meaning, instead in product(MEANINGS, (False, True) if own else (False,)):
            asked = _ask(subject, claim, Asked(name, meaning, instead, [], set()), d)
            if asked is None:
                break
            tried += [asked] if asked.rows else []  # (or booleans alone are refused)
            if asked.rows and asked.explained == len(asked.rows):
                return asked
        best = max(tried, key=lambda asked: asked.explained, default=None)
        if best is not None and best.explained:
            return best
    return tried[0] if tried else None


def names_of(subject: Subject) -> list[str]:
    """Return the names under which it may take a mask."""
    try:
        parameters = inspect.signature(subject.function).parameters
    except (TypeError, ValueError):
        return [name for name in NAMES if name not in subject.extra]
    own = [name for name in parameters if name.endswith("mask")]
    usual = [name for name in NAMES if name in own]
    open_ended = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    found = dict.fromkeys((*usual, *own, *(NAMES if open_ended else ())))
    named = [name for name in found if name not in subject.extra]
    return [name for name in named if name in own or _is_read(subject, name)]


def _is_read(subject: Subject, name: str) -> bool:
    """Say whether a keyword that is merely let through changes anything."""
    rng = np.random.default_rng(3)
    q, k, v = (subject.round(rng.standard_normal((1, 2, 12, D))) for _ in range(3))
    mask = np.tril(np.ones((1, 1, 12, 12), bool))
    try:
        same = np.array_equal(subject(q, k, v), subject(q, k, v, **{name: mask}))
    except Refused:
        return True
    return not same


def _ask(subject: Subject, claim: Claimed, asked: Asked, d: int) -> Asked | None:
    """Make all calls with one name and meaning; None where it has no such name.

    Where a mask of pairs without other axes is refused, two axes are items and keys.
    """
    by_pairs = True
    for number, row in enumerate(MASKS):
        if row.form == "nm" and not by_pairs:
            continue
        call, seen = row.call(d), draw_mask(row, number)
        mask = np.where(seen, 0.5, low_of(row)) if asked.meaning == "added" else seen
        passed = ~mask if asked.meaning == "may not attend" else mask
        arrays = draw(call, MASKED + number, subject.format)
        try:
            output = subject(*arrays, **{asked.name: passed[FORMS[row.form]]})
        except Refused as error:
            if "unexpected keyword" in str(error):
                return None
            by_pairs &= row.form != "nm"
            if call.id == "mask-empty":
                asked.kinds.add("refused")
            continue
        run = Run(*arrays, output, subject.format)
        part = claim.of(run)
        part = part.on(window=(None, None), picture=None) if asked.instead else part
        verdict = judge(run, part.plus(**{MEANINGS[asked.meaning]: mask}))
        if verdict.ok and verdict.empty:
            asked.kinds.add(verdict.empty)
        asked.rows.append(rows_of([call], [run], [verdict])[0] | {"mask": asked.name})
    return asked


def draw_mask(call: MaskCall, number: int) -> np.ndarray:
    """Draw a mask, (b or 1, h or 1, n or 1, m)."""
    seen = np.random.default_rng([3, number]).random(call.shape) < 0.7
    seen[..., 0] = True
    for where, sees in HIDES[call.hides]:
        seen[where] = sees
    return seen


def low_of(call: MaskCall) -> float:
    """Return what is added for a hidden key: a number, or −∞ for whole rows."""
    return -1.5 if call.hides == "some" else -np.inf
