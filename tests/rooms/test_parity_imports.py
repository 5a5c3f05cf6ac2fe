"""Imports of `make parity` exist: moved names would break it unseen."""

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def test_a_name_that_moved_is_seen():
    moved = "from attncourse import card_game, toys"
    assert [is_there(*each) for each in imported(moved)] == [False, True]
