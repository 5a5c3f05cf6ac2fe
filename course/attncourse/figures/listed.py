"""The list of declared figures: those that say of themselves all that a page needs.

A folder has one, as its `live.panel`; a module of `cards` has several, by name.
"""

import functools
import importlib
import re
from pathlib import Path

DECLARED = re.compile(r"kit\.(declared|tabled) import")
TABLED = re.compile(r"^@tabled\(.*?^def (\w+)", re.MULTILINE | re.DOTALL)
FOLDER = Path(__file__).parent


@functools.cache
def _modules():
    """Return the module of each declared figure, and what it is called there."""
    found = {}
    for path in FOLDER.glob("*/live.py"):
        if DECLARED.search(path.read_text(encoding="utf-8")):
            found[path.parent.name] = f"{path.parent.name}.live", "panel"
    for path in FOLDER.glob("cards/*.py"):
        for name in TABLED.findall(path.read_text(encoding="utf-8")):
            found[name] = f"cards.{path.stem}", name
    return found


def names():
    """List the declared figures."""
    return sorted(_modules())


def figure(name):
    """Return a declared figure by its name."""
    module, attribute = _modules()[name]
    return getattr(importlib.import_module(f"attncourse.figures.{module}"), attribute)
