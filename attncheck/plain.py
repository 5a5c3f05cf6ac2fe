"""Numbers and lists as short words, and as plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import TextWrapper
from typing import Any

import numpy as np

WIDTH = 88


def bullets(lines: Iterable[str]) -> list[str]:
    """Wrap each line into a bullet."""
    wrap = TextWrapper(WIDTH, initial_indent="  • ", subsequent_indent="    ").wrap
    return [part for line in lines for part in wrap(line) or [""]]


def short(x: Any) -> str:
    """Print a number with four digits, a list with its first few numbers."""
    if isinstance(x, float | np.floating):
        return f"{float(x):.4g}"
    if isinstance(x, np.ndarray | list | tuple):
        shown = [short(y) for y in list(x)[:8]]
        return " ".join(shown) + (" …" if len(x) > 8 else "")
    return str(x)


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
