"""Try small changes to an answer, to find the one piece of it that is wrong.

How many are tried is counted, and how many lines they run: no clock decides what is
said. An answer that does more than compute is not tried: its copies would write and
send again, and wrongly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain
from typing import Any

import numpy as np

from named_mistakes.again import is_right, made
from named_mistakes.changes import CHANGE
from named_mistakes.compare import Judged
from named_mistakes.describe import difference, largest_difference
from named_mistakes.edits import SURE, Edit, Edits, likely
from named_mistakes.effects import has_effects
from named_mistakes.faded import own_lines
from named_mistakes.limit import Purse
from named_mistakes.report import Finding
from named_mistakes.slips import SLIPS, in_order, rows_of_their_own, unasked
from named_mistakes.slots import changed
from named_mistakes.trial import Trial

TRIES, LINES = 800, 300_000  # changes, and how many lines they may run together
# These are gone once the change is made.
FOLLOWS = ("crashed", "wrong-shape", "nan")
SAID = ("wrong-dtype", "wrong-type", "returned-none")  # better than by any change


def slip(trial: Trial) -> Iterator[Finding]:
    """Quote the code of a well-known slip that, once mended, makes all right."""
    names = tuple(trial.judged[0].case.inputs)
    yield from _near_miss(trial, (*SLIPS, *SURE, in_order(names)))


def near_miss(trial: Trial) -> Iterator[Finding]:
    """Quote the piece of code that any one small change makes right, in every case."""
    yield from _near_miss(trial, (*likely(_given(trial)), unasked))


def shared_rows(trial: Trial) -> Iterator[Finding]:
    """Quote a list of one and the same row; with rows of their own, all is right."""
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
    """Tell whether more can be said of a call: nothing came, or what is unexplained.

    NaN has a finding of its own; of nothing but NaN, a change that mends it says more.
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
        return difference(trial.exercise, one, largest_difference(one))
    note = f": {one.outcome.note}" if one.outcome.note else ""
    return f"For {one.case.described()} no array came back{note}"


def one_change(trial: Trial, edits: Edits) -> tuple[Edit, str] | None:
    """Find the change, and the code where it is made.

    Returns
    -------
    tuple of Edit, str, or None
        What to look at, without the change itself; nothing if there is none.
    """
    answer, tree = trial.answer, deepcopy(trial.answer.quiet)
    if tree is None or answer.source is None or not _name(tree):
        return None
    # The smallest case that fails rules most changes out at once.
    cases = sorted(trial.judged, key=lambda one: (one.right, one.case.order))
    purse = Purse(LINES * trial.exercise.patience)
    own = {id(line) for line in own_lines(trial.exercise, tree)}
    tries = changed(tree, answer.source.first, edits, own)
    for count, (quoted, edit) in enumerate(tries):
        if count == TRIES or purse.left < 0:
            return None
        function = made(tree, answer)
        if function and all(
            is_right(trial.exercise, function, one, purse)
            for one in chain(cases, *trial.others())
        ):
            return edit, quoted
    return None


def _name(tree: ast.Module) -> str:
    """Return the name of the one function in a text; None if there is more."""
    functions = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    return functions[0] if len(tree.body) == len(functions) == 1 else ""
