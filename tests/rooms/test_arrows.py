"""Imports run downwards only: book → attncourse → attncheck → attnlib.

attncourse imports attnconfig as well, which knows the standard library alone, and
named_mistakes, which knows NumPy alone; sphinx_nokernel knows none of them. Inside a
room, its parts (a folder or a module at its top) import one another in no circle; those
of attncourse lie in the order of `COURSE`.

Read from the source, not from what happens to be installed.
"""

import ast
import importlib
import importlib.util
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = {
    "attnlib": ROOT / "attnlib",
    "attnconfig": ROOT / "attnconfig",
    "attncheck": ROOT / "attncheck",
    "named_mistakes": ROOT / "named_mistakes",
    "attncourse": ROOT / "course" / "attncourse",
    "sphinx_nokernel": ROOT / "sphinx-nokernel" / "src" / "sphinx_nokernel",
}
ANY = None
# What each room may import beside the standard library and itself.
MAY = {
    "attnlib": {"numpy", "array_api_compat", "jax"},  # jax: its erf, for its arrays
    "attnconfig": set(),
    # torch and jax: only if a function wants them; pytest: where it loads the plugin
    # attnconfig: only to compare layers
    "attncheck": {"attnlib", "attnconfig", "numpy", "pytest"},
    "named_mistakes": {"numpy", "IPython"},  # IPython: where a notebook runs it
    "attncourse": {
        "attnlib",
        "attnconfig",
        "attncheck",
        "named_mistakes",
        "numpy",
        "matplotlib",
        "ipywidgets",
        "anywidget",
    }
    | {"traitlets", "IPython", "scipy", "tqdm"}
    | {"js", "pyodide"},  # of the page's own Python
    "sphinx_nokernel": ANY,  # anything but the two rooms above
}
# From the bottom up: each imports only what stands before it.
COURSE = [
    *("javascript", "progress", "checks"),
    *("story", "toys", "debugging", "shipped", "practice"),
    *("claims", "real_model", "figures", "teach", "site"),
]


@cache
def parsed(path):
    """Read a module, without what is imported for annotations alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            node.body = []
    return tree


def imports(tree):
    """Yield the first name of all that is imported, but for annotations alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0]


def imported_by(folder, leave_out=()):
    """Map each name that a folder's modules import to the modules that do."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        if not set(leave_out) & set(path.relative_to(folder).parts):
            for name in imports(parsed(path)):
                found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    return found


def modules(tree, package):
    """Yield the path of all that is imported, also of what is relative to a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            path = [*above, *(node.module or "").split(".")] if node.module else above
            yield from ([*path, alias.name] for alias in node.names)


@cache
def parts_of(room):
    """Map each part of a room to the other parts that it imports."""
    folder = ROOMS[room]
    found = {
        path.stem: set()
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    for path in folder.rglob("*.py"):
        part, *_ = inside = path.relative_to(folder).with_suffix("").parts
        if part in found and part != "__init__":
            for first, *others in modules(parsed(path), [room, *inside[:-1]]):
                found[part] |= {*others[:1]} if first == room else set()
    del found["__init__"]
    return {part: (others - {part}) & found.keys() for part, others in found.items()}


@pytest.mark.parametrize("room", ROOMS)
def test_the_parts_of_a_room_import_one_another_in_no_circle(room):
    parts = parts_of(room)
    assert any(parts.values())
    TopologicalSorter(parts).prepare()  # raises CycleError


def test_the_parts_of_the_course_import_downwards():
    parts = parts_of("attncourse")
    assert sorted(parts) == sorted(COURSE)
    for i, part in enumerate(COURSE):
        assert parts[part] <= {*COURSE[:i]}, part


@pytest.mark.parametrize("room", [room for room, known in MAY.items() if known != ANY])
def test_a_room_imports_only_what_lies_below_it(room):
    found = imported_by(ROOMS[room], leave_out=["site", "example"])
    allowed = MAY[room] | {room} | set(sys.stdlib_module_names)
    assert {k: v for k, v in found.items() if k not in allowed} == {}


def test_the_machine_knows_neither_library_nor_course():
    folder = ROOMS["sphinx_nokernel"]
    others = ROOMS.keys() - {"sphinx_nokernel"}
    assert others & set(imported_by(folder)) == set()
    files = [p for kind in ("py", "js", "css") for p in folder.rglob(f"*.{kind}")]
    texts = {p: p.read_text(encoding="utf-8") for p in files}
    assert [p.name for p, text in texts.items() if "attncourse" in text] == []


def test_the_book_is_text():
    assert list((ROOT / "book").rglob("*.py")) == []


def test_lessons_import_rooms_and_packages_that_readers_have():
    allowed = {"attnlib", *MAY["attncourse"], "attncourse", "array_api_strict"}
    allowed |= {"array_api_compat"} | set(sys.stdlib_module_names)
    notebooks = sorted((ROOT / "book").rglob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        cells = nbformat.read(path, as_version=4).cells
        code = "\n".join(c.source for c in cells if c.cell_type == "code")
        assert set(imports(ast.parse(code))) <= allowed, path.name


# Imports of `make parity` exist: moved names would break it unseen.

FILES = sorted((ROOT / "tests" / "parity").glob("*.py"))
OURS = ("attnlib", "attnconfig", "attncheck", "attncourse")


def imported(text):
    """List (module, name) of each name that a file takes from our packages."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] in OURS
        for alias in node.names
    ]


def is_there(module, name):
    found = importlib.import_module(module)
    inside = hasattr(found, "__path__") and importlib.util.find_spec(f"{module}.{name}")
    return hasattr(found, name) or bool(inside)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_are_where_they_are_looked_for(path):
    wanted = imported(path.read_text(encoding="utf-8"))
    assert [each for each in wanted if not is_there(*each)] == []
