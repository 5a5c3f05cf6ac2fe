"""With scores and weights given too: the first stage that differs."""

from __future__ import annotations

import numpy as np

from attncheck.model import BLOCKS, Model
from attncheck.reading.run import Run
from attncheck.reading.search import Found
from attncheck.report import Report

AFTER = {
    "scores": "The scores are wrong already.",
    "weights": "The scores are right; the weights are wrong: the mask or the softmax.",
    "output": "The weights are right; the product with the values is wrong.",
}


def first_wrong(
    report: Report, run: Run, meant: Model, given: dict[str, np.ndarray]
) -> None:
    """Name the first stage whose numbers differ from what was meant."""
    if not given:
        return
    stage = next(
        (name for name in given if _differs(name, given, run, meant)), "output"
    )
    words = AFTER[stage]
    if stage == "weights" and "scores" not in given:
        words = "The weights are wrong already: scores, mask or softmax."
    if stage == "output" and "weights" not in given:
        words = "The scores are right; the weights, or the product with the values, are"
        stage, words = "after the scores", f"{words} wrong."
    report.details["first_wrong_stage"] = stage
    report.sentences.insert(0, words)


def allowed_by(
    given: dict[str, np.ndarray], run: Run, meant: Model, found: Found
) -> bool:
    """Say whether mistakes leave alone what was right on the way.

    Blocks that are merged wrongly go wrong after the weights, and so do values.
    """
    late = found.model.normalized in BLOCKS or any(
        mistake.group == "values" for mistake in found.mistakes
    )
    return late or all(
        _differs(name, given, run, meant) or not _differs(name, given, run, found.model)
        for name in given
    )


def _differs(name: str, given: dict[str, np.ndarray], run: Run, meant: Model) -> bool:
    found = given[name].reshape(*run.query.shape[:3], run.key.shape[2])
    for rows in run.chunks():
        expected = run.compute(meant, rows)
        size = expected.size * run.format.eps
        wanted, got = getattr(expected, name), found[..., rows, :]
        seen = np.isfinite(wanted) & (got > -1e4 if name == "scores" else True)
        allowed = 8 * size + 1e-12
        if name == "weights":
            allowed = wanted * (4 * run.format.eps + 4 * size) + 1e-6 * run.format.eps
        if (np.abs(got - wanted) > allowed)[seen].any():
            return True
    return False
