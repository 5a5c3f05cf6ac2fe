"""More keys than the probes had: for a single query, for few, and for as many."""

from __future__ import annotations

import math

import numpy as np

from attncheck.case import Case
from attncheck.questions.few_tokens import far_off, follows
from attncheck.questions.last_check import NEAR, deviation, off_when_shared
from attncheck.questions.sharing import NUMBERS
from attncheck.reading.where import describe
from attncheck.subject import Refused

# (JAX compiles every shape anew.)
ONE_QUERY = {True: (40,), False: (40, 130, 300)}
SIZES = {True: ((70, 70), (128, 300)), False: ((70, 70), (130, 130), (128, 300))}
MANY = (128, 300)
BLOCKS = (16, 32, 64, 128, 256)
FEWER_BITS = 6  # than with few keys: 64 times the error


def ask_many_keys(case: Case) -> None:
    """Compare with the facts, which explained all numbers of few keys."""
    slow = case.subject.few_shapes
    if slow and case.unnamed:  # its mask is looked at anew for each
        return
    codes = {problem.code for problem in case.report.problems}
    if not codes & {"one-query", "rotary-offset"} and not _sees_all(case):
        _ask_one_query(case, ONE_QUERY[slow])
        _ask_shared(case)
    if not _ask_sizes(case, SIZES[slow]):
        _ask_bits(case)


def _sees_all(case: Case) -> bool:
    """Say whether a single query was seen to have a rule of its own."""
    return any(words.startswith("with one query") for words in case.report.but)


def _is_known(case: Case, m: int) -> bool:
    """Say whether what places add was measured for so many keys."""
    return case.model.relative is None or m <= 4 * case.n


def _ask_one_query(case: Case, numbers: tuple[int, ...]) -> None:
    """One query, as when text is written token by token."""
    for m in numbers:
        if case.model.rotary is not None and m > 4 * case.n:
            continue  # angles may be meant to change: other sizes tell
        off = far_off(case, 1, m) if _is_known(case, m) else None
        if off is not None and off.any():
            few = follows(case, 1, 2 * case.n)
            keys, others = (f" and {m} keys", f"with {2 * case.n} keys")
            case.report.add(
                "one-query",
                f"With a single query{keys if few else ''}, its outputs do not follow "
                f"from the facts below, which explain those "
                f"{others if few else 'of more'}.",
            )
            return


def _ask_shared(case: Case) -> None:
    """One query, and fewer key heads than query heads."""
    model = case.model
    if case.report.facts["grouping"] not in ("repeat", "tile"):
        return
    if model.sink is not None or model.biased_by_place:
        return
    who = {1: "a single query", 2: "two sentences of a single query"}
    for b in (1,) if case.report.tells_of("wrong-with-more") else (1, 2):
        if off_when_shared(case, case.sharing, 2, n=1, m=2 * case.n, b=b) > NEAR:
            case.report.add(
                "one-query",
                f"With {who[b]} and two key heads for {NUMBERS[case.sharing]} query "
                "heads, its outputs do not follow from the facts below, which explain "
                "those of more.",
            )
            return


def _ask_sizes(case: Case, sizes: tuple[tuple[int, int], ...]) -> bool:
    """Say at which size it gives other numbers, if it does."""
    for n, m in sizes:
        off = far_off(case, n, m) if _is_known(case, m) else None
        if off is None or not off.any():
            continue
        size = f"{n} tokens" if n == m else f"{n} queries and {m} keys"
        few = 4 * case.n
        follow = follows(case, few, few)
        explain = f", which explain those of {few} tokens" * follow
        if follow:
            case.report.details["facts_of_tokens"] = few
        words = f"ith {size} its outputs do not follow from the facts below{explain}"
        if case.model.rotary is None:
            words = f"W{words}: {describe(off, 'far off')}."
            case.report.add("wrong-when-long", words)
        else:  # angles may be meant to change with the number of tokens
            case.report.but.append(f"w{words}")
        return True
    return False


def _ask_bits(case: Case) -> None:
    """With hundreds of keys, see whether the numbers are as right as with few."""
    few, m = case.report.details.get("bits"), MANY[1]
    if few is None or case.subject.format.bits < 24 or not _is_known(case, m):
        return
    worst = _worst(case, *MANY)
    bits = -math.log2(max(worst, 2.0**-52))
    if bits > min(few, case.subject.format.bits) - FEWER_BITS:
        return
    if tell_sinks(case):
        return
    case.report.but.append(
        f"with {m} keys its numbers are right to about {bits:.0f} bits only"
    )


def _worst(case: Case, n: int, m: int) -> float:
    try:
        return float(deviation(case, b=1, heads=case.heads, n=n, m=m).max())
    except Refused:
        return 0.0


def tell_sinks(case: Case) -> bool:
    """Say that each block has the sink once more, or none has, if that explains it."""
    before, n = case.model, MANY[0]
    if before.sink is None:
        return False
    worst = _worst(case, *MANY)
    case.model = before.change(normalized="keys", sink=None)
    none = _worst(case, *MANY)
    case.model = before
    if none < worst / 2**FEWER_BITS:
        words = f"With {MANY[1]} keys the sink takes no part, as it does with few."
        case.report.add("sink-missing", words, n_keys=MANY[1])
        return True
    for block in BLOCKS:
        off = []
        for m in (300, 187):
            more = math.log(math.ceil(m / block))
            case.model = before.change(sink=np.asarray(before.sink) + more)
            off.append(_worst(case, n, m))
        case.model = before
        if max(off) < worst / 2**FEWER_BITS:
            words = f"A sink takes part once in each block of {block} keys."
            case.report.add("blocks", words, block=block)
            return True
    return False
