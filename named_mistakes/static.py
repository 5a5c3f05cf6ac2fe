"""Mistakes that the code of an answer shows without running it."""

import ast
from collections.abc import Iterable, Iterator

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
FOLLOWS = ("crashed", "wrong-shape", "wrong-numbers", "nan")
MADE = ("reshape", "transpose", "swapaxes", "astype", "copy", "clip", "round", "repeat")
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


def only_last(trial: Trial) -> Iterator[Finding]:
    """Quote a value that each round of a loop replaces and nothing collects."""
    tree = trial.answer.quiet if trial.failing else None
    loops = [n for n in ast.walk(tree) if isinstance(n, ast.For)] if tree else []
    for loop in loops:
        kept = _kept(loop, tree) if tree else None
        if kept is not None:
            quoted = f"`{ast.unparse(kept)}` in line {trial.answer.line_of(kept)}"
            yield Finding(
                "last-round-only",
                f"Your loop keeps what its last round makes, and nothing else: {quoted}"
                " replaces what the round before has made. Look at how the rounds are "
                "to be put together: added up, joined, or each in a place of its own.",
                explains=FOLLOWS,
            )
            return


def _kept(loop: ast.For, tree: ast.AST) -> ast.Assign | None:
    """Return the last assignment used after a loop whose rounds are independent."""
    made = _names(ast.walk(loop.target), ast.Store)
    given = _names(ast.walk(loop), ast.Store) - made
    if loop.orelse or not _fresh(loop.body, set(made), given):
        return None
    after = _names(_after(tree, loop), ast.Load)
    last = [n for n in loop.body if isinstance(n, ast.Assign) and _name(n) in after]
    return last[-1] if last else None


def _after(tree: ast.AST, loop: ast.For) -> Iterator[ast.AST]:
    end = loop.end_lineno or loop.lineno
    return (n for n in ast.walk(tree) if getattr(n, "lineno", 0) > end)


def _fresh(body: list[ast.stmt], made: set[str], given: set[str]) -> bool:
    """Tell whether each round assigns its names before it reads or fills them."""
    for one in body:
        stored = _names(ast.walk(one), ast.Store)
        if isinstance(one, ast.For):
            inner = _names(ast.walk(one.target), ast.Store)
            if not _fresh(one.body, made | inner, given):
                return False
        elif not isinstance(one, ast.Assign) or not _own(one, made, given):
            return False
        made |= stored
    return True


def _own(one: ast.Assign, made: set[str], given: set[str]) -> bool:
    read = _names(ast.walk(one), ast.Load)
    own = all(_owner(target) in made for target in _filled(one))
    return own and not (read & given) - made


def _filled(one: ast.Assign) -> list[ast.expr]:
    kinds = ast.Subscript | ast.Attribute
    return [target for target in one.targets if isinstance(target, kinds)]


def _owner(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _names(nodes: Iterable[ast.AST], context: type) -> set[str]:
    names = (n for n in nodes if isinstance(n, ast.Name))
    return {n.id for n in names if isinstance(n.ctx, context)}


def _name(one: ast.Assign) -> str:
    return one.targets[0].id if isinstance(one.targets[0], ast.Name) else ""


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
