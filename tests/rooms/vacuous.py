"""Find tests that no change of the code could make fail, from their source alone."""

import ast

# A call that fails by itself where something is not as it should be.
FAILING = ("assert", "expect", "raises", "warns", "fail", "wait_for")
# What these return is empty where nothing was found: a loop over it asserts nothing.
SEARCHES = {"findall", "finditer", "glob", "rglob", "iterdir", "find_all", "select"}
FULL = (ast.GeneratorExp, ast.Lambda, ast.JoinedStr)
LITERAL = (ast.Tuple, ast.List, ast.Set, ast.Dict)


def functions(tree):
    """Return the functions of a module, inner ones and methods too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def tests(tree):
    """Return the functions that pytest takes for tests."""
    return [one for one in functions(tree) if one.name.startswith("test")]


def called(node):
    """Return the name by which a node calls something, without what it hangs on."""
    if not isinstance(node, ast.Call):
        return None
    return getattr(node.func, "attr", getattr(node.func, "id", None))


def can_fail(function, helpers=frozenset()):
    """Say whether a function asserts something, itself or by what it calls."""
    for node in ast.walk(function):
        name = called(node) or ""
        if isinstance(node, ast.Assert) or name.startswith(FAILING) or name in helpers:
            return True
    return False


def names_in(tree):
    """Return the names that a module defines or imports."""
    found = {one.name for one in functions(tree)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {one.asname or one.name for one in node.names}
    return found


def asserting(trees):
    """Return the names of all helpers that assert, also through one another."""
    known = set()
    helpers = [one for tree in trees for one in functions(tree)]
    helpers = [one for one in helpers if not one.name.startswith("test")]
    while more := {one.name for one in helpers if can_fail(one, known)} - known:
        known |= more
    return known


def always_true(node, functions=frozenset()):
    """Say whether what is asserted holds whatever the code does."""
    if isinstance(node, ast.Constant):
        return bool(node.value) and node.value is not ...  # dots are to be filled in
    if isinstance(node, LITERAL):
        return bool(getattr(node, "elts", None) or getattr(node, "keys", None))
    if isinstance(node, ast.BoolOp):
        any_or_all = any if isinstance(node.op, ast.Or) else all
        return any_or_all(always_true(one, functions) for one in node.values)
    return isinstance(node, FULL) or getattr(node, "id", None) in functions


def asserts_only_in_searches(function):
    """Say whether all that a test asserts is asserted of what a search found."""
    found = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
    searched = [
        node
        for loop in loops
        if any(called(one) in SEARCHES for one in ast.walk(loop.iter))
        for node in ast.walk(loop)
    ]
    return bool(found) and all(node in searched for node in found)


def complaints(tree, helpers):
    """List what is wrong with the tests of a module: a line, a name, and why."""
    names = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    helpers = helpers & names_in(tree)
    for test in tests(tree):
        if not can_fail(test, helpers):
            yield test.lineno, test.name, "asserts nothing"
        if asserts_only_in_searches(test):
            yield test.lineno, test.name, "passes where a search finds nothing"
        for node in ast.walk(test):
            if isinstance(node, ast.Assert) and always_true(node.test, names):
                yield node.lineno, test.name, "asserts what is always true"
