"""Compare it with a model made of the facts, on new numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.model import NORMALIZED, SCALES, attend, scale_of
from attncheck.questions.scale_by_length import scale_by_length
from attncheck.questions.sharing import NUMBERS, words_for
from attncheck.reading.where import describe
from attncheck.subject import Refused

LEAST_BITS = 13  # of float32's 24: the least that float32 throughout would give
NEAR = 0.03  # of weights · |values|: far from what any wrong fact would do
OFF_BY = "largest error over weights · |values|"
SURELY_NEAR = 1e-3  # numbers that are as near as this follow from the facts


def ask_all_at_once(case: Case) -> None:
    """Compare outputs for two sentences, several heads and unequal lengths."""
    if case.report.unexplained or case.report.facts["scale"] is None:
        return
    if case.unmeasured_places:
        return
    square = case.model.sees == "queries" or case.model.rotary is not None
    sizes = [(case.n, case.n), *([] if square else [(case.n, 2 * case.n)])]
    worst = 0.0
    for n, m in sizes:
        try:
            b = 3 if n == m else 1  # (JAX compiles every shape anew)
            off = deviation(case, b=b, heads=case.heads, n=n, m=m)
            worst = max(worst, float(off.max()))
        except Refused:
            continue
    bits = -math.log2(max(worst, 2.0**-52))
    case.report.details["bits"] = round(bits, 1)
    if worst > NEAR:
        case.report.unexplained = scale_by_length(case) or (
            "What single probes showed does not explain its numbers on new ones: off "
            f"by {worst:.2g} of weights · |values|."
        )
        case.report.facts["scale"] = case.report.facts["scale_name"] = None
        return
    case.report.sentences.append(_words(case, bits))
    _check_groups(case)
    if case.subject.format.name == "float32" and bits < LEAST_BITS:
        case.report.details["coarse"] = True
        words = f"its numbers are right to about {bits:.0f} bits only"
        case.report.but.append(words)
        case.report.notes.append(
            f"Its numbers are right to about {bits:.0f} bits only: somewhere it "
            "computes in a narrower format, or there is a small mistake that I do not "
            "know."
        )


def _check_groups(case: Case) -> None:
    """With fewer key heads than query heads, compare again."""
    shared = case.report.facts["grouping"] in ("repeat", "tile")
    if not shared and not case.report.details.get("one_key_head"):
        return
    kv_heads = 2 if shared else 1
    if case.model.biased_by_place or case.model.sink is not None:
        _check_shared_bias(case, kv_heads)
        return
    heads = case.sharing
    off = off_when_shared(case, heads, kv_heads)
    if off <= NEAR:
        if shared:
            _check_other_groups(case)
        return
    one_is_right = off_when_shared(case, heads, kv_heads, b=1) <= surely_near(case)
    if one_is_right and off_when_shared(case, heads, heads) > NEAR:  # nor are these
        case.report.add(
            "wrong-with-more-sentences",
            f"With two sentences of {case.many} queries and as many keys its outputs "
            "do not follow from the facts below, which explain those of one.",
        )
        return
    _tell_groups(case, kv_heads, off, "With two sentences, " * one_is_right)


def _tell_groups(case: Case, kv_heads: int, off: float, where: str) -> None:
    """Say that shared heads give something else, and take back how they share."""
    heads, told = case.sharing, case.report.sentences
    case.report.facts["grouping"] = "other"
    said = {words_for(how, heads) for how in ("one", "repeat", "tile")}
    told[:] = [line for line in told if line not in said]
    case.report.problems = [  # (a head that stands elsewhere took its mask along)
        one for one in case.report.problems if one.code != "mask-of-another-head"
    ]
    begins = f"{where}{NUMBERS[heads]} query heads on"
    begins = begins[:1].upper() + begins[1:]
    case.report.add(
        "grouping",
        f"{begins} two key heads give something else than each of the two, shared "
        f"by {heads // 2}, would."
        if kv_heads > 1
        else f"{begins} one key head give something else than it would, shared by "
        "all of them.",
        **{OFF_BY: off},
    )


def off_when_shared(
    case: Case, heads: int, kv_heads: int, n: int = 0, m: int = 0, b: int = 2
) -> float:
    """Return by how much outputs of shared heads are off; 0 where it refuses them."""
    before, name = case.model, case.report.facts["scale_name"]
    if name in SCALES:  # which may depend on the number of heads
        case.model = before.change(scale=name)
    shape = {"n": n or case.many, "m": m or case.many}
    try:
        b = b if len(case.subject.layout) == 4 else 1
        found = deviation(case, b=b, heads=heads, kv_heads=kv_heads, **shape)
    except Refused:
        return 0.0
    finally:
        case.model = before
    return float(found.max())


def _check_other_groups(case: Case) -> None:
    """Compare with one key head for all, and with four for eight query heads."""
    for heads, kv_heads in ((case.sharing, 1), (8, 4)):
        off = off_when_shared(case, heads, kv_heads)
        if off > NEAR:
            one = off_when_shared(case, heads, kv_heads, b=1)
            where = "With two sentences, and" if one <= surely_near(case) else "With"
            case.report.add(
                "grouping",
                f"{where} {kv_heads} key head{'s' * (kv_heads > 1)} for {heads} query "
                "heads, its outputs do not follow from the facts below, which explain "
                f"those of 2 for {case.sharing}.",
                **{OFF_BY: off},
            )
            return


def _check_shared_bias(case: Case, kv_heads: int) -> None:
    """Compare what heads add (or their sinks) with as many key heads, and fewer."""
    n, heads, probes = case.n, case.sharing, case.probes
    if probes.of_zero or case.level:
        return
    q, k = np.zeros((1, heads, n, case.d)), probes.draw(1, kv_heads, n, case.d)
    try:
        whole, shared = probes.even(n, n, heads), probes.weights(q, k)[0]
    except Refused:
        return
    if not np.allclose(whole, shared, rtol=0.02, atol=1e-4, equal_nan=True):
        case.report.add(
            "shared-bias",
            f"With {kv_heads} key heads for {heads} query heads, equal scores do not "
            "give the weights that they give with as many of both"
            f"{_why_shared(case, whole, shared)}.",
            **{"largest difference of weights": float(np.nanmax(abs(whole - shared)))},
        )


def _why_shared(case: Case, whole: np.ndarray, shared: np.ndarray) -> str:
    """Say what makes weights (heads, n, n) differ, if it can be seen."""
    if ((whole > 0) != (shared > 0)).any():
        return ": queries see other keys"
    what = "sinks" if case.model.sink is not None else "slopes"
    for one, other in zip(whole, shared, strict=True):  # head by head
        logs = np.log(np.where(one > 0, other, 1) / np.where(one > 0, one, 1))
        steps = np.abs(np.diff(logs)[(one[:, 1:] > 0) & (one[:, :-1] > 0)])
        wanted = 0.0 if what == "sinks" else np.median(steps)
        if not np.allclose(steps, wanted, atol=0.02):
            return ""
    return f", as when {what} are those of the key heads, or of others"


def describe_far(case: Case, off: np.ndarray) -> str:
    """Say how many numbers are far off, and in which rows and heads any are off."""
    far, any_off = (np.asarray(off > most(case)) for most in (near, surely_near))
    return describe(far, "far off", any_off)


def near(case: Case) -> float:
    """Return the deviation that is still the same: more for numbers of few bits."""
    coarse = case.subject.format.bits <= 8 or "coarse" in case.report.details
    return 2 * NEAR if coarse else NEAR


def surely_near(case: Case) -> float:
    """Return the deviation below which numbers are not near by chance.

    Where the format has so few bits that right numbers are as far off, it is `near`.
    """
    coarse = case.subject.format.bits <= 11 or "coarse" in case.report.details
    return near(case) if coarse else SURELY_NEAR


def deviation(
    case: Case,
    *,
    b: int = 3,
    heads: int,
    kv_heads: int = 0,
    n: int,
    m: int,
    d: int = 0,
    d_v: int = 0,
    size: float = 1.0,
    nan: float = 0.0,
    **passed: Any,
) -> np.ndarray:
    """Return |output − expected| (b, h, n, d), as a share of what weights let through.

    The numbers are new, and scores of about `size`; queries that get nothing count as
    right, and those that get NaN as off by `nan`. The function gets what is `passed`,
    too: a mask, which the model has to know.

    Raises
    ------
    Refused
        If the function refuses such shapes, or the model does.
    """
    draw, d, kv_heads = case.probes.draw, d or case.d, kv_heads or heads
    scale = scale_of(case.model.scale, d, heads)
    if case.model.product not in NORMALIZED:  # whose scores have one size
        size *= min(1.0, 1 / (abs(scale or 1.0) * d**0.5))
    q = draw(b, heads, n, d, size=size)
    k, v = draw(b, kv_heads, m, d), draw(b, kv_heads, m, d_v or d)
    output = case.subject(q, k, v, **passed)
    try:
        expected = attend(q, k, v, case.model)
    except ValueError as error:
        raise Refused(f"these facts say nothing of such shapes: {error}") from error
    rows, finite = expected.weights.any(-1), np.isfinite(output).all(-1)
    spread = expected.weights @ np.abs(expected.value)
    off = np.abs(output - expected.output) / (spread + 1e-3 * spread.max(initial=0.0))
    off = np.where(np.asarray(finite)[..., None], off, nan)
    return np.where(np.asarray(rows)[..., None], off, 0.0)


def _words(case: Case, bits: float) -> str:
    have = case.subject.format.bits
    name, told = case.subject.format.name, min(round(bits), have)
    seen = ", and with who was seen to see whom," * bool(case.unnamed)
    return (
        f"Its outputs agree with these facts{seen} to {told} bits; {name} has {have}."
    )
