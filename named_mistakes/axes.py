"""Find, in the text of an answer, what depends on how many axes come first."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from named_mistakes.answer import Answer

REDUCE = {
    *("sum", "mean", "max", "min", "var", "std", "prod", "cumsum", "argmax", "argmin"),
    *("amax", "amin", "norm", "sort", "concatenate", "take", "repeat", "roll", "flip"),
}
JOIN = ("concatenate", "stack", "vstack", "hstack", "split", "repeat")
WHOLE = {*("cumsum", "norm", "argmax", "argmin", "max", "min", "amax", "sum", "take")}


def suspect(
    answer: Answer,
    plain: Collection[int] = (),
    *,
    is_flat: bool = False,
    line: int | None = None,
) -> str:
    """Quote the first piece of code that treats leading axes as well.

    Parameters
    ----------
    answer : Answer
    plain : collection of int
        The arguments, by number, that never have leading axes, such as weights.
    is_flat : bool
        What came back has one axis in place of all leading ones.
    line : int, optional
        Where it stopped, in its file. What stands there is suspected first, then what
        stands before it, and nothing that stands after it.

    Returns
    -------
    str
        A sentence, or nothing if the text cannot be had or holds no suspect.
    """
    source, names = answer.source, answer.parameters
    if source is None or not names:
        return ""
    innocent = {names[i] for i in plain if i < len(names)}
    looks = (_flat, *LOOKS) if is_flat else LOOKS
    found = [
        pair
        for look in looks
        for pair in look(source.tree)
        if _root(pair[0]) not in innocent
    ]
    last = line - source.first + 1 if line else 0
    if 0 < last <= source.n_lines:
        reached = [(node, why) for node, why in found if node.lineno <= last]
        found = sorted(reached, key=lambda pair: pair[0].end_lineno < last)
    return next((f"Look at `{_quoted(node)}`: {why}." for node, why in found), "")


def _root(node: ast.AST) -> str:
    """Name what a piece of code is about: w in w.shape[0] and in len(w)."""
    if isinstance(node, ast.Call) and _of_module(node) and node.args:
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


def _calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            yield node, getattr(name, "attr", getattr(name, "id", ""))


def _count(node: ast.AST) -> int | None:
    """Return a whole number, 0 or more, that is written out."""
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and value >= 0 else None


def _turned(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    why = "it reverses all axes, a batch's too; only the last two may change places"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield node, why
    for node, name in _calls(tree):
        if (
            name == "transpose"
            and len(node.args) < 2
            and _of_module(node) == bool(node.args)
        ):
            yield node, why


def _is_attribute(node: ast.Call) -> bool:
    """Tell np.sum(x) and x.sum() from sum(x), which knows no axes."""
    return isinstance(node.func, ast.Attribute)


def _of_module(node: ast.Call) -> bool:
    """Tell np.f(x) from x.f()."""
    owner = getattr(node.func, "value", None)
    return (
        owner is None
        or getattr(owner, "id", "") in ("np", "numpy", "linalg")
        or (getattr(owner, "attr", "") == "linalg")
    )


def _dot(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node, name in _calls(tree):
        if name in ("dot", "inner", "tensordot", "outer"):
            yield (
                node,
                f"{name} pairs every entry of one batch with every entry of the other; "
                "@ takes them side by side",
            )


def _letters(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node, name in _calls(tree):
        text = node.args[0] if node.args else None
        letters = text.value if isinstance(text, ast.Constant) else "..."
        if name == "einsum" and isinstance(letters, str) and "..." not in letters:
            why = "these letters fix how many axes there are; `...` stands for any"
            yield text, why


def _unpacked(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not _is_shape(node.value):
            continue
        names = node.targets[0]
        if isinstance(names, ast.Tuple | ast.List) and not any(
            isinstance(one, ast.Starred) for one in names.elts
        ):
            yield (
                node,
                (
                    f"it takes exactly {len(names.elts)} axes; a name with a star "
                    "takes as many as there are"
                ),
            )


def _is_shape(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _from_the_front(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    why = (
        "it counts axes from the front, where a batch comes first; -1 and -2 mean the "
        "same with any number of axes before them"
    )
    for node, name in _calls(tree):
        given = {k.arg: k.value for k in node.keywords}
        at = given.get("axis", given.get("axes"))
        if at is not None and _count(at) is not None:
            yield node, why
        several = [_count(a) for a in node.args]
        places = several if name in ("transpose", "swapaxes", "moveaxis") else []
        if name in REDUCE and len(several) > 1 and _of_module(node):
            places = several[1:2] if name not in ("take", "repeat", "roll") else []
        elif name in REDUCE and len(several) == 1 and not _of_module(node):
            places = several if name not in ("take", "repeat", "roll") else []
        if any(place is not None for place in places):
            yield node, why
    for node in ast.walk(tree):
        is_length = isinstance(node, ast.Subscript) and _is_shape(node.value)
        if is_length and _count(node.slice) is not None:
            yield node, why


def _joined(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node, name in _calls(tree):
        named = any(k.arg == "axis" for k in node.keywords) or len(node.args) > 2
        if name in JOIN and _is_attribute(node) and not named:
            why = "without an axis it works on the first one, or on all numbers"
            yield node, f"{why}, and a batch comes first"


def _flat(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    why = "it makes one axis of all that come first, and their lengths are lost"
    for node, name in _calls(tree):
        first = node.args[0] if node.args else None
        if name in ("ravel", "flatten") or (
            name == "reshape"
            and isinstance(first, ast.UnaryOp)
            and ast.unparse(first) == "-1"
        ):
            yield node, why


def _indexed(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or _is_shape(node.value):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        first = parts[0]
        if len(parts) > 1 and (
            (isinstance(first, ast.Slice) and not first.lower and not first.upper)
            or _count(first) is not None
        ):
            yield node, "it counts from the first axis; `[..., ]` counts from the last"
        elif len(parts) == 1 and (_count(first) is not None or _cuts(first)):
            yield node, "it takes from the first axis; `[..., ]` counts from the last"


def _cuts(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice) and bool(node.lower or node.upper)


def _paired(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    counted = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "arange" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            several = [p for p in node.slice.elts if isinstance(p, ast.Name | ast.Call)]
            text = [ast.unparse(one) for one in several]
            if len(several) > 1 and any(t in counted or "arange" in t for t in text):
                yield (
                    node,
                    (
                        "arrays of indices are paired with each other, for all that "
                        "comes first; np.take_along_axis keeps a batch apart"
                    ),
                )


def _without_axis(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node, name in _calls(tree):
        alone = len(node.args) == int(_of_module(node))
        named = any(k.arg == "axis" for k in node.keywords)
        if name in WHOLE and _is_attribute(node) and alone and not named:
            yield node, f"without an axis, {name} goes through all numbers at once"


def _walked(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Find a loop over an argument as it came, or a list made of it."""
    given = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    for node in ast.walk(tree):
        walked = node.iter if isinstance(node, ast.For | ast.comprehension) else None
        if isinstance(node, ast.Starred):
            walked = node.value
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "list":
            walked = node.args[0] if node.args else None
        if isinstance(walked, ast.Name) and walked.id in given:
            yield (
                walked,
                "a loop goes along its first axis, and in a batch that is the batch",
            )


def _length(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node, name in _calls(tree):
        if name == "len" and node.args and isinstance(node.args[0], ast.Name):
            yield node, "it is the length of the first axis, which may be a batch"


LOOKS = (
    *(_turned, _walked, _dot, _letters, _unpacked, _from_the_front, _flat),
    *(_joined, _without_axis, _paired, _indexed, _length),
)
