"""With scores and weights given too: the first stage that differs."""

import numpy as np

from attncheck.claim import Run
from attncheck.model import Model, attend


def first_wrong(run: Run, model: Model, given: dict[str, np.ndarray]) -> list[str]:
    """Say which stage is the first whose numbers differ from what was expected."""
    if not given:
        return []
    with np.errstate(all="ignore"):
        wrong = [name for name, x in given.items() if _differs(name, x, run, model)]
    if "scores" in wrong:
        return ["The scores are wrong already."]
    if "weights" in wrong:
        if "scores" in given:
            return ["The scores are right; the weights are wrong: mask or softmax."]
        return ["The weights are wrong already: scores, mask or softmax."]
    if "weights" in given:
        return ["The weights are right; the product with the values is wrong."]
    return ["The scores are right; the weights, or the product with the values, not."]


def _differs(name: str, given: np.ndarray, run: Run, model: Model) -> bool:
    found = given.reshape(*run.query.shape[:3], run.key.shape[2])
    for rows in run.chunks():
        expected = attend(run.query, run.key, run.value, model, rows)
        size = expected.size * run.format.eps
        wanted, got = getattr(expected, name), found[..., rows, :]
        seen = np.isfinite(wanted) & (got > -1e4 if name == "scores" else True)
        allowed = 8 * size + 1e-12
        if name == "weights":
            allowed = wanted * (4 * run.format.eps + 4 * size) + 1e-6 * run.format.eps
        if (np.abs(got - wanted) > allowed)[seen].any():
            return True
    return False
