"""Try small changes to an answer, to find the one piece of it that is wrong.

The limits are on the number of changes and of lines run: no clock decides the verdict.
Answers with side effects are not tried, since their copies would repeat the effects.
"""

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain
from typing import Any

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import difference
from named_mistakes.edits import CHANGE, SURE, likely
from named_mistakes.edits.products import PRODUCTS, in_order, rows_of_their_own, unasked
from named_mistakes.effects import has_effects
from named_mistakes.faded import own_lines
from named_mistakes.limit import LineBudget
from named_mistakes.mutation import Edit, Edits, compiled, is_right, mutations
from named_mistakes.report import Finding
from named_mistakes.trial import Trial

TRIES, LINES = 800, 300_000  # changes, and how many lines they may run together
# These are gone once the change is made.
FOLLOWS = ("crashed", "wrong-shape", "nan")
SAID = ("wrong-dtype", "wrong-type", "returned-none")  # clearer than any change


def slip(trial: Trial) -> Iterator[Finding]:
    """Quote a well-known slip whose fix makes every case right."""
    names = tuple(trial.judged[0].case.inputs)
    yield from _near_miss(trial, (*PRODUCTS, *SURE, in_order(names)))


def near_miss(trial: Trial) -> Iterator[Finding]:
    """Quote a piece of code if one small change to it makes every case right."""
    yield from _near_miss(trial, (*likely(_given(trial)), unasked))


def shared_rows(trial: Trial) -> Iterator[Finding]:
    """Quote a list that repeats one row, if separate rows make every case right."""
    found = one_change(trial, (rows_of_their_own,)) if trial.failing else None
    if found and not has_effects(trial.answer):
        yield Finding(
            "rows-shared",
            f"{_seen(trial)}. Your rows are one and the same list, which changes as a "
            f"whole: {found[1]} repeats it and makes no new one. Look at how each row "
            "can become a list of its own.",
            explains=tuple(trial.codes),
        )


def _near_miss(trial: Trial, edits: Edits) -> Iterator[Finding]:
    open_ = [one for one in trial.failing if _is_open(trial, one)]
    said = any(one.outcome.code in SAID for one in open_)
    if not open_ or said or has_effects(trial.answer):
        return
    found = one_change(trial, edits)
    if found:
        edit, where = found
        told = f"Look at {where}: {edit.look}" + ("" if edit.look[-1] == "?" else ".")
        yield Finding(
            edit.code,
            f"{_seen(trial)}. One small change makes your function right everywhere"
            f"{_change(edit)}. {told}",
            explains=FOLLOWS,
        )


def _is_open(trial: Trial, one: Judged) -> bool:
    """Tell whether a call still needs an explanation.

    NaN has a finding of its own; where all is NaN, the change that fixes it says more.
    """
    if one.got is None or not trial.explains(one):
        return True
    lost = any(x.size > 1 and not np.isfinite(x).any() for x in one.got)
    return lost and not one.case.is_large


def _change(edit: Edit) -> str:
    what = CHANGE.get(edit.look, "")
    return f": {what}" if what else ""


def _given(trial: Trial) -> dict[str, Any]:
    inputs = trial.judged[0].case.inputs.values()
    return dict(zip(trial.answer.parameters, inputs, strict=False))


def _seen(trial: Trial) -> str:
    one = min(trial.failing, key=lambda j: (j.got is None, j.case.order))
    if one.got is not None:
        return difference(trial.exercise, one)
    note = f": {one.outcome.note}" if one.outcome.note else ""
    return f"For {one.case.described()} no array came back{note}"


def one_change(trial: Trial, edits: Edits) -> tuple[Edit, str] | None:
    """Find a change that makes every case right, and quote the code it replaces.

    Returns
    -------
    tuple of Edit, str, or None
        The change and the quoted code; None if no change works.
    """
    answer, tree = trial.answer, deepcopy(trial.answer.quiet)
    if tree is None or answer.source is None or not _name(tree):
        return None
    # The smallest case that fails rules most changes out at once.
    cases = sorted(trial.judged, key=lambda one: (one.right, one.case.order))
    budget = LineBudget(LINES * trial.exercise.patience)
    own = {id(line) for line in own_lines(trial.exercise, tree)}
    tries = mutations(tree, answer.source.first, edits, own)
    for count, (quoted, edit) in enumerate(tries):
        if count == TRIES or budget.left < 0:
            return None
        function = compiled(tree, answer)
        if function and all(
            is_right(trial.exercise, function, one, budget)
            for one in chain(cases, *trial.others())
        ):
            return edit, quoted
    return None


def _name(tree: ast.Module) -> str:
    """Return the name of the only function in a tree; "" if there is anything else."""
    functions = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    return functions[0] if len(tree.body) == len(functions) == 1 else ""
