"""Recognize an answer with side effects: no changed copy of it is run.

The source of the answer is read, and that of the learner's own functions it calls, as
far as names show. Lines that only print are left out of the copies, so they do not
count. Installed libraries are not examined.
"""

import ast
from types import FunctionType, ModuleType

from named_mistakes.answer import Answer
from named_mistakes.limit import is_library

CALLS = {
    *("print", "open", "input", "exec", "eval", "compile", "__import__", "display"),
    *("setattr", "delattr", "globals", "breakpoint", "exit", "quit", "help"),
}
METHODS = {
    *("write", "writelines", "write_text", "write_bytes", "unlink", "touch", "mkdir"),
    *("save", "savez", "savetxt", "savefig", "tofile", "dump", "to_csv", "show"),
    *("urlopen", "urlretrieve", "connect", "send", "request", "post", "popen"),
    *("system", "seed", "set_printoptions", "seterr", "rmtree", "rename"),
}
MODULES = {
    *("os", "sys", "io", "shutil", "subprocess", "socket", "urllib", "requests"),
    *("pathlib", "tempfile", "http", "httpx", "ctypes", "threading", "multiprocessing"),
    *("pickle", "logging", "random", "time", "js", "pyodide", "pyodide_js"),
}
# Methods that change a list, dict or set, which other code may hold.
CHANGES = {
    *("append", "extend", "insert", "pop", "clear", "update", "add", "discard"),
    *("setdefault", "popitem", "remove"),
}


def has_effects(answer: Answer) -> bool:
    """Tell whether running a function may have effects; True where that is unknown."""
    if answer.quiet is None:
        return True
    return _has_effects(answer, tuple(ast.walk(answer.quiet)), set())


def _has_effects(answer: Answer, nodes: tuple, seen: set[object]) -> bool:
    if not nodes or answer.space is None:
        return True
    seen.add(answer.function)
    own = _local_names(nodes)
    modules = {k for k, v in answer.space.items() if isinstance(v, ModuleType)}
    if any(_reaches_out(node, own, modules) for node in nodes):
        return True
    names = {node.id for node in nodes if isinstance(node, ast.Name)} - own
    called = [answer.space[name] for name in names if name in answer.space]
    return any(
        _has_effects(Answer(one), Answer(one).nodes, seen)
        for one in called
        if isinstance(one, FunctionType)
        and one not in seen
        and not is_library(one.__code__.co_filename)
    )


def _local_names(nodes: tuple[ast.AST, ...]) -> set[str]:
    """List the parameters and the names that the function itself assigns."""
    given = {node.arg for node in nodes if isinstance(node, ast.arg)}
    stored = (n for n in nodes if isinstance(n, ast.Name) and type(n.ctx) is ast.Store)
    return given | {node.id for node in stored}


def _reaches_out(node: ast.AST, own: set[str], modules: set[str]) -> bool:
    if isinstance(node, ast.Global | ast.Nonlocal | ast.Delete | ast.Yield | ast.Await):
        return True
    if isinstance(node, ast.Import):
        return any(one.name.partition(".")[0] in MODULES for one in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in MODULES
    if isinstance(node, ast.Subscript | ast.Attribute) and type(node.ctx) is ast.Store:
        return _owner(node) not in own
    return isinstance(node, ast.Call) and _calls_out(node.func, own, modules)


def _calls_out(called: ast.AST, own: set[str], modules: set[str]) -> bool:
    if isinstance(called, ast.Name):
        return called.id in CALLS
    if not isinstance(called, ast.Attribute):
        return False
    owner = _owner(called)
    changes = called.attr in CHANGES and owner not in own | modules
    return owner in MODULES - own or called.attr in METHODS or changes


def _owner(node: ast.AST) -> str:
    """Return the name that a chain of attributes and indices begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
