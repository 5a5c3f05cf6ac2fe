"""Limits of a call: lines, time and memory, with the interpreter's own means.

Neither signals nor threads nor processes exist everywhere that Python runs in a
notebook. A trace function is called at every line of the learner's code, everywhere;
memory is counted by Python, if it is asked to. What other array libraries allocate for
themselves is not seen.
"""

import contextlib
import dis
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

LINES = 300_000  # triple loops over our cases take a tenth of this
SECONDS = 5.0  # for code whose every line is slow
# Python 3.11 traces no line when an instruction jumps to itself, as in
# `while True: pass`. In code with such a jump, instructions count as 1/8 line each.
COUNT_STEPS, STEP = sys.version_info < (3, 12), 1 / 8
LIBRARIES = {os.path.dirname(os.__file__), os.path.dirname(__file__), "<frozen "}
INSTALLED = ("site-packages", "dist-packages")


class NeverEnds(BaseException):
    """More lines or more time than any right answer needs.

    Not an Exception, so that `except Exception` in an answer does not catch it. A bare
    `except:` inside the endless loop does, and Python stops tracing then: such a loop
    goes on until the kernel is interrupted.
    """


class LineBudget:
    """The number of lines that one call or several may still run."""

    def __init__(self, lines: float) -> None:
        self.left = float(lines)


def limited(
    function: Callable, *inputs: Any, budget: LineBudget, seconds: float = SECONDS
) -> Any:
    """Call a function; raise NeverEnds inside it once it has gone on for too long.

    A debugger's or a coverage tool's own tracing pauses meanwhile. It is set again in
    the frame in which it was put aside, so that it misses no return of a call it saw.
    """
    before = sys.gettrace()
    sys.settrace(_counter(budget, time.perf_counter() + seconds))
    try:
        return function(*inputs)
    finally:
        sys.settrace(before)


def _counter(budget: LineBudget, deadline: float) -> Any:
    """Make a trace function that counts the lines of all but installed code."""
    ours: dict[str, bool] = {}

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        path = frame.f_code.co_filename
        if path not in ours:
            ours[path] = not is_library(path)
        if not ours[path]:
            _check_time(deadline)
            return None
        frame.f_trace_opcodes = COUNT_STEPS and _repeats_a_step(frame.f_code)
        return counted(frame, event, argument)

    def counted(_frame: FrameType, event: str, _argument: Any) -> Any:
        budget.left -= STEP if event == "opcode" else 1
        if budget.left < 0:
            raise NeverEnds
        _check_time(deadline)
        return counted

    return called


def _check_time(deadline: float) -> None:
    if time.perf_counter() > deadline:
        raise NeverEnds


@lru_cache(maxsize=100)
def _repeats_a_step(code: CodeType) -> bool:
    """Tell whether an instruction jumps to itself."""
    return any(step.argval == step.offset for step in dis.get_instructions(code))


def count_as_library(folder: str) -> None:
    """Treat a folder's code as a library's: its lines are free, and never blamed.

    Packages installed in the usual places count already. A package used from its
    checkout does not, until it calls this.
    """
    LIBRARIES.add(folder)


def is_library(path: str) -> bool:
    """Tell whether a file is a library's or Python's own, not the learner's."""
    return path.startswith(tuple(LIBRARIES)) or any(part in path for part in INSTALLED)


@contextlib.contextmanager
def memory() -> Iterator[Callable[[], int]]:
    """Count the bytes that are held while a block runs.

    Yields
    ------
    held : function
        Called after the block, it gives the most bytes that were held at once,
        beyond those held before it.
    """
    is_ours = not tracemalloc.is_tracing()
    if is_ours:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before, most = tracemalloc.get_traced_memory()[0], 0
    try:
        yield lambda: most
    finally:
        most = max(tracemalloc.get_traced_memory()[1] - before, 0)
        if is_ours:
            tracemalloc.stop()
