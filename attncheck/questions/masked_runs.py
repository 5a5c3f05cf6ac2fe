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
    told = {problem.code for problem in case.report.problems}
    if any(code.startswith("mask") for code in told) or case.unnamed:
        return
    n = case.n
    shapes = [(2 * n, 2 * n), (1, 2 * n)]
    if case.subject.arrays != "jax":  # (which compiles every shape anew)
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


def _late(m: int) -> np.ndarray:
    """Return which of m places come after the padding."""
    return np.arange(m) >= HIDDEN * m


def _masks(case: Case, n: int, m: int) -> Iterator[tuple[str, Passed, Fields]]:
    """Make masks that hide keys at random; of many keys, one that hides the first."""
    report, draw = case.report, np.random.default_rng(10)
    name, meaning = report.details.get("mask_keyword"), report.facts["mask"]
    late = _late(m)
    single = draw.integers(0, m, (n, 1)) == np.arange(m)
    pairs = [("", draw.random((n, m)) < 0.5), (" that leaves one key to each", single)]
    pairs += [(" that hides the first keys", np.tile(late, (n, 1)))] if m >= 300 else []
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
    case: Case, n: int, m: int, passed: Passed, fields: Fields
) -> np.ndarray | None:
    """Say which numbers are far off under that mask; None where it is refused."""
    before = case.model
    if case.report.details.get("mask_in_place_of_band"):
        case.model = before.change(window=(None, None))
    case.model = case.model.change(**fields)
    try:
        return far_off(case, n, m, **passed)
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
