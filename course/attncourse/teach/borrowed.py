"""A check for answers that have a function of the library do their work.

While an answer runs, Python reports each call, whatever name it went by. An answer is
the library's if it calls the very function that the exercise asks for, or if, for
every case, one function of the library was given all that the answer was given, and
gave back what the answer gave back. Other helpers of the library do not count.
"""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import unwrap
from types import FrameType
from typing import Any

import numpy as np

import attncourse
import attnlib
from named_mistakes.exercise import Exercise

LIBRARY = tuple(
    os.path.dirname(str(package.__file__)) + os.sep for package in (attnlib, attncourse)
)
WRAPPER = "_checks.py"  # a function of attnlib may begin in this file


class Watched:
    """An answer to an exercise that notes, while it runs, who does its work."""

    def __init__(self, function: Callable, exercise: Exercise) -> None:
        asked = exercise.reference
        asked = asked.func if isinstance(asked, partial) else asked
        self._function, self._asked = function, unwrap(asked).__code__
        self._open: FrameType | None = None
        self._took: list[Any] = []  # by the last call of the library
        self._gave: Any = None
        self._name = ""
        self._by: list[str] = []
        self._whole: list[str] = []  # for each case, who gave what came back

    @property
    def by(self) -> str:
        """The function of the library that did the work; "" if the answer did."""
        return self._by[0] if self._by else min(self._whole, default="")

    def __call__(self, *inputs: Any) -> Any:
        """Call the answer, and look at what it calls."""
        self._open, self._took, self._gave, self._name = None, [], None, ""
        sys.setprofile(self._seen)
        try:
            result = self._function(*inputs)
        finally:
            sys.setprofile(None)
        took = [*_parts(self._took)]
        is_all = all(any(_same(x, y) for y in took) for x in inputs)
        is_whole = is_all and _same(self._gave, result)
        self._whole.append(self._name if is_whole else "")
        return result

    def _seen(self, frame: FrameType, event: str, given: Any) -> None:
        """Note the calls of the library that the answer makes, not those within."""
        if event == "call" and self._open is None and _is_library(frame):
            self._open, self._took = frame, list(frame.f_locals.values())
            self._name = _name(frame)
            self._by += [self._name] if frame.f_code is self._asked else []
        elif event == "return" and frame is self._open:
            self._open, self._gave = None, given


def _is_library(frame: FrameType) -> bool:
    path = frame.f_code.co_filename
    return path.startswith(LIBRARY) and os.path.basename(path) != WRAPPER


def _name(frame: FrameType) -> str:
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return f"{package}'s {frame.f_code.co_qualname.removesuffix('.__call__')}"


def _parts(values: list[Any]) -> Iterator[Any]:
    """Yield values, and what is in those that hold several: an object, a tuple."""
    for value in values:
        yield value
        if isinstance(value, tuple | list):
            yield from value
        elif isinstance(value, dict):
            yield from value.values()
        else:
            yield from getattr(value, "__dict__", {}).values()


def _same(x: Any, y: Any) -> bool:
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(_same, x, y))
    try:
        return x is y or np.array_equal(x, y)
    except Exception:  # what a stranger's object raises when it is compared
        return False
