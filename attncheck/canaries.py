"""CANARIES: calls of PLAN, each named for the bug that it catches."""

import importlib
import inspect
import json
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from attncheck.claim import Claim, Claimed, Run
from attncheck.exchange import expected_model
from attncheck.model.attending import attend
from attncheck.model.fields import Model, read_rows
from attncheck.plan import PLAN
from attncheck.runs import draw
from attncheck.search import search
from attncheck.subject import Subject
from attncheck.verify import judge
from attncheck.words import describe, describe_claim, parts, places

# What has to be expected for a row to make sense, the bug that it catches, its call in
# PLAN, and the public thread of a bug that shipped.
TABLE = """
    any | scores are not scaled | plain
    any | a d of 128 is scaled as 64 | d-128
    any | softmax runs over the queries | more-keys
    any | keys and values are exchanged | length-9
    any | heads that share keys take them in turn | shared
    any | all heads read the first key head | shared-eight
    any | a maximum that starts at 0 loses low scores | low-300
     | Dao-AILab/flash-attention#2082
    any | exp of a large score overflows | large-300
    any | the tail after blocks of 16 is dropped | length-17
    any | the tail after blocks of 32 is dropped | length-33
    any | the tail after blocks of 64 is dropped | keys-65
    any | the tail after blocks of 128 is dropped | keys-130
    any | padding takes part in the softmax | shared-longer
    any | the running sum is not rescaled | length-257
    any | parts of keys are merged by their maxima | length-192
     | HKUSTDial/flash-sparse-attention#106
    any | the last column of an odd d is dropped | d-77
    any | the columns of values change the scale | wide-square
    any | the last query is lost | six
    any | heads are put side by side without a transpose | twelve-heads
    any | allowed keys all weigh the same | length-24 | harvard-edge/cs249r_book#1785
    any | a step of decoding sees other keys | one-query
    causal | a causal mask one key too wide | length-12
    causal | the causal mask is dropped in full tiles | length-64 | bledden/triton-msl#7
    causal | queries beside a cache are counted from elsewhere | few-queries
     | Blaizzy/mlx-vlm#1619
    window | a window one key too long | length-41 | zml/zml#763
    window | a window that is ignored past 128 tokens | long | sgl-project/sglang#30050
    softcap | a cap that is dropped | large-10
"""


class Canary(NamedTuple):
    """A row of the table; `number` is that of its call in PLAN."""

    needs: str
    catches: str
    number: int
    thread: str = ""


NUMBERS = {call.id: number for number, call in enumerate(PLAN)}
CANARIES = tuple(
    Canary(needs, catches, NUMBERS[id], *thread)
    for needs, catches, id, *thread in read_rows(TABLE, 4)
)


def canaries_for(model: Model) -> list[Canary]:
    """Return the rows that make sense where this model is expected."""
    left, right = model.window
    has = {
        "any": True,
        "causal": right == 0 or left is not None,
        "window": left is not None,
        "softcap": model.softcap is not None,
    }
    return [canary for canary in CANARIES if has[canary.needs]]


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


def pairs(texts: Iterable[str]) -> dict[str, Any]:
    """Read NAME=VALUE; a value is JSON, None, True, bounds as "127,0", or text."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=VALUE, got {text!r}")
        sides = value.split(",")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = {"True": True, "False": False, "None": None}.get(value, value)
            if len(sides) == 2 and all(x.strip().isdigit() or not x for x in sides):
                found[name] = [int(x) if x else None for x in sides]
    return found


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

    def failure(self, canary: Canary) -> str:
        """Return what is wrong, or nothing."""
        fmt = self.subject.format
        inputs = draw(PLAN[canary.number], canary.number, fmt)
        run = Run(*inputs, self.subject(*inputs), fmt)
        with np.errstate(all="ignore"):  # (a warning of ours is none of the caller's)
            verdict, output = judge(run, self.expected), run.output
            if verdict.ok and not verdict.lost and verdict.empty != "nan":
                return ""
            right = attend(*inputs, self.expected.base).output
            off = np.nan_to_num(np.abs(output - right), nan=np.inf)
            worst = np.unravel_index(int(off.argmax()), off.shape)
            wrong = ~np.isfinite(output) if verdict.ok else verdict.wrong
            return (
                f"{self.cause(run)}\n{describe(places(wrong))}\n"
                f"at (batch, head, query, column) = ({', '.join(map(str, worst))}): "
                f"{output[worst]:.4g}, expected {right[worst]:.4g}"
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
