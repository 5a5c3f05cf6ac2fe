"""Call a learner's function, and record the outcome.

A call is kept from raising into the notebook (every exception is recorded, except the
reader's own interrupt), from running forever, from changing the inputs of other calls,
from warning, and from printing where the verdict belongs.

This is not a sandbox. The function runs in the learner's own Python, with all its
rights: it can write files, use the network, fill memory, or change NumPy or this
package, and its effects remain. A loop inside compiled code is not stopped, nor one
whose bare `except:` swallows the exception that would stop it. To run answers from
strangers, isolate them in a browser page or a container.
"""

import contextlib
import io
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from named_mistakes.exercise import Case, Exercise
from named_mistakes.limit import (
    LINES,
    SECONDS,
    LineBudget,
    NeverEnds,
    is_library,
    limited,
    memory,
)
from named_mistakes.results import NotArraysError, as_arrays


@dataclass(frozen=True)
class Outcome:
    """What one call returned, raised and printed.

    Parameters
    ----------
    case : Case
    values : tuple of array, or None if no arrays came back
    code : str
        Why not: "crashed", "returned-none", "wrong-type", "wrong-dtype", "never-ended"
        or "unwritten".
    note : str
        More on that, for the message.
    error : type, optional
        The exception's type.
    line : int, optional
        Where in its file it stopped.
    changed : tuple of str
        The inputs that are no longer what they were.
    printed : str
        What it printed on the way.
    held : int
        The most bytes that it held at once, if the case sets a limit.
    """

    case: Case
    values: tuple[np.ndarray, ...] | None = None
    code: str = ""
    note: str = ""
    error: type | None = None
    line: int | None = None
    changed: tuple[str, ...] = ()
    printed: str = ""
    held: int = 0


def run_all(exercise: Exercise, answer: Callable, cases: list[Case]) -> list[Outcome]:
    """Call the answer on every case; a call that does not end is the last one.

    All calls are made before any right answer is computed, so an answer cannot find
    one on the stack.
    """
    outcomes = []
    for case in cases:
        outcomes.append(run(answer, case, exercise.returns, exercise.patience))
        if outcomes[-1].code in ("never-ended", "unwritten"):
            break
    return outcomes


def run(
    answer: Callable,
    case: Case,
    returns: tuple[str, ...],
    patience: int = 1,
    budget: LineBudget | None = None,
) -> Outcome:
    """Call the answer once, with its warnings muted; what it prints is kept."""
    printed = io.StringIO()
    limits: dict[str, Any] = {"budget": budget or LineBudget(patience * LINES)}
    limits["seconds"] = SECONDS if patience == 1 else 6 * SECONDS
    outcome = _run(answer, case, returns, limits, printed)
    return replace(outcome, printed=printed.getvalue())


def _run(
    answer: Callable,
    case: Case,
    returns: tuple[str, ...],
    limits: dict[str, Any],
    printed: io.StringIO,
) -> Outcome:
    inputs = case.copies()
    try:
        measured = memory() if case.room else contextlib.nullcontext(lambda: 0)
        with _muted(printed), measured as held:
            result = limited(answer, *inputs, **limits)
            values = limited(as_arrays, result, returns, **limits)
    except KeyboardInterrupt:
        raise
    except NeverEnds:
        return Outcome(case, code="never-ended")
    except NotArraysError as unfit:
        return Outcome(case, code=unfit.args[0], note=unfit.args[1])
    except NotImplementedError:
        return Outcome(case, code="unwritten")
    except BaseException as error:
        note, line = _where(error)
        return Outcome(case, code="crashed", note=note, error=type(error), line=line)
    return Outcome(case, values, changed=_changed(case, inputs), held=held())


@contextlib.contextmanager
def _muted(printed: io.StringIO) -> Any:
    out = contextlib.redirect_stdout(printed)
    with out, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _changed(case: Case, inputs: list[Any]) -> tuple[str, ...]:
    pairs = zip(case.inputs.items(), inputs, strict=True)
    return tuple(name for (name, x), y in pairs if not np.array_equal(x, y))


def _where(error: BaseException) -> tuple[str, int | None]:
    """Describe the exception; return that and the last line of the learner's code."""
    said = str(error).strip().split("\n")[0]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_library(frame.filename)]
    if not own:
        return what, None
    line = f", `{own[-1].line}`" if own[-1].line else ""
    return f"{what} (line {own[-1].lineno}{line})", own[-1].lineno
