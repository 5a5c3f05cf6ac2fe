"""Weights under a mask of keys alone, (batch, n_keys)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.questions.masked_probes import flattened
from attncheck.subject import Refused

HIGH = 3.0  # the score of all pairs of a second probe
NEGLIGIBLE = 1e-4  # of a row's largest weight


@dataclass(frozen=True)
class KeyMask:
    """A mask of keys: its keyword, and how it is written.

    Attributes
    ----------
    case : Case
    name : str
        The keyword.
    form : str
        "True": truth values. "1": the numbers 0 and 1. "−∞": the numbers 0 and −∞.
    meaning : str
        "may attend", "may not attend" or "added".
    after : bool
        It is multiplied onto the weights.
    same : bool
        All sentences are given that of the first.
    """

    case: Case
    name: str
    form: str
    meaning: str = "may attend"
    after: bool = False
    same: bool = False

    @property
    def by_sentence(self) -> bool:
        """Whether the function takes several sentences, each with its mask."""
        return len(self.case.subject.layout) == 4

    @property
    def levels(self) -> tuple[float, ...]:
        """The scores that all pairs can be given at once."""
        facts = self.case.report.facts
        known = facts["scale"] is not None and facts["position"] != "rotary"
        return (0.0, HIGH) if known else (0.0,)

    def draw(self, m: int = 0) -> np.ndarray:
        """Mark about half of the keys for each of three sentences, at random.

        Each has marks of its own, unless they are to be the `same`.
        """
        m = m or self.case.n
        marked = np.random.default_rng(11).random((3, m)) < 0.5
        marked[:, 0], marked[:, 1 % m] = (True, False, True), (False, True, True)
        marked[:] = marked[:1] if self.same else marked
        return np.asarray(marked if self.by_sentence else marked[:1])

    def is_taken(self) -> bool:
        """Say whether the function takes a mask that is written so."""
        return self.weights(self.draw()) is not None

    def weights(
        self, seen: np.ndarray, score: float | None = 0.0, n: int = 0
    ) -> np.ndarray | None:
        """Return the weights (b, h, n, m) where these keys may be seen.

        Every pair has the same score; for None, each has one of its own. None is
        returned where the function refuses the mask.
        """
        (b, m), n = seen.shape, n or self.case.n
        h, d, draw = self.case.heads, self.case.d, np.random.default_rng(12)
        round_to = self.case.subject.round
        q, k = np.zeros((b, h, n, d)), round_to(draw.standard_normal((b, h, m, d)))
        scale = self.case.report.facts["scale"] or 0.0
        if score is None:
            q = round_to(draw.standard_normal((b, h, n, d)))
        elif score and scale:
            side = abs(score / scale) ** 0.5
            k[:] = 0
            q[..., 0], k[..., 0] = side, np.copysign(side, scale)
        passed = self.written(seen)
        given: dict[str, Any] = {self.name: passed if self.by_sentence else passed[0]}
        try:
            w: np.ndarray = self.case.probes.weights(q, k, **given)
        except Refused:
            return None
        return w if score is None else flattened(self.case, w)

    def clear(self, seen: np.ndarray, n: int = 0) -> np.ndarray | None:
        """Return weights at the first level of scores that makes none of them NaN."""
        for score in self.levels:
            w = self.weights(seen, score, n)
            if w is not None and np.isfinite(w).all():
                return w
        return None

    def written(self, seen: np.ndarray) -> np.ndarray:
        """Write which keys may be seen, as the function takes it."""
        if self.form == "−∞":
            return np.where(seen, 0, -np.inf)
        marked = ~seen if self.meaning == "may not attend" else seen
        return marked if self.form == "True" else marked.astype(float)

    def comes_after(self) -> bool:
        """Say whether keys that are seen keep the weights that they have without it.

        Those that are hidden have to weigh nothing: filled with the very score that all
        others have, they would leave all weights as they are, too. So would keys that
        are set to 0, unless scores differ.
        """
        seen = self.draw()
        return all(self._stay(seen, score) for score in (0.0, None))

    def _stay(self, seen: np.ndarray, score: float | None) -> bool:
        some, none = (self.weights(x, score) for x in (seen, np.ones_like(seen)))
        if some is None or none is None:
            return False
        obeyed, telling = self.follows(np.nan_to_num(some), seen)
        if score == 0 and not obeyed[telling].all():
            return False
        own = self.case.allowed(*some.shape[-2:])
        kept = (own & seen[:, None])[:, None] & telling[..., None]
        return bool(kept.any() and np.allclose(some[kept], none[kept], 0.02, 1e-6))

    def is_remembered(self) -> bool:
        """Say whether a mask that hides nothing hides what the mask before it did."""
        seen = self.draw()
        some, none = (self.weights(x) for x in (seen, np.ones_like(seen)))
        if some is None or none is None:
            return False
        obeyed, telling = self.follows(np.nan_to_num(some), seen)
        rows = obeyed & telling
        return bool(rows.any() and np.array_equal(some[rows], none[rows]))

    def follows(self, w: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Say which rows (b, h, n) see just these keys, and which can tell."""
        own = self._own(*w.shape[-2:])
        wanted = own & seen[:, None]
        telling = np.asarray(wanted.any(-1) & (own & ~seen[:, None]).any(-1))
        large = w > NEGLIGIBLE * w.max(-1, keepdims=True)
        right = (large == wanted[:, None]).all(-1)
        return right, np.broadcast_to(telling[:, None], right.shape)

    def _own(self, n: int, m: int) -> np.ndarray:
        """Return who sees whom under a mask that hides nothing: all, in its place."""
        if self.case.report.details.get("mask_in_place_of_band"):
            return np.ones((n, m), bool)
        return self.case.allowed(n, m)

    def log_ratio(self, w: np.ndarray, seen: np.ndarray) -> float | None:
        """Return the log of a hidden key's weight, relative to a seen one's."""
        own = self._own(*w.shape[-2:])
        _, telling = self.follows(np.nan_to_num(w), seen)
        found = []
        for b, h, i in np.argwhere(telling):
            yes, no = w[b, h, i][own[i] & seen[b]], w[b, h, i][own[i] & ~seen[b]]
            if not (np.isfinite(yes).all() and yes.all() and no.all()):
                return None
            found.append(float(np.log(no.mean() / yes.mean())))
        return float(np.median(found)) if found else None
