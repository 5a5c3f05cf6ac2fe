"""Helpers of the checkers' tests: judge an answer, and parts that many answers have."""

import inspect
import itertools
import linecache
from dataclasses import fields
from functools import cache
from types import FunctionType

import numpy as np

from attncourse.practice import EXERCISES
from named_mistakes import check
from named_mistakes.exercise import Exercise

SEEDS = (0, 1)
_numbers = itertools.count()


class Kept(Exercise):
    """An exercise that draws its cases once for all answers.

    The cases keep what is right, and what each known mistake gives: hundreds of
    answers are compared with that.
    """

    def wanted(self, case):
        if "right" not in case.known:
            case.known["right"] = super().wanted(case)
        return case.known["right"]

    def mistaken(self, case, steps, *, is_kept=True):
        return super().mistaken(case, steps)


@cache
def kept(name):
    """Return an exercise that draws once from each state of a generator."""
    parts = {f.name: getattr(EXERCISES[name], f.name) for f in fields(Exercise)}
    drawn = {}

    def draw(rng):
        before = str(rng.bit_generator.state)
        if before not in drawn:
            drawn[before] = parts["draw"](rng), rng.bit_generator.state
        cases, rng.bit_generator.state = drawn[before]
        return cases

    return Kept(**{**parts, "draw": draw})


def assert_found(name, code, answer, seeds=SEEDS):
    """The mistake is named; beside it only what is generic, never a wrong guess.

    Of many answers with one mistake, each needs one draw only: not all have the same.
    """
    for seed in seeds:
        report = check(kept(name), answer, seed=seed)
        found = {finding.code for finding in report.findings}
        assert code in found, f"expected {code}, found {sorted(found)}"
        assert not (found - {code}) & {"wrong-numbers", "no-batch"}
    return report


def assert_passes(name, answer, seeds=SEEDS):
    for seed in seeds:
        report = check(kept(name), answer, seed=seed)
        assert report.passed, report
        assert report.findings == ()


def soft(x):
    """Softmax over the last axis, as a right answer would have it."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def safe(scores):
    """Softmax with zeros for a row of nothing but −∞."""
    return np.nan_to_num(soft(scores))


def naive(x, axis=-1):
    """Softmax that overflows."""
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def flip(x):
    return np.swapaxes(x, -1, -2)


def split(x, n_heads):
    *batch, n, d_model = x.shape
    return np.swapaxes(x.reshape(*batch, n, n_heads, d_model // n_heads), -2, -3)


def merge(x):
    *batch, n_heads, n, d_head = x.shape
    return np.swapaxes(x, -2, -3).reshape(*batch, n, n_heads * d_head)


def without_source(function):
    """Return the same function, its file lost."""
    code = function.__code__.replace(co_filename="<lost>")
    rest = function.__name__, function.__defaults__, function.__closure__
    return FunctionType(code, function.__globals__, *rest)


def with_code(function, text):
    """Return a function that does the same, and whose code holds a text."""
    lines = f"def answer(*inputs):\n    _ = {text!r}\n    return f(*inputs)\n"
    return from_text(lines, {"f": function})


def changed(answer, *pieces):
    """Return the answer with other pieces of text in it, each given as "old → new"."""
    text = inspect.getsource(answer)
    text = text[text.index("def ") :]  # without its mark
    for old, new in (piece.split(" → ") for piece in pieces):
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return from_text(text, answer.__globals__)


def from_text(text, space):
    """Return the function that a text defines; its source can be read, as of a file."""
    name = f"<function {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    own = {}
    exec(compile(text, name, "exec"), space, own)
    (function,) = own.values()
    return function
