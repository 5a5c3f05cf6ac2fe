"""Find mistakes that an answer's text proves without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from named_mistakes.answer import Answer
from named_mistakes.edits.operators import COMPARED, comparison
from named_mistakes.edits.values import NONE
from named_mistakes.report import Finding
from named_mistakes.trial import Trial

# Called for their effects, such as changing an array in place, not for a result.
EFFECTS = {
    *("copyto", "put", "put_along_axis", "fill_diagonal", "place", "putmask", "at"),
    *("set_printoptions", "seterr", "seed", "shuffle", "fill", "sort", "resize"),
    *("savetxt", "save", "errstate", "itemset", "setflags", "partition"),
}
MADE = ("reshape", "transpose", "swapaxes", "astype", "copy", "clip", "round", "repeat")
LIKE = ("zeros_like", "ones_like", "empty_like", "full_like")


def unused(trial: Trial) -> Iterator[Finding]:
    """Find a line that makes a new array and drops it."""
    for node in trial.answer.nodes if trial.failing else ():
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = _makes(node.value)
            if name:
                line = trial.answer.line_of(node)
                yield Finding(
                    "result-unused",
                    f"Line {line}, `{ast.unparse(node)}`, has no effect: {name} gives "
                    "a new array and leaves the old one as it was. Look at where the "
                    "new one should go.",
                )
                return


def _makes(call: ast.Call) -> str:
    """Return the name of the called function if it only makes an array, or ""."""
    if not isinstance(call.func, ast.Attribute):
        return ""
    name, given = call.func.attr, {k.arg for k in call.keywords}
    of_numpy = ast.unparse(call.func.value) in ("np", "numpy", "np.linalg")
    function = getattr(np, name, None)
    most = function.nin if isinstance(function, np.ufunc) else 3
    if "out" in given or name in EFFECTS or len(call.args) > most:
        return ""  # an output array may be given by position
    return name if of_numpy or name in MADE else ""


def whole_numbers(answer: Answer) -> str:
    """Quote what makes an array with the dtype of another."""
    for node in answer.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", "")
        if name in LIKE and "dtype" not in {k.arg for k in node.keywords}:
            return (
                f" Look at `{ast.unparse(node)}`: {name} takes the dtype of what it is "
                "given as well, and whole numbers written there lose their decimals."
            )
    return ""


ONCE = (
    "`if` decides once, for the whole array; `np.where(condition, a, b)` decides for "
    "each number"
)
JOINED = (
    "`and` and `or` ask each side for one truth; `&` and `|` go entry by entry, with "
    "brackets round each comparison"
)
CHAIN = (
    "Python reads a <= b <= c as `a <= b and b <= c`, and `and` asks for one truth; "
    "`(a <= b) & (b <= c)` goes entry by entry"
)


def ambiguous(answer: Answer, line: int | None) -> str:
    """Say what asked for the truth value of an array in the line that stopped."""
    for node in answer.nodes:
        if line is None or answer.line_of(node) != line:
            continue
        if next(comparison(node), None):
            return f" Look at `{ast.unparse(node)}`: {COMPARED}."
        test = getattr(node, "test", None)
        if isinstance(test, ast.Name):
            return f" Look at `if {test.id}`: {NONE}."
        if test is not None:
            return f" Look at `if {ast.unparse(test)}`: {ONCE}."
        is_chain = isinstance(node, ast.Compare) and len(node.ops) > 1
        if is_chain or isinstance(node, ast.BoolOp):
            return f" Look at `{ast.unparse(node)}`: {CHAIN if is_chain else JOINED}."
    return ""
