"""Call everything once; and what the runs show by themselves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from attncheck.claim import Run
from attncheck.formats import Format, round_to
from attncheck.plan import HIDES, PLAN, Call, Shapes, fit
from attncheck.subject import Refused, Subject

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]
ROUNDED = 0.08
SAME = 1e-5  # two answers to one call may be so far apart: sums in another order


@dataclass
class Runs:
    """The calls that were answered, with their numbers, and those refused."""

    calls: list[Call] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    refused: list[tuple[Call, str]] = field(default_factory=list)
    unseen: list[Call] = field(default_factory=list)  # left out: of other shapes
    faults: dict[str, str] = field(default_factory=dict)  # of the runs, not of a model


def _with_first(x: np.ndarray, column: Any) -> np.ndarray:
    x = x.copy()
    x[..., 0] = column
    return x


# What is called, of normal numbers and the size of the queries.
KINDS: dict[str, Callable[..., Arrays]] = {
    "normal": lambda q, k, v, size: (size * q, k, v),
    "low": lambda q, k, v, size: (-size * np.abs(q), size * np.abs(k), v),
    "even": lambda q, k, v, size: (0 * q, k, v),
    "far": lambda q, k, v, size: (
        _with_first(size * q, np.linspace(-60, 60, q.shape[2]) * q.shape[3] ** 0.5 / 8),
        _with_first(k, 8.0),
        v,
    ),
    "alike": lambda q, k, v, size: (_with_first(0 * q, size), _with_first(k, size), v),
    "summed": lambda q, k, v, size: (0 * q, k, np.abs(v)),
}


@lru_cache(256)  # (some 30 MB: whoever asks once asks again)
def draw(call: Call, number: int, fmt: Format) -> Arrays:
    """Draw the inputs of a call with a seed, rounded to a format.

    Scores are no larger than that rounding them changes weights by a tenth or so.
    """
    rng = np.random.default_rng([7, number])
    most = ROUNDED / fmt.eps
    most = most**0.5 / 1.5 if call.kind == "low" else most  # (keys are as large)
    b, h, g, n, m, d, d_v = call[1:8]
    shapes = ((b, h, n, d), (b, g, m, d), (b, g, m, d_v))
    normal = (rng.standard_normal(shape) for shape in shapes)
    q, k, v = KINDS[call.kind](
        *normal, call.size if call.only else min(call.size, most)
    )
    return round_to(q, fmt.name), round_to(k, fmt.name), round_to(v, fmt.name)


AXES = "bhnm"


def draw_mask(call: Call, number: int) -> np.ndarray:
    """Draw a mask, (b or 1, h or 1, n or 1, m)."""
    shape = [getattr(call, x) if x in call.mask else 1 for x in AXES]
    seen = np.random.default_rng([3, number]).random(shape) < 0.7
    seen[..., 0] = True
    for where, sees in HIDES[call.hides]:
        seen[where] = sees
    return seen


def as_passed(mask: np.ndarray, call: Call) -> np.ndarray:
    """Return a mask with the axes that it is passed with."""
    left_out = tuple(i for i, x in enumerate(AXES) if x not in call.mask)
    return mask if len(call.mask) == len(AXES) else mask.squeeze(left_out)


def call_all(subject: Subject, shapes: Shapes | None = None) -> Runs:
    """Make all calls of PLAN, or those that fit what the caller says it takes."""
    found = Runs()
    calls, found.unseen = fit(PLAN, shapes or {})
    numbers = {call.id: number for number, call in enumerate(PLAN)}
    outputs: dict[str, np.ndarray] = {}
    for call in calls:
        alone = "h" not in subject.layout and call.g < call.h  # heads are no axis
        elsewhere = call.only not in ("", subject.format.name)
        if alone or elsewhere or (subject.few_shapes and not call.few):
            continue
        arrays = draw(call, numbers[call.again or call.id], subject.format)
        try:
            output = subject(*arrays)
        except Refused as error:
            found.refused.append((call, str(error)))
            continue
        if call.only and not np.isfinite(output).all():
            found.faults["overflow"] = f"{call.shows}, gives NaN or infinity"
            continue
        outputs[call.id] = output
        if call.again:
            before = outputs.get(call.again, output)
            same = np.array_equal(output, before, equal_nan=True)
            if not same and not (off := float(np.abs(output - before).max())) < SAME:
                words = f"the same call gives two answers, {off:.3g} apart"
                found.faults["not-the-same-twice"] = words
            continue
        found.calls.append(call)
        found.runs.append(Run(*arrays, output, subject.format))
    if subject.changed:
        names = ", ".join(sorted(subject.changed))
        found.faults["changes-arguments"] = f"it changes its {names}"
    if found.runs and all(np.isnan(run.output).all() for run in found.runs):
        found.faults["nan"] = "every number is NaN"
    elif found.runs and not any(run.output.any() for run in found.runs):
        found.faults["zeros"] = "every number is 0"
    return found
