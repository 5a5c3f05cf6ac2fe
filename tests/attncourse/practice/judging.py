"""Helpers of the checkers' tests: judge an answer on several draws."""

import linecache
from types import FunctionType

import numpy as np

from attncourse.practice import check

SEEDS = (0, 1)


def codes(name, answer, seeds=SEEDS):
    """The codes found on each of several draws of the inputs."""
    reports = [check(name, answer, seed=seed) for seed in seeds]
    assert not any(report.passed for report in reports)
    return [{finding.code for finding in report.findings} for report in reports]


def assert_found(name, code, answer, seeds=SEEDS):
    """The mistake is named; beside it only what is generic, never a wrong guess.

    Of many answers with one mistake, each needs one draw only: not all have the same.
    """
    wanted = {code} if isinstance(code, str) else set(code)
    for found in codes(name, answer, seeds):
        assert wanted <= found, f"expected {sorted(wanted)}, found {sorted(found)}"
        assert not (found - wanted) & {"wrong-numbers", "no-batch"}


def assert_passes(name, answer):
    for seed in SEEDS:
        report = check(name, answer, seed=seed)
        assert report.passed, report
        assert report.findings == ()


def soft(x):
    """Softmax over the last axis, as a right answer would have it."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def without_source(function):
    """Return the same function, its file lost; for one without a closure."""
    code = function.__code__.replace(co_filename="<lost>")
    return FunctionType(code, function.__globals__, function.__name__)


def with_code(function, text):
    """Return a function that does the same, and whose code holds a text."""
    name = f"<holds {text}>"
    lines = ["def answer(*inputs):\n", f"    _ = {text!r}\n", "    return f(*inputs)\n"]
    linecache.cache[name] = (1, None, lines, name)
    space = {"f": function}
    exec(compile("".join(lines), name, "exec"), space)
    return space["answer"]
