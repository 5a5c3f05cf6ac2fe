"""Ordinary numbers under a mask that is passed: outputs are those of the facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.questions.few_tokens import far_off
from attncheck.reading.where import describe

AFTER = "multiplied after"  # then rows do not add up, which is told elsewhere
HIDDEN = 0.7  # of the first of many keys, as where padding stands on the left
Passed = dict[str, Any]  # keywords of the function
Fields = dict[str, np.ndarray]  # of the model: what the mask does


def ask_masked_runs(case: Case) -> None:
    """Compare with the facts under masks; they explained all numbers without."""
    if case.report.tells_of("mask") or case.unnamed:
        return
    n = case.n
    shapes = [(2 * n, 2 * n), (1, 2 * n)]
    if not case.subject.few_shapes:  # (which compiles every shape anew)
        shapes += [(n, 300), (128, 300)]
    for n_queries, m in shapes:
        without = far_off(case, n_queries, m)
        if without is None or without.any():
            continue  # that is told elsewhere
        for what, passed, fields in _masks(case, n_queries, m):
            wrong = _wrong(case, n_queries, m, passed, fields)
            if wrong is not None and case.report.facts["position"] is not None:
                padding = ~_late(m)[m - n_queries :]  # what it asks has no use
                wrong[:, :, padding] = False
            if wrong is not None and wrong.any():
                _tell(case, what, wrong, m)
                return
    if len(case.subject.layout) == 4:
        _ask_sentences(case, 4 * n)
    if case.report.facts["position"] is not None:
        _note_holes(case, n, 2 * n)


def _note_holes(case: Case, n: int, m: int) -> None:
    """Note that a mask of keys moves the places: some count only the keys it leaves."""
    keys = np.arange(m)[None] % 3 > 0
    for mask in case.key_masks:
        passed = mask.written(keys) if mask.by_sentence else mask.written(keys)[0]
        field = "kept" if mask.after else "allowed"
        wrong = _wrong(case, n, m, {mask.name: passed}, {field: keys})
        if wrong is not None and wrong.any():
            case.report.notes.append(
                f"Where a mask of keys passed as {mask.name} hides keys between "
                "others, its outputs do not follow from these facts, as when places "
                "count only the keys that are left."
            )
            return


def _ask_sentences(case: Case, n: int) -> None:
    """Give three sentences masks of which the first is unlike the others."""
    without = far_off(case, n, n, b=3)
    if without is None or without.any():
        return  # that is told elsewhere
    random = np.random.default_rng(11).random((3, n)) < 0.5
    first, late = np.arange(3)[:, None] == 0, np.arange(n) >= n - 8
    for what, keys in (
        ("the first hides nothing", first | random),
        ("the first leaves the last keys alone", first == late),
    ):
        for kind, passed, fields in _of_sentences(case, keys):
            wrong = _wrong(case, n, n, passed, fields, b=3)
            if wrong is not None and wrong.any():
                _tell(case, f"{kind} for three sentences ({what})", wrong, n)
                return


def _of_sentences(case: Case, keys: np.ndarray) -> Iterator[tuple[str, Passed, Fields]]:
    """Write masks that leave these keys (b, m) as the function takes them."""
    name, meaning = case.report.details.get("mask_keyword"), case.report.facts["mask"]
    pairs = np.repeat(keys[:, None, None], keys.shape[1], 2)
    if name and meaning not in (None, AFTER):
        hides = np.where(pairs, 0, -np.inf) if meaning == "added" else ~pairs
        passed = pairs if meaning == "may attend" else hides
        yield "masks", {name: passed}, {"allowed": pairs}
    for mask in case.key_masks:
        if case.report.facts["position"] is None:
            field = "kept" if mask.after else "allowed"
            passed = mask.written(keys)
            yield "masks of keys", {mask.name: passed}, {field: keys[:, None, None]}


def _late(m: int) -> np.ndarray:
    """Return which of m places come after the padding."""
    return np.arange(m) >= HIDDEN * m


def _masks(case: Case, n: int, m: int) -> Iterator[tuple[str, Passed, Fields]]:
    """Make masks that hide keys at random; of many keys, one that hides the first."""
    report, draw = case.report, np.random.default_rng(10)
    name, meaning = report.details.get("mask_keyword"), report.facts["mask"]
    late = _late(m)
    single = draw.integers(0, m, (n, 1)) == np.arange(m)
    pairs = [("", draw.random((n, m)) < 0.5)]
    pairs += [(" that hides the first keys", np.tile(late, (n, 1)))] if m >= 300 else []
    pairs += [(" that leaves one key to each", single)]
    shape = (1,) * (len(case.subject.layout) - 2) + (n, m)
    if name and meaning not in (None, AFTER):
        for which, seen in pairs:
            hides = np.where(seen, 0, -np.inf) if meaning == "added" else ~seen
            passed = seen if meaning == "may attend" else hides
            yield f"a mask{which}", {name: passed.reshape(shape)}, {"allowed": seen}
    if name and meaning == "added" and case.model.softcap is None:
        bias = case.subject.round(draw.standard_normal((n, m)))
        yield "a mask of numbers", {name: bias.reshape(shape)}, {"bias": bias}
    if case.report.facts["position"] is not None:  # some count only the keys that stay
        pairs = [(" that hides the first keys", np.tile(late, (n, 1)))]
    for mask in case.key_masks:
        for which, seen in pairs:
            keys = seen[:1]
            passed = mask.written(keys) if mask.by_sentence else mask.written(keys)[0]
            field = "kept" if mask.after else "allowed"
            yield f"a mask of keys{which}", {mask.name: passed}, {field: keys}


def _wrong(
    case: Case, n: int, m: int, passed: Passed, fields: Fields, b: int = 1
) -> np.ndarray | None:
    """Say which numbers are far off under that mask; None where it is refused."""
    before = case.model
    if case.report.details.get("mask_in_place_of_band"):
        case.model = before.change(window=(None, None))
    case.model = case.model.change(**fields)
    try:
        return far_off(case, n, m, b=b, **passed)
    finally:
        case.model = before


def _tell(case: Case, what: str, wrong: np.ndarray, m: int) -> None:
    n = wrong.shape[2]
    size = f"{n} quer{'y' if n == 1 else 'ies'} and {m} keys"
    case.report.add(
        "mask-outputs",
        f"Under {what}, its outputs for {size} do not follow from the facts below, "
        f"which explain those without one: {describe(wrong, 'far off')}.",
    )
