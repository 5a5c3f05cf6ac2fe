"""Budgets of rooms: lines, floors of imports, and walks through them.

A room has a row once it meets its aim; a number that grows past it fails here.
"""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attnlib

ROOT = Path(__file__).parents[2]
BUDGETS = {  # room: lines and files of Python, floors of imports
    "attnlib": {"lines": 4663, "files": 29, "floors": 8},
    "attnconfig": {"lines": 3872, "files": 29, "floors": 11},
    "attncheck": {"lines": 6442, "files": 35, "floors": 9},
    "attncourse.practice": {"lines": 7503, "files": 53, "floors": 5},
    "named_mistakes": {"lines": 4972, "files": 43, "floors": 10},
}
TESTS = {  # lines of Python in folders of tests
    "attncheck": 2_577,
    "attnconfig": 887,
    "attnlib": 5_111,
    "attncourse": 12_958,
    "book": 1_213,
    "named_mistakes": 1_708,
    "rooms": 2_268,
    "site": 8_654,
    "sphinx_nokernel": 5_169,
}
RETURNS = 3  # of a query to a module, on its way through attention


def modules(room):
    """Return the modules of a room, by name, with their text."""
    texts, within = {}, ROOT / "course" if room.startswith("attncourse") else ROOT
    folder = within.joinpath(*room.split("."))
    for path in folder.rglob("*.py"):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        texts[name.removesuffix(".__init__")] = path.read_text()
    return texts


def imports(room, text, known):
    """Find the modules of the room that one imports, for types as well."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == room:
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module.startswith(f"{room}."):
            yield node.module.removeprefix(f"{room}.")


def floors(room):
    """Count floors: a module stands one above the highest that it imports."""
    texts = modules(room)
    below = {name: {*imports(room, text, texts)} for name, text in texts.items()}

    def floor(name):
        return 1 + max(map(floor, below[name] - {name}), default=0)

    return max(map(floor, texts))


def measured(room):
    """Measure what the budget of a room is about."""
    texts = modules(room)
    lines = sum(len(text.splitlines()) for text in texts.values())
    return {"lines": lines, "files": len(texts), "floors": floors(room)}


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_keeps_to_its_budget(room):
    found = measured(room)
    over = {
        k: f"{found[k]}, at most {n}" for k, n in BUDGETS[room].items() if found[k] > n
    }
    assert not over


@pytest.mark.parametrize("folder", TESTS)
def test_tests_do_not_grow_unseen(folder):
    paths = (ROOT / "tests" / folder).rglob("*.py")
    assert sum(len(p.read_text("utf-8").splitlines()) for p in paths) <= TESTS[folder]


def stays(function, query, *others, **how):
    """Follow the query through a call: the modules that it comes to, in turn.

    A call counts if it takes the query, or what was made of it, and gives an array
    back: what only looks at it, at its shape say, does not.
    """
    entered, made, open_calls = [], [query], {}

    def arrays(x):
        inner = x.values() if isinstance(x, dict) else x
        if isinstance(x, dict | tuple | list):
            return [a for one in inner for a in arrays(one)]
        return [x] if isinstance(x, np.ndarray) else []

    def watch(frame, event, result):
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("attnlib."):
            return
        if event == "call":
            given = arrays(list(frame.f_locals.values()))
            if any(a is b for a in given for b in made):
                entered.append(module)
                open_calls[frame] = len(entered) - 1
        elif event == "return" and frame in open_calls:
            made.extend(arrays(result))
            if not arrays(result):
                entered[open_calls[frame]] = None

    sys.setprofile(watch)
    try:
        function(query, *others, **how)
    finally:
        sys.setprofile(None)
    found = [m for m in entered if m and m != "attnlib._checks"]  # a decorator's
    return [m for m, before in zip(found, [None, *found], strict=False) if m != before]


def test_a_query_seldom_comes_back_to_a_module():
    arrays = np.random.default_rng(0).normal(size=(3, 2, 5, 4))
    how = {"is_causal": True, "softcap": 2.0}
    found = stays(attnlib.scaled_dot_product_attention, *arrays, **how)
    assert len(found) - len({*found}) <= RETURNS, found
    assert "attnlib._fast" not in found  # ordinary code does not pass through it
    assert {"attnlib.scores", "attnlib.masks", "attnlib.probabilities"} <= {*found}


def test_no_file_of_this_repository_is_large_by_accident():
    """What is stored for good: a package that was fetched into the root once was."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    sizes = {name: (ROOT / name).lstat().st_size for name in listed.stdout.split("\0")}
    sizes.pop("course/attncourse/real_model/minilm_extract.npz", None)
    assert {name for name, size in sizes.items() if size > 200_000} == set()
