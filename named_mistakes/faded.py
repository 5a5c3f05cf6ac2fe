"""A solution with a line or two missing: which of those filled in is wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from named_mistakes.again import is_right, made
from named_mistakes.exercise import Exercise
from named_mistakes.limit import Purse
from named_mistakes.report import Finding
from named_mistakes.trial import Trial

FOLLOWS = ("crashed", "wrong-shape", "wrong-numbers", "nan", "overflow", "underflow")
LINES = 300_000  # that the copies may run together


def filled_in(trial: Trial) -> Iterator[Finding]:
    """Try ours in the place of each line that was filled in, and say what is wrong."""
    own = own_lines(trial.exercise, trial.answer.quiet)
    if not own or not trial.failing or trial.answer.space is None:
        return
    wrong = [k for k in range(len(own)) if _right_with(trial, k)]
    k = wrong[0] if wrong else 0
    quoted = [
        f"`{ast.unparse(one)}` in line {trial.answer.line_of(one)}" for one in own
    ]
    if len(own) == 1:
        told = f"What you filled in is not right yet: {quoted[0]}."
    elif wrong:
        others = "the other is" if len(own) == 2 else "the others are"
        told = f"Of the lines that you filled in, {quoted[k]} is wrong; {others} right."
    else:
        told = f"None of the lines that you filled in is right. Begin with {quoted[0]}."
    look = trial.exercise.faded.gaps[k][1]
    yield Finding("filled-in-wrong", f"{told} Look at {look}.", explains=FOLLOWS)


def own_lines(exercise: Exercise, tree: ast.Module | None) -> list[ast.Assign]:
    """Return what stands where the dots were; nothing of a function of another form."""
    if tree is None or exercise.faded is None:
        return []
    given, ours = (_lines(one) for one in (tree, ast.parse(exercise.faded.text)))
    pairs = [*zip(given, ours, strict=False)]
    dotted = [(a, b) for a, b in pairs if _is_gap(b)]
    same = all(_text(a) == _text(b) for a, b in pairs if not _is_gap(b))
    fills = all(
        isinstance(a, ast.Assign) and _targets(a) == _targets(b) for a, b in dotted
    )
    return [a for a, _ in dotted] if same and fills and len(given) == len(ours) else []


def _lines(tree: ast.Module) -> list[ast.stmt]:
    """List the statements in their order, less the function's own."""
    inside = (n for n in ast.walk(tree) if isinstance(n, ast.stmt))
    body = (n for n in inside if not isinstance(n, ast.FunctionDef))
    return sorted(body, key=lambda n: n.lineno)


def _is_gap(line: ast.stmt) -> bool:
    value = getattr(line, "value", None)
    return isinstance(value, ast.Constant) and value.value is ...


def _text(line: ast.stmt) -> str:
    return ast.unparse(line).split("\n")[0]


def _targets(line: ast.Assign) -> list[str]:
    return [ast.unparse(one) for one in line.targets]


def _right_with(trial: Trial, k: int) -> bool:
    exercise, tree = trial.exercise, deepcopy(trial.answer.quiet)
    line = own_lines(exercise, tree)[k]
    line.value = ast.parse(exercise.faded.gaps[k][0], mode="eval").body
    function = made(tree, trial.answer)
    purse = Purse(LINES * exercise.patience)
    return function is not None and all(
        is_right(exercise, function, one, purse) for one in trial.judged
    )
