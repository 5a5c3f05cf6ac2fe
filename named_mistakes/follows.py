"""List the findings that only follow from a named mistake."""

from __future__ import annotations

import numpy as np

from named_mistakes.compare import Arrays, Judged
from named_mistakes.exercise import Steps
from named_mistakes.trial import Trial


def follows_from(trial: Trial, steps: Steps) -> tuple[str, ...]:
    """List the codes of findings that the mistake itself brings about."""
    made = [(one, _made(trial, one, steps)) for one in trial.judged]
    stopped = [given for one, given in made if one.got is None]
    came = [(one, given) for one, given in made if one.got is not None and given]
    signs = {
        "crashed": all(given is None for given in stopped),
        "wrong-shape": all(_same_shapes(*pair) for pair in came if not pair[0].fits),
        "wrong-dtype": all(_same_kinds(*pair) for pair in came),
        "nan": all(_same_gaps(*pair) for pair in came if not pair[0].case.is_large),
    }
    return tuple(code for code, follows in signs.items() if follows)


def _made(trial: Trial, one: Judged, steps: Steps) -> Arrays | None:
    try:
        return trial.exercise.mistaken(one.case, steps)
    except (ValueError, IndexError, ArithmeticError):
        return None


def _same_shapes(one: Judged, given: Arrays) -> bool:
    return [x.shape for x in one.got] == [g.shape for g in given]


def _same_kinds(one: Judged, given: Arrays) -> bool:
    values = one.outcome.values or ()
    return [x.dtype.kind for x in values] == [g.dtype.kind for g in given]


def _same_gaps(one: Judged, given: Arrays) -> bool:
    pairs = zip(one.got, given, strict=True)
    return all(np.array_equal(np.isfinite(x), np.isfinite(g)) for x, g in pairs)
