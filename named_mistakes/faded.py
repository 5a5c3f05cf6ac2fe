"""Solutions with dots in place of lines: left as they are, or filled in wrongly."""

import ast
from collections.abc import Iterator
from copy import deepcopy

from named_mistakes.answer import Answer
from named_mistakes.exercise import Exercise
from named_mistakes.limit import LineBudget
from named_mistakes.mutation import compiled, is_right
from named_mistakes.report import Finding
from named_mistakes.trial import Trial


def unfilled_lines(answer: Answer) -> list[int]:
    """Return the lines of a function, from 1, in which dots stand for a value.

    Dots in brackets, as in `x[..., 0]`, are an index, not a gap. Without its source, a
    function has no gaps.
    """
    slices = (node.slice for node in answer.nodes if isinstance(node, ast.Subscript))
    indices = {id(node) for one in slices for node in ast.walk(one)}
    lines = {
        node.lineno
        for node in answer.nodes
        if isinstance(node, ast.Constant) and _is_dots(node) and id(node) not in indices
    }
    return [] if _all_dots(answer) else sorted(lines)


def _all_dots(answer: Answer) -> bool:
    """Tell whether a function holds only dots: it has not been started."""
    kinds = ast.FunctionDef | ast.Lambda
    whole = next((node for node in answer.nodes if isinstance(node, kinds)), None)
    body = getattr(whole, "body", None)
    last = body[-1] if isinstance(body, list) else body
    alone = not isinstance(body, list) or len(body) == 1
    return alone and _is_dots(last.value if isinstance(last, ast.Return) else last)


def _is_dots(node: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def describe_unfilled(lines: list[int]) -> str:
    """Say which lines still hold dots.

    Examples
    --------
    >>> describe_unfilled([3, 5])
    'Lines 3 and 5 still hold dots.'
    """
    *first, last = map(str, lines)
    if not first:
        return f"Line {last} still holds dots."
    return f"Lines {', '.join(first)} and {last} still hold dots."


FOLLOWS = ("crashed", "wrong-shape", "wrong-numbers", "nan", "overflow", "underflow")
LINES = 300_000  # that one copy may run, in all cases together


def filled_in(trial: Trial) -> Iterator[Finding]:
    """Replace each filled-in line by the right one, to find which is wrong."""
    own, faded = own_lines(trial.exercise, trial.answer.quiet), trial.exercise.faded
    if not own or faded is None or not trial.failing:
        return
    wrong = [k for k in range(len(own)) if _right_with(trial, k, faded.gaps[k][0])]
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
    look = faded.gaps[k][1]
    yield Finding("filled-in-wrong", f"{told} Look at {look}.", explains=FOLLOWS)


def own_lines(exercise: Exercise, tree: ast.Module | None) -> list[ast.Assign]:
    """Return the lines that replaced the dots; [] if the function differs elsewhere."""
    if tree is None or exercise.faded is None:
        return []
    given, ours = (_lines(one) for one in (tree, ast.parse(exercise.faded.text)))
    pairs = [*zip(given, ours, strict=False)]
    same = all(_text(a) == _text(b) for a, b in pairs if not _is_gap(b))
    own = [a for a, b in pairs if isinstance(a, ast.Assign) and _fills(a, b)]
    whole = len(own) == len(exercise.faded.gaps) and len(given) == len(ours)
    return own if same and whole else []


def _fills(line: ast.Assign, dots: ast.stmt) -> bool:
    """Tell whether a line assigns to the same target as a line with dots."""
    targets = ast.unparse(line).split(" = ")[:-1]
    return _is_gap(dots) and _text(dots).split(" = ")[:-1] == targets[:1]


def _lines(tree: ast.Module) -> list[ast.stmt]:
    """List the statements in order, without the function definition."""
    inside = (n for n in ast.walk(tree) if isinstance(n, ast.stmt))
    body = (n for n in inside if not isinstance(n, ast.FunctionDef))
    return sorted(body, key=lambda n: n.lineno)


def _is_gap(line: ast.stmt) -> bool:
    return _is_dots(getattr(line, "value", None))


def _text(line: ast.stmt) -> str:
    return ast.unparse(line).split("\n")[0]


def _right_with(trial: Trial, k: int, right: str) -> bool:
    exercise, tree = trial.exercise, deepcopy(trial.answer.quiet)
    if tree is None:
        return False
    line = own_lines(exercise, tree)[k]
    line.value = ast.parse(right, mode="eval").body
    function = compiled(tree, trial.answer)
    budget = LineBudget(LINES * exercise.patience)
    return function is not None and all(
        is_right(exercise, function, one, budget) for one in trial.judged
    )
