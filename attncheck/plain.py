"""Lines as bullets, and plain values for JSON."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Any

import numpy as np

WIDTH = 88


def bullets(lines: Iterable[str], bullet: str = "- ") -> list[str]:
    """Wrap each line behind a bullet."""
    space = " " * len(bullet)
    return [
        part
        for line in lines
        for part in wrap(line, WIDTH, initial_indent=bullet, subsequent_indent=space)
    ]


def as_plain(x: Any) -> Any:
    """Return numbers, lists and dicts of Python, with what is not finite as text."""
    if isinstance(x, dict):
        return {str(name): as_plain(y) for name, y in x.items()}
    if isinstance(x, list | tuple):
        return [as_plain(y) for y in x]
    if isinstance(x, np.ndarray):
        return as_plain(x.tolist())
    if isinstance(x, np.generic):
        return as_plain(x.item())
    if isinstance(x, float) and not np.isfinite(x):
        return str(x)
    return x
