"""Run a changed copy of an answer on a case that it was tried on."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable

from named_mistakes.answer import Answer
from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise
from named_mistakes.limit import Purse
from named_mistakes.runner import run


def made(tree: ast.Module, answer: Answer) -> Callable | None:
    """Compile a changed tree to a function; None if Python cannot read it.

    Warnings are muted, since the learner did not write the copy.
    """
    space, function = dict(answer.space or {}), answer.function
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ast.unparse(tree)
            exec(compile(text, function.__code__.co_filename, "exec"), space)
    except (SyntaxError, ValueError, TypeError, NameError, AttributeError):
        return None
    names = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    return space[names[0]] if names else None


def is_right(exercise: Exercise, function: Callable, one: Judged, purse: Purse) -> bool:
    """Tell whether the copy gives what is expected, within its share of lines."""
    outcome = run(function, one.case, exercise.returns, exercise.patience, purse)
    if one.case.room is not None and outcome.held > one.case.room:
        return False
    return not outcome.changed and Judged(outcome, one.wanted, one.truth).right
