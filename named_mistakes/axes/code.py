"""Code that depends on the number of axes: the pieces to suspect, and why."""

import ast
from collections.abc import Iterator

# Pieces of code that depend on the number of leading axes, and why they do.
Suspects = Iterator[tuple[ast.expr | ast.stmt, str]]


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """List the calls, with the last name of what is called: `sum` in np.sum(x)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            yield node, getattr(name, "attr", getattr(name, "id", ""))


def count(node: ast.AST) -> int | None:
    """Return the value of a literal whole number, 0 or more."""
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and value >= 0 else None


def is_attribute(node: ast.Call) -> bool:
    """Tell whether a call is np.sum(x) or x.sum(), not sum(x), which knows no axes."""
    return isinstance(node.func, ast.Attribute)


def of_module(node: ast.Call) -> bool:
    """Tell whether a call is np.f(x) or f(x), not x.f()."""
    owner = getattr(node.func, "value", None)
    name = getattr(owner, "id", getattr(owner, "attr", ""))
    return owner is None or name in ("np", "numpy", "linalg")


def is_shape(node: ast.AST) -> bool:
    """Tell whether a node is x.shape."""
    return isinstance(node, ast.Attribute) and node.attr == "shape"


REDUCE = {
    *("sum", "mean", "max", "min", "var", "std", "prod", "cumsum", "argmax", "argmin"),
    *("amax", "amin", "norm", "sort", "concatenate", "flip"),
}
MOVE = ("transpose", "swapaxes", "moveaxis")


def turned(tree: ast.AST) -> Suspects:
    """Find .T, and transpose without a list of axes."""
    why = "it reverses all axes, a batch's too; only the last two may change places"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield node, why
    for node, name in calls(tree):
        alone = len(node.args) == int(of_module(node))  # the array, or nothing
        if name == "transpose" and alone:
            yield node, why


def letters(tree: ast.AST) -> Suspects:
    """Find subscripts of einsum without an ellipsis."""
    why = "these letters fix how many axes there are; `...` stands for any"
    for node, name in calls(tree):
        text = node.args[0] if name == "einsum" and node.args else None
        if isinstance(text, ast.Constant) and "..." not in str(text.value):
            yield text, why


def unpacked(tree: ast.AST) -> Suspects:
    """Find a shape that is unpacked into a fixed number of names."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not is_shape(node.value):
            continue
        names = node.targets[0]
        if isinstance(names, ast.Tuple | ast.List) and not any(
            isinstance(one, ast.Starred) for one in names.elts
        ):
            why = f"it takes exactly {len(names.elts)} axes"
            yield node, f"{why}; a name with a star takes as many as there are"


def from_the_front(tree: ast.AST) -> Suspects:
    """Find axes, and lengths of axes, that are counted from the front."""
    why = (
        "it counts axes from the front, where a batch comes first; -1 and -2 mean the "
        "same with any number of axes before them"
    )
    for node, name in calls(tree):
        if any(count(one) is not None for one in _axes_of(node, name)):
            yield node, why
    for one in ast.walk(tree):
        if not isinstance(one, ast.Subscript) or not is_shape(one.value):
            continue
        if count(one.slice) is not None:
            yield one, why


def _axes_of(node: ast.Call, name: str) -> list[ast.expr]:
    """List the arguments of a call that say which axes are meant."""
    given = {k.arg: k.value for k in node.keywords}
    axes = [given[word] for word in ("axis", "axes") if word in given]
    first = int(of_module(node))  # np.sum(x, 0), but x.sum(0)
    if name in MOVE:
        axes += node.args
    elif name in REDUCE:
        axes += node.args[first : first + 1]
    return axes


def indexed(tree: ast.AST) -> Suspects:
    """Find an index into the first axis."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        first = parts[0]
        cuts = isinstance(first, ast.Slice) and bool(first.lower or first.upper)
        keeps = isinstance(first, ast.Slice) and not cuts
        if len(parts) > 1 and (keeps or count(first) is not None):
            yield node, "it counts from the first axis; `[..., ]` counts from the last"
        elif len(parts) == 1 and (cuts or count(first) is not None):
            yield node, "it takes from the first axis; `[..., ]` counts from the last"


def length(tree: ast.AST) -> Suspects:
    """Find len(x)."""
    for node, name in calls(tree):
        if name == "len" and node.args and isinstance(node.args[0], ast.Name):
            yield node, "it is the length of the first axis, which may be a batch"


JOIN = ("concatenate", "stack", "vstack", "hstack", "split", "repeat")
WHOLE = {*("cumsum", "norm", "argmax", "argmin", "max", "min", "amax", "sum", "take")}


def walked(tree: ast.AST) -> Suspects:
    """Find a loop over a whole argument, or a list made from one."""
    why = "a loop goes along its first axis, and in a batch that is the batch"
    given = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    for node in ast.walk(tree):
        over: ast.expr | None = None
        if isinstance(node, ast.For | ast.comprehension):
            over = node.iter
        elif isinstance(node, ast.Starred):
            over = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "list":
            over = node.args[0] if node.args else None
        if isinstance(over, ast.Name) and over.id in given:
            yield over, why


def dot(tree: ast.AST) -> Suspects:
    """Find products that pair every entry of one batch with every other."""
    for node, name in calls(tree):
        if name in ("dot", "inner", "tensordot", "outer"):
            why = f"{name} pairs every entry of one batch with every entry of the other"
            yield node, f"{why}; @ takes them side by side"


def joined(tree: ast.AST) -> Suspects:
    """Find calls that join or split arrays without naming an axis."""
    for node, name in calls(tree):
        named = any(k.arg == "axis" for k in node.keywords) or len(node.args) > 2
        if name in JOIN and is_attribute(node) and not named:
            why = "without an axis it works on the first one, or on all numbers"
            yield node, f"{why}, and a batch comes first"


def flat(tree: ast.AST) -> Suspects:
    """Find calls that flatten several axes into one."""
    why = "it makes one axis of all that come first, and their lengths are lost"
    for node, name in calls(tree):
        first = ast.unparse(node.args[0]) if node.args else ""
        if name in ("ravel", "flatten") or (name == "reshape" and first == "-1"):
            yield node, why


def without_axis(tree: ast.AST) -> Suspects:
    """Find calls without an axis, such as np.sum(x) and x.sum()."""
    for node, name in calls(tree):
        alone = len(node.args) == int(of_module(node))
        named = any(k.arg == "axis" for k in node.keywords)
        if name in WHOLE and is_attribute(node) and alone and not named:
            yield node, f"without an axis, {name} goes through all numbers at once"


def paired(tree: ast.AST) -> Suspects:
    """Find an index made of several arrays."""
    why = (
        "arrays of indices are paired with each other, for all that comes first; "
        "np.take_along_axis keeps a batch apart"
    )
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
                yield node, why
