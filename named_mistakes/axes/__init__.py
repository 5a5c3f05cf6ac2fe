"""Find the code in an answer that depends on the number of leading axes."""

import ast
from collections.abc import Callable, Collection

from named_mistakes.answer import Answer
from named_mistakes.axes import code

# The surest first: the first piece of code that one of them finds is quoted.
LOOKS: tuple[Callable[[ast.AST], code.Suspects], ...] = (
    *(code.turned, code.walked, code.dot, code.letters, code.unpacked),
    *(code.from_the_front, code.flat, code.joined, code.without_axis),
    *(code.paired, code.indexed, code.length),
)


def suspect(
    answer: Answer,
    plain: Collection[int] = (),
    *,
    is_flat: bool = False,
    line: int | None = None,
) -> str:
    """Quote the first piece of code that also touches the leading axes.

    Parameters
    ----------
    answer : Answer
    plain : collection of int
        The arguments, by number, that never have leading axes, such as weights.
    is_flat : bool
        Whether the result has one axis in place of all the leading ones.
    line : int, optional
        The line of its file where it stopped. Code there is suspected first, then code
        before it; code after it is not.

    Returns
    -------
    str
        A sentence; "" if there is no source or nothing suspect in it.
    """
    source, names = answer.source, answer.parameters
    if source is None or not names:
        return ""
    innocent = {names[i] for i in plain if i < len(names)}
    looks = (code.flat, *LOOKS) if is_flat else LOOKS
    found = [
        pair
        for look in looks
        for pair in look(source.tree)
        if _root(pair[0]) not in innocent
    ]
    last = line - source.first + 1 if line else 0
    if 0 < last <= source.n_lines:
        reached = [(node, why) for node, why in found if node.lineno <= last]
        found = sorted(reached, key=lambda pair: (pair[0].end_lineno or 0) < last)
    return next((f"Look at `{_quoted(node)}`: {why}." for node, why in found), "")


def _root(node: ast.AST) -> str:
    """Name what a piece of code is about: w in w.shape[0] and in len(w)."""
    if isinstance(node, ast.Call) and code.of_module(node) and node.args:
        return _root(node.args[0])
    while not isinstance(node, ast.Name):
        inner = getattr(node, "value", getattr(node, "func", None))
        if not isinstance(inner, ast.AST):
            return ""
        node = inner
    return node.id


def _quoted(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) < 60 else f"{text[:56]} …"
