"""Detect what can go wrong in any call: errors, shapes, dtypes, NaN, changed inputs."""

from collections.abc import Iterator

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import difference
from named_mistakes.report import Finding
from named_mistakes.static import ambiguous, whole_numbers
from named_mistakes.trial import Trial


def no_result(trial: Trial) -> Iterator[Finding]:
    """Report each call that gave no array, the smallest case first."""
    for one in sorted(trial.judged, key=lambda j: j.case.order):
        message = _nothing(trial, one)
        if message:
            yield Finding(
                one.outcome.code, f"For {one.case.described()} your function {message}"
            )


def _nothing(trial: Trial, one: Judged) -> str:
    note = one.outcome.note
    called = f"{trial.exercise.name}({', '.join(one.case.inputs)})"
    more = ambiguous(trial.answer, one.outcome.line) if "truth value" in note else ""
    more = more or _absent(one)
    messages = {
        "crashed": f"stopped with {note}. It is called as {called}.{more}",
        "returned-none": f"returned {note}: is each of them computed?"
        if note
        else "returned None. Does every path through it end in a return?",
        "wrong-type": f"returned {note}.",
        "wrong-dtype": f"returned {note}, where numbers were expected.",
        "never-ended": "did not end. Look for a loop whose condition never changes.",
    }
    return messages.get(one.outcome.code, "")


def _absent(one: Judged) -> str:
    """Name what the call was not given: an input that is None, a key that is not there.

    A dict that is given may leave out a key, or have None in its place.
    """
    then = "look at what should happen then."
    if one.outcome.error is KeyError:
        return f" That key is not in this one: {then}"
    if "NoneType" not in one.outcome.note:
        return ""
    given = {**one.case.inputs}
    for name, x in one.case.inputs.items():
        if isinstance(x, dict):
            given |= {f"{name}[{key!r}]": value for key, value in x.items()}
    nothing = [name for name, x in given.items() if x is None]
    verb = "are" if nothing[1:] else "is"
    return f" Here {' and '.join(nothing)} {verb} None: {then}" if nothing else ""


def shapes(trial: Trial) -> Iterator[Finding]:
    """Name the wrong shape, and what it resembles."""
    for one in trial.judged:
        if one.got is None or one.fits:
            continue
        pairs = enumerate(zip(one.got, one.wanted, strict=True))
        i, (x, w) = next((i, (x, w)) for i, (x, w) in pairs if x.shape != w.shape)
        seen = difference(trial.exercise, one, (i, None))
        yield Finding("wrong-shape", f"{seen}.{_resemblance(one, x, w)}")
        return


def _resemblance(one: Judged, x: np.ndarray, w: np.ndarray) -> str:
    flat, expected = np.squeeze(x), np.squeeze(w)
    same = flat.shape == expected.shape and np.all(one.close(flat, expected))
    if same:
        what = "missing" if x.ndim < w.ndim else "left over"
        return f" The numbers are right; an axis of length 1 is {what}."
    if min(x.ndim, w.ndim) > 1 and x.shape == np.swapaxes(w, -1, -2).shape:
        return " Rows and columns have changed places."
    return ""


EXPECTED = {
    "b": ("b", "True and False were"),
    "f": ("f", "floating-point numbers were"),
    "i": ("iu", "whole numbers were"),
}


def dtypes(trial: Trial) -> Iterator[Finding]:
    """Report an array whose dtype is of the wrong kind."""
    for one in trial.judged:
        for x, w in zip(one.outcome.values or (), one.wanted, strict=False):
            kind = "b" if trial.exercise.truth else w.dtype.kind.replace("u", "i")
            kinds, words = EXPECTED[kind]
            if x.dtype.kind not in kinds:
                yield Finding(
                    "wrong-dtype",
                    f"For {one.case.described()} your function returned an array of "
                    f"{x.dtype}, where {words} expected."
                    f"{_why(kind, x.dtype.kind, trial)}",
                )
                return


def _why(kind: str, got: str, trial: Trial) -> str:
    if kind == "b":
        truth = trial.exercise.truth
        return f" {truth.not_numbers}" if truth and truth.not_numbers else ""
    if got == "b":
        return " Look for a comparison whose True and False are left as they are."
    if got == "c":
        return " Look for 1j, and for what makes numbers complex."
    if kind == "i":
        return (
            " A float is neither an index nor a count: look for a division with /, "
            "or for an array that was made without a dtype."
        )
    look = " Look for a conversion that cuts off the decimals."
    return whole_numbers(trial.answer) or look


def not_finite(trial: Trial) -> Iterator[Finding]:
    """Count the NaN and infinite numbers in a result."""
    for one in trial.judged:
        if one.case.is_large and (trial.parts & {"", "large"}):
            continue
        for name, x in zip(trial.exercise.returns, one.got or (), strict=False):
            seen = one.counted(x) if "rows" in trial.parts else True
            bad = int(np.sum(~np.isfinite(x) & seen))
            if bad and x.dtype.kind == "f":
                yield _gaps(one, name, bad, x.size)
                return


def _gaps(one: Judged, name: str, bad: int, size: int) -> Finding:
    many = f"{bad} of the {size} numbers of your {name} are"
    return Finding(
        "nan",
        f"For {one.case.described()}, all finite, "
        f"{many if size > 1 else f'your {name} is'} NaN or infinite. Look for a "
        "division by 0, 0 · ∞, ∞ − ∞, or a root or logarithm of a negative number.",
    )


def changed(trial: Trial) -> Iterator[Finding]:
    """Name the inputs that are no longer what they were."""
    for one in trial.judged:
        if one.outcome.changed:
            names = " and ".join(one.outcome.changed)
            yield Finding(
                "inputs-changed",
                f"For {one.case.described()} your function changed its input {names}, "
                "which belongs to whoever called it. Look for +=, -=, *=, /= or an "
                "assignment to a part of it.",
            )
            return
