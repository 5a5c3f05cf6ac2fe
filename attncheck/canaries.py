"""CANARIES: short inputs, each named for the bug that it catches; run on a function."""

import importlib
import inspect
import json
import sys
from typing import Any

import numpy as np

from attncheck.claim import Claim, Claimed, Run
from attncheck.exchange import expected_model
from attncheck.model.attending import attend
from attncheck.model.fields import Model
from attncheck.plan import Call, row
from attncheck.runs import draw
from attncheck.search import search
from attncheck.subject import Subject
from attncheck.verify import judge
from attncheck.words import describe, describe_claim, parts, places

TAILS = (16, 32, 64, 128)
# What has to be expected for its rows to make sense.
ROWS: dict[str, tuple[Call, ...]] = {
    "": (
        row("", (2, 3, 3, 13, 13), "scores are not scaled"),
        row("", (1, 2, 2, 18, 30, 128), "a d of 128 is scaled as 64"),
        row("", (1, 2, 2, 16, 24), "softmax runs over the queries"),
        row("", (1, 2, 2, 9, 24), "keys and values are exchanged"),
        row("", (1, 6, 2, 14, 14), "heads that share keys take them in turn"),
        row("", (2, 8, 2, 16, 16), "all heads read the first key head"),
        row(
            *("", (1, 2, 2, 300, 300), "a maximum that starts at 0 loses low scores"),
            size=40.0,
            kind="low",
        ),
        row("", (1, 2, 2, 17, 17), "exp of a large score overflows", size=300.0),
        *(
            row("", (1, 2, 2, 4, b + 1), f"the tail after blocks of {b} is dropped")
            for b in TAILS
        ),
        row("", (1, 2, 2, 9, 33), "padding takes part in the softmax"),
        row("", (1, 2, 2, 257, 257), "the running sum is not rescaled"),
        row("", (1, 2, 2, 16, 192), "parts of keys are merged by their maxima"),
        row("", (1, 2, 2, 16, 16, 77), "the last column of an odd d is dropped"),
        row("", (1, 2, 2, 16, 16, 32, 64), "the columns of values change the scale"),
        row("", (6, 2, 2, 9, 9), "the last query is lost"),
        row("", (5, 12, 12, 9, 9), "heads are put side by side without a transpose"),
        row("", (1, 2, 2, 24, 24), "allowed keys all weigh the same"),
        row("", (1, 4, 4, 1, 24), "a step of decoding sees other keys"),
    ),
    "causal": (
        row("", (1, 2, 2, 12, 12), "a causal mask one key too wide"),
        row("", (1, 2, 2, 64, 64), "the causal mask is dropped in full tiles"),
        row("", (1, 2, 2, 5, 24), "queries beside a cache are counted from elsewhere"),
    ),
    "window": (
        row("", (1, 2, 2, 33, 33), "a window one key too long"),
        row("", (1, 2, 2, 300, 300), "a window that is ignored past 128 tokens"),
    ),
    "softcap": (row("", (1, 2, 2, 33, 33), "a cap that is dropped", size=40.0),),
}
CANARIES = tuple(call for calls in ROWS.values() for call in calls)
# The public threads of bugs that shipped.
THREADS = {
    "a maximum that starts at 0 loses low scores": "Dao-AILab/flash-attention#2082",
    "parts of keys are merged by their maxima": "HKUSTDial/flash-sparse-attention#106",
    "the causal mask is dropped in full tiles": "bledden/triton-msl#7",
    "allowed keys all weigh the same": "harvard-edge/cs249r_book#1785",
    "queries beside a cache are counted from elsewhere": "Blaizzy/mlx-vlm#1619",
    "a window one key too long": "zml/zml#763",
    "a window that is ignored past 128 tokens": "sgl-project/sglang#30050",
}


def canaries_for(model: Model) -> list[Call]:
    """Return the rows that make sense where this model is expected."""
    left, right = model.window
    has = {
        "": True,
        "causal": right == 0 or left is not None,
        "window": left is not None,
        "softcap": model.softcap is not None,
    }
    return [call for needs, calls in ROWS.items() if has[needs] for call in calls]


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
    known = inspect.signature(expected_model).parameters.keys() - {"mask"}
    given = {**keywords, **expected}
    return expected_model(**{name: given[name] for name in known & given.keys()})


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
        right = attend(run.query, run.key, run.value, self.expected.base).output
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
        words = parts(claim, self.expected.base)
        return "; ".join(f"{code}: {x}" for code, x in words) or describe_claim(claim)
