"""Findings that any function can earn: crashes, shapes, dtypes, NaN and the like."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from attncourse.practice.engine.axes import suspect
from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.constants import constant_number
from attncourse.practice.engine.describe import difference, example, largest_difference
from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.engine.near_miss import one_change
from attncourse.practice.engine.patterns import one_step_more, pattern, sizes
from attncourse.practice.engine.report import Finding
from attncourse.practice.engine.runner import run
from attncourse.practice.engine.unused import ambiguous, unused, whole_numbers

ABOUT_NUMBERS = (
    *("nan", "overflow", "underflow", "zero-vector"),
    *("nan-for-masked-row", "output-for-masked-row", "all-scores-held"),
)
# Mistakes that explain NaN by themselves: a finding of its own would only repeat them.
EXPLAIN_NAN = {
    *("zero-vector", "epsilon-missing", "keepdims-forgotten", "wrong-axis"),
    *("zero-times-infinity", "first-keys-hidden", "offset-off-by-one", "hides-itself"),
    "last-keys-lost",
}


def findings(
    exercise: Exercise, judged: list[Judged], named: list[str], answer: object = None
) -> Iterator[Finding]:
    """Say what can be said without knowing the mistake."""
    if not all(one.right for one in judged):
        yield from unused(answer)
    yield from _nothing_came(exercise, judged, answer)
    if "weights-returned" not in named:  # that says the shape already
        yield from _shapes(exercise, judged)
    yield from _dtypes(exercise, judged, answer)
    yield from _not_finite(exercise, judged, named)
    yield from _changed(judged)
    if not set(named) - set(ABOUT_NUMBERS):
        yield from _numbers(exercise, judged, named, answer)


def _nothing_came(
    exercise: Exercise, judged: list[Judged], answer: object
) -> Iterator[Finding]:
    """Group the calls that gave no array by what happened, the smallest case first."""
    asked = f"{exercise.name}({', '.join(judged[0].case.inputs)})"
    for one in sorted(judged, key=lambda j: j.case.order):
        code, note, case = one.outcome.code, one.outcome.note, one.case.described()
        messages = {
            "crashed": f"For {case} your function stopped with {note}. It is called "
            f"as {asked}."
            + (ambiguous(answer, one.outcome.line) if "truth value" in note else ""),
            "returned-none": f"For {case} your function returned None. Does every path "
            "through it end in a return?",
            "wrong-type": f"For {case} your function returned {note}.",
            "wrong-dtype": f"For {case} your function returned {note}, where numbers "
            "were expected.",
            "never-ended": f"For {case} your function did not end. Look for a loop "
            "whose condition never changes.",
        }
        if code in messages:
            yield Finding(code, messages[code])


def _shapes(exercise: Exercise, judged: list[Judged]) -> Iterator[Finding]:
    for one in judged:
        if one.got is None or one.fits:
            continue
        pairs = enumerate(zip(one.got, one.wanted, strict=True))
        i, (x, w) = next((i, (x, w)) for i, (x, w) in pairs if x.shape != w.shape)
        yield Finding(
            "wrong-shape",
            f"{difference(exercise, one, (i, None))}.{_resemblance(one, x, w)}",
        )
        return


def _resemblance(one: Judged, x: np.ndarray, w: np.ndarray) -> str:
    flat, due = np.squeeze(x), np.squeeze(w)
    if x.ndim < w.ndim and flat.shape == due.shape and np.all(one.close(flat, due)):
        return " The numbers are right; an axis of length 1 is missing."
    if flat.shape == due.shape and np.all(one.close(flat, due)):
        return " The numbers are right; an axis of length 1 is left over."
    if min(x.ndim, w.ndim) > 1 and x.shape == np.swapaxes(w, -1, -2).shape:
        return " Rows and columns have changed places."
    return ""


def _dtypes(
    exercise: Exercise, judged: list[Judged], answer: object
) -> Iterator[Finding]:
    kind = "b" if exercise.is_boolean else "f"
    for one in judged:
        for x, wanted in zip(one.outcome.values or (), one.wanted, strict=False):
            if x.dtype.kind != kind and not {x.dtype.kind, wanted.dtype.kind} <= {"i"}:
                due = "True and False" if kind == "b" else "floating-point numbers"
                yield Finding(
                    "wrong-dtype",
                    f"For {one.case.described()} your function returned an array of "
                    f"{x.dtype}, where {due} were expected."
                    f"{_why(kind, x.dtype.kind, answer)}",
                )
                return


def _why(kind: str, got: str, answer: object) -> str:
    if kind == "b":
        return " A mask of numbers means something else: it is added to the scores."
    if got == "b":
        return " Look for a comparison whose True and False are left as they are."
    if got == "c":
        return " Look for 1j, and for what makes numbers complex."
    look = " Look for a conversion that cuts off the decimals."
    return whole_numbers(answer) or look


def _not_finite(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    if EXPLAIN_NAN & set(named):
        return
    for one in judged:
        is_named = {"overflow", "underflow"} | {m.code for m in exercise.mistakes}
        if one.case.is_large and is_named & set(named):
            continue
        for name, x in zip(exercise.returns, one.got or (), strict=False):
            counted = one.counted(x) if "nan-for-masked-row" in named else True
            bad = int(np.sum(~np.isfinite(x) & counted))
            if bad and x.dtype.kind == "f":
                yield Finding(
                    "nan",
                    f"For {one.case.described()}, all finite, {bad} of the {x.size} "
                    f"numbers of your {name} are NaN or infinite. Look for a division "
                    "by 0, 0 · ∞, ∞ − ∞, or a root or logarithm of a negative number.",
                )
                return


def _changed(judged: list[Judged]) -> Iterator[Finding]:
    for one in judged:
        if one.outcome.changed:
            names = " and ".join(one.outcome.changed)
            yield Finding(
                "inputs-changed",
                f"For {one.case.described()} your function changed its input {names}, "
                "which belongs to whoever called it. Look for +=, -=, *=, /= or an "
                "assignment to a part of it.",
            )
            return


def _numbers(
    exercise: Exercise, judged: list[Judged], named: list[str], answer: object
) -> Iterator[Finding]:
    """Show the smallest failing case, where nothing explains it."""
    failing = [j for j in judged if not j.right]
    told = one_change(exercise, judged, answer) if _may_be_near(failing, named) else ""
    if told:
        yield _near_miss(exercise, failing, told)
        return
    wrong = [j for j in failing if j.fits and not _explained(j, named)]
    more = one_step_more(exercise, judged) if wrong else None
    if more:
        yield _as_seen(exercise, *more)
        return
    if failing and _only_batches_fail(judged):
        yield _no_batch(failing[0], answer, _plain(judged))
        return
    apart = _told_by_axes(judged)
    if apart:
        look = suspect(answer, _plain(judged), line=apart[0].outcome.line)
        yield _number_of_axes(*apart, look)
        return
    if wrong and _changes(exercise, wrong, answer):
        yield Finding("differs-each-time", DIFFERS)
        return
    agree = _sizes_agree(judged) or constant_number(judged)
    if agree:
        yield agree
        return
    seen = pattern(exercise, judged) if wrong else None
    if seen:
        yield _as_seen(exercise, *seen)
    elif wrong:
        one = min(wrong, key=lambda j: j.case.order)
        yield Finding(
            "wrong-numbers",
            f"{difference(exercise, one, largest_difference(one))}. No mistake known "
            "here gives these numbers: compare the two step by step.",
            example(exercise, one),
        )


def _as_seen(exercise: Exercise, one: Judged, code: str, said: str) -> Finding:
    return Finding(code, f"For {one.case.described()}, {said}", example(exercise, one))


def _may_be_near(failing: list[Judged], named: list[str]) -> bool:
    """Tell whether there is something that nothing explains so far."""
    return any(one.got is None or not _explained(one, named) for one in failing)


def _near_miss(exercise: Exercise, failing: list[Judged], told: str) -> Finding:
    one = min(failing, key=lambda j: (j.got is None, j.case.order))
    seen = (
        f"For {one.case.described()} no array came back"
        if one.got is None
        else difference(exercise, one, largest_difference(one))
    )
    return Finding(
        "one-piece-wrong",
        f"{seen}. One small change makes your function right everywhere. {told}"
        + ("" if told.endswith("?") else "."),
    )


DIFFERS = (
    "Called twice with the same inputs, your function gave different numbers. Look for "
    "random numbers, for np.empty that is not filled, or for something that is kept "
    "from one call to the next."
)


def _changes(exercise: Exercise, wrong: list[Judged], answer: object) -> bool:
    """Call the answer again, and compare."""
    one = min(wrong, key=lambda j: j.case.order)
    if not callable(answer) or one.case.room is not None:
        return False
    again = run(answer, one.case, exercise.returns, exercise.patience).values
    if again is None or len(again) != len(one.outcome.values):
        return again is None
    pairs = zip(again, one.outcome.values, strict=True)
    return not all(np.array_equal(x, y, equal_nan=True) for x, y in pairs)


def _sizes_agree(judged: list[Judged]) -> Finding | None:
    """Find two lengths that are equal wherever the answer is right, and only there."""
    ordinary = [j for j in judged if not j.case.is_large]
    right = [j for j in ordinary if j.right]
    wrong = [j for j in ordinary if not j.right]
    if not right or not wrong or any(j.fits for j in wrong):
        return None
    by_case = [(sizes(j.case), j.right) for j in ordinary]
    names = [name for name in by_case[0][0] if all(name in s for s, _ in by_case)]
    pairs = sorted(combinations(names, 2), key=_on_different_axes)
    for a, b in pairs:
        if all((s[a] == s[b]) == is_right for s, is_right in by_case):
            return Finding(
                "sizes-mixed-up",
                f"Your function is right for {right[0].case.described()} and not for "
                f"{wrong[0].case.described()}. It is right where {a} and {b} agree: "
                "look at which of the two you take for the other.",
            )
    return None


def _on_different_axes(pair: tuple[str, str]) -> bool:
    a, b = (name.split(" of ")[1:2] for name in pair)
    return a != b


def _plain(judged: list[Judged]) -> set[int]:
    """List the arguments, by number, that have as many axes in every case."""
    counts = zip(*map(_axes, judged), strict=True)
    return {i for i, several in enumerate(counts) if len(set(several)) == 1}


def _told_by_axes(judged: list[Judged]) -> tuple[Judged, Judged] | None:
    """Find a wrong and a right case, if only the numbers of axes tell them apart."""
    ordinary = [j for j in judged if not j.case.is_large]
    right = [j for j in ordinary if j.right]
    wrong = [j for j in ordinary if not j.right]
    if not right or not wrong or {_axes(j) for j in right} & {_axes(j) for j in wrong}:
        return None
    if len({_axes(j) for j in ordinary}) == len(ordinary) > 2:
        return None  # every case has its own: that tells nothing
    if {_has_none(j) for j in right}.isdisjoint({_has_none(j) for j in wrong}):
        return None  # what is left out tells them apart
    alike = [j for j in right if _has_none(j) == _has_none(wrong[0])]
    return wrong[0], (alike or right)[0]


def _has_none(one: Judged) -> bool:
    return any(x is None for x in one.case.inputs.values())


def _axes(one: Judged) -> tuple[int, ...]:
    return tuple(np.ndim(x) for x in one.case.inputs.values())


def _number_of_axes(wrong: Judged, right: Judged, look: str) -> Finding:
    return Finding(
        "number-of-axes",
        f"For {wrong.case.described()} the answer is wrong, though it is right for "
        f"{right.case.described()}. What your function does depends on how many axes "
        "come first: there may be none, one or several. "
        + (look or "Count axes from the end, and let `...` stand for the others."),
    )


def _only_batches_fail(judged: list[Judged]) -> bool:
    batches = [j for j in judged if j.case.is_batch]
    others = [j for j in judged if not j.case.is_batch]
    return all(j.right for j in others) and not any(j.right for j in batches)


def _explained(one: Judged, named: list[str]) -> bool:
    """Tell whether only numbers are wrong that have a finding of their own."""
    if one.case.is_large and {"overflow", "underflow"} & set(named):
        return True
    if all(_is_cut_off(x, w) for x, w in zip(one.got, one.wanted, strict=True)):
        return True
    return one.is_explained_by(one.wanted)[0]


def _is_cut_off(x: np.ndarray, w: np.ndarray) -> bool:
    """Recognize right numbers whose decimals are lost."""
    return x.dtype.kind in "iu" and bool(np.all(np.abs(x - w) < 1))


def _no_batch(one: Judged, answer: object, plain: set[int]) -> Finding:
    is_flat = one.got is not None and _is_flat(one.got[0], one.wanted[0])
    seen = (
        f" All its leading axes have become one, of length {one.got[0].shape[0]}."
        if is_flat
        else ""
    )
    look = suspect(answer, plain, is_flat=is_flat, line=one.outcome.line)
    look = look or (STOPPED if one.got is None else COUNTED)
    return Finding(
        "no-batch",
        f"For {one.case.described()} the answer is wrong, though it is right without "
        f"the leading axis.{seen} {look}",
    )


COUNTED = (
    "Count axes from the end: -1 and -2 mean the same with any number of axes before "
    "them."
)
STOPPED = (
    "Look at the line where it stopped, and print the shapes of what meets there: axes "
    "are lined up from the last to the first, so an axis of a batch may meet another."
)


def _is_flat(x: np.ndarray, w: np.ndarray) -> bool:
    return x.ndim < w.ndim and x.size == w.size and x.shape[-1:] == w.shape[-1:]
