"""Run the canaries on a function; say the cause of a failure, then its numbers."""

import importlib
import json
import sys
from typing import Any

import numpy as np

from attncheck.claim import Claim, Claimed
from attncheck.exchange import expected_model
from attncheck.model import Model, attend
from attncheck.plan import Call
from attncheck.run import Run
from attncheck.runs import draw
from attncheck.search import search
from attncheck.subject import Subject
from attncheck.unlike import unexpected
from attncheck.vectors.canaries import CANARIES
from attncheck.verify import judge
from attncheck.where import describe, places
from attncheck.words import describe_claim

CONVENTIONS = {
    *("is_causal", "alignment", "scale", "softcap", "window", "query_offset"),
}


def load_function(name: str) -> Any:
    """Return the function that MODULE:FUNCTION names."""
    module, _, path = name.partition(":")
    if not path:
        raise ValueError(f"expected MODULE:FUNCTION, got {name!r}")
    if "" not in sys.path:
        sys.path.insert(0, "")
    function: Any = importlib.import_module(module)
    for part in path.split("."):
        function = getattr(function, part)
    return function


def pairs(texts: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE; a value is JSON, or else text."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=VALUE, got {text!r}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = _plain(value)
    return found


def _plain(value: str) -> Any:
    """Read True, False, None, and bounds as "127,0"; else it is text."""
    sides = value.split(",")
    if len(sides) == 2 and all(x.strip().isdigit() or not x for x in sides):
        return [int(x) if x else None for x in sides]
    return {"True": True, "False": False, "None": None}.get(value, value)


def model_of(expected: dict[str, Any], keywords: dict[str, Any]) -> Model:
    """Return what is right: conventions by name, and an alignment as `ask` has it."""
    given = {**keywords, **expected}
    return expected_model(**{k: x for k, x in given.items() if k in CONVENTIONS})


class Canaries:
    """A function under test, what is right, and the causes that were found so far."""

    def __init__(self, subject: Subject, model: Model):
        self.subject, self.expected = subject, Claim(model)
        self.causes: list[Claimed] = []
        self.searched = False

    def failure(self, canary: Call) -> str:
        """Return what is wrong, or nothing."""
        number = CANARIES.index(canary)
        q, k, v = draw(canary, 2000 + number, self.subject.format)
        output = self.subject(q, k, v)
        run = Run(q, k, v, output, self.subject.format)
        with np.errstate(all="ignore"):  # (a warning of ours is none of the caller's)
            return self._of_run(run)

    def _of_run(self, run: Run) -> str:
        verdict, output = judge(run, self.expected), run.output
        if verdict.ok and not verdict.lost and verdict.empty != "nan":
            return ""
        right = self.right(run)
        off = np.abs(output - right)
        wrong = ~np.isfinite(output) if verdict.ok else verdict.wrong
        worst = np.unravel_index(
            int(np.nan_to_num(off, nan=np.inf).argmax()), off.shape
        )
        at = ", ".join(map(str, worst))
        return (
            f"{self.cause(run)}\n{describe(places(wrong))}\nat (batch, head, query, "
            f"column) = ({at}): {output[worst]:.4g}, expected {right[worst]:.4g}"
        )

    def right(self, run: Run) -> np.ndarray:
        """Return the expected output."""
        return attend(run.query, run.key, run.value, self.expected.base).output

    def cause(self, run: Run) -> str:
        """Name what explains a wrong run: a known cause, or one search for all."""
        known = (claim for claim in self.causes if judge(run, claim).ok)
        claim = next(known, None)
        if claim is None and not self.searched:
            found = search([run], [self.expected], None)
            claim = found.claim if found.whole else None
            self.searched = claim is None
            self.causes += [claim] if claim else []
        if not isinstance(claim, Claim):
            return "no known cause gives these numbers"
        words = unexpected(claim, self.expected)
        return "; ".join(f"{code}: {x}" for code, x in words) or describe_claim(claim)
