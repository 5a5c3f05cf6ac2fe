"""Which figures are declared: those that say of themselves all that a page needs."""

import importlib
from pathlib import Path

MARK = "kit.declared import"


def names():
    """List the declared figures' folders."""
    paths = Path(__file__).parent.glob("*/live.py")
    found = (p.parent.name for p in paths if MARK in p.read_text(encoding="utf-8"))
    return sorted(found)


def figure(name):
    """Return a declared figure by its name."""
    return importlib.import_module(f"attncourse.figures.{name}.live").panel
