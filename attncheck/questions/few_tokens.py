"""Few tokens, of every number: one query, blocks of any size, few heads and many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.model import SCALES, Model
from attncheck.questions.last_check import (
    NEAR,
    describe_far,
    deviation,
    near,
    surely_near,
)
from attncheck.reading.where import describe
from attncheck.subject import Refused

# (JAX compiles every shape anew.)
EXACTLY = 1e-3  # of the output, where a cause is named
OTHER_HEADS = {True: (1, 3, 4), False: (1, 3, 4, 12)}
CALLS = 3  # before it is said that numbers are right
MANY_KEYS = (130, 300)
SENTENCES = 5  # more than were asked before
FEW_QUERIES = {True: (5,), False: (2, 3, 4, 5, 7, 8, 9)}
NUMBERS = {True: (1, 2, 3, 5, 7, 13), False: (*range(1, 34), 37, 41, 47)}


def ask_few_tokens(case: Case) -> None:
    """Compare with the facts, which explained all numbers at the usual sizes."""
    if "wrong-when-long" not in {problem.code for problem in case.report.problems}:
        _ask_each_number(case)
    _ask_one_query(case)
    _ask_few_queries(case)
    _ask_other_heads(case)
    _ask_more_sentences(case)
    _ask_other_columns(case)


def far_off(
    case: Case, n: int, m: int, heads: int = 0, b: int = 1, **passed: Any
) -> np.ndarray | None:
    """Return which numbers are far off, (b, h, n, d); None where it refuses."""
    found = _off(case, n, m, heads, b, **passed)
    return None if found is None else np.asarray(found > near(case))


def _off(
    case: Case, n: int, m: int, heads: int = 0, b: int = 1, **passed: Any
) -> np.ndarray | None:
    known = {problem.code for problem in case.report.problems}
    nan = 0.0 if "nan" in known else np.inf
    heads = heads or case.heads
    try:
        return deviation(case, b=b, heads=heads, n=n, m=m, nan=nan, **passed)
    except Refused:
        return None


def follows(case: Case, n: int, m: int) -> bool:
    """Say whether numbers follow from the facts: each time, and not by chance."""
    calls = (_off(case, n, m) for _ in range(CALLS))
    return all(off is not None and off.max() <= surely_near(case) for off in calls)


def _ask_each_number(case: Case) -> None:
    """As many queries as keys, one after the other."""
    slow = case.subject.few_shapes
    if slow and case.unnamed:  # its mask is looked at anew for each
        return
    numbers = NUMBERS[slow]
    found = {n: off for n in numbers if (off := _off(case, n, n)) is not None}
    told = {n: np.asarray(off > near(case)) for n, off in found.items()}
    wrong = [n for n, off in told.items() if off.any()]
    if not wrong:
        return
    always = [n for n in wrong if _is_wrong_again(case, n)]
    if not always and wrong == [1]:
        return  # one query is asked about next
    if not always:
        case.report.add(
            "wrong-with-some-numbers",
            f"With {wrong[-1]} tokens its outputs follow from the facts below for some "
            "numbers, and not for others: of one call, "
            f"{describe_far(case, found[wrong[-1]])}.",
        )
        return
    wrong = always
    right = [n for n, off in found.items() if off.max() <= surely_near(case)]
    tail = _find_tail(case, wrong, right)
    if tail is not None:
        code, words = tail
        case.report.add(code, words, n_tokens=wrong[:6])
        return
    where = describe_far(case, found[wrong[-1]])
    beside = " and as many heads" if wrong == [case.heads] else ""
    if wrong[-1] < case.heads:  # (an axis may be told by which is longer)
        alone = far_off(case, wrong[-1], wrong[-1], heads=1)
        if alone is not None and not alone.any():
            beside = f" and {case.heads} heads"
    explain = f", which explain those of {_listed(right)}" if right else ""
    case.report.add(
        "wrong-at-some-sizes",
        f"With {_listed(wrong)} token{'s' * (wrong != [1])}"
        f"{beside} its outputs do not follow from the facts below{explain}; with "
        f"{wrong[-1]}, {where}.",
    )


def _is_wrong_again(case: Case, n: int) -> bool:
    """Say whether so many tokens are wrong call after call: numbers may be it."""
    calls = (far_off(case, n, n) for _ in range(CALLS))
    return all(off is not None and off.any() for off in calls)


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:5]))
    return f"{shown} …" if len(numbers) > 5 else shown


def _find_tail(
    case: Case, wrong: list[int], right: list[int]
) -> tuple[str, str] | None:
    """Find a block whose last, partial one is dropped, or is filled up with zeros."""
    before = case.model
    ways: dict[str, Callable[[int], Model]] = {
        "tail-dropped": lambda block: before.change(lost=("tail", block)),
        "padding": lambda block: before.change(pad=block),
    }
    words = {
        "tail-dropped": "Keys after the last full block of {} reach no output.",
        "padding": "Keys of 0 that fill a block of {} take part in the softmax.",
    }
    for code, change in ways.items():
        for block in range(2, max(wrong) + 1):
            if any(n % block == 0 for n in wrong):
                continue
            case.model = change(block)
            found = [far_off(case, n, n) for n in (*wrong, *right)]
            case.model = before
            if all(off is not None and not off.any() for off in found):
                return code, words[code].format(block)
    return None


def _ask_one_query(case: Case) -> None:
    """One query and more keys, as when text is written token by token."""
    m = 2 * case.n
    off = far_off(case, 1, m)
    if off is None or not off.any():
        return
    before, told = case.model, ""
    if _is_rotated_rightly(case, m):
        case.report.notes.append("A single query is rotated by its place.")
        return
    most = NEAR if case.subject.format.bits <= 11 else EXACTLY
    changed = before
    for words, changed in _with_one_query(before):
        case.model = changed
        if all(_largest(case, keys) <= most for keys in (m, m + 5)):
            told = words
            break
    case.model = before
    few = bool(told) and not _holds_for_many(case, changed, most)
    keys = f" and {m} keys" * few
    if told == SEES_ALL and before.window[0] is None and not few:
        case.report.but.append("with one query it sees every key")  # if causal
        return
    told = told or (
        "its outputs do not follow from the facts below, which explain those of more"
    )
    case.report.add("one-query", f"With a single query{keys}, {told}.", n_keys=m)


def _holds_for_many(case: Case, model: Model, most: float) -> bool:
    """Say whether what is otherwise with one query is so before many keys."""
    if model.rotary is not None or case.subject.few_shapes:
        return True
    before, case.model = case.model, model
    found = [_largest(case, m) for m in MANY_KEYS]
    case.model = before
    return all(off <= most for off in found)


def _ask_few_queries(case: Case) -> None:
    """Few queries and more keys, as when drafts are checked or text is read on."""
    known = {problem.code for problem in case.report.problems}
    if {"one-query", "wrong-at-some-sizes"} & known:
        return
    numbers, m = FEW_QUERIES[case.subject.few_shapes], 2 * case.n
    told = {n: off for n in numbers if (off := far_off(case, n, m)) is not None}
    wrong = [n for n, off in told.items() if off.any()]
    if wrong:
        case.report.add(
            "few-queries",
            f"With {_listed(wrong)} queries and {m} keys, its outputs do not follow "
            f"from the facts below, which explain those of {case.n}; with {wrong[-1]}, "
            f"{describe(told[wrong[-1]], 'far off')}.",
            n_queries=wrong,
        )


def _is_rotated_rightly(case: Case, m: int) -> bool:
    """Say whether places that are wrong for several queries are right for one."""
    before = case.model
    if "rotary-offset" not in {problem.code for problem in case.report.problems}:
        return False
    case.model = before.change(rotary={**(before.rotary or {}), "queries": "end"})
    off = far_off(case, 1, m)
    case.model = before
    return off is not None and not off.any()


def _largest(case: Case, m: int) -> float:
    """Return by how much one query is off at most; infinity where it refuses."""
    try:
        return float(deviation(case, b=1, heads=case.heads, n=1, m=m).max())
    except Refused:
        return np.inf


SEES_ALL = "every key is seen"


def _with_one_query(model: Model) -> list[tuple[str, Model]]:
    """Return what may be otherwise where a single query has code of its own."""
    everything = model.change(window=(None, None), picture=None)
    first = model.change(corner="start", window=(None, 0), picture=None)
    found = [(SEES_ALL, everything), ("the first key alone is seen", first)]
    for name in SCALES:
        words = f"scores are query · key times {name}"
        found.append((words, model.change(scale=name)))
        found.append((f"{words}, and {SEES_ALL}", everything.change(scale=name)))
    return found


def _ask_other_heads(case: Case) -> None:
    """Few heads and many: what belongs to each head alone is not known of others."""
    model = case.model
    if model.sink is not None or model.biased_by_place or model.normalized == "heads":
        return
    name = case.report.facts["scale_name"]
    if name in SCALES:
        case.model = model.change(scale=name)
    for heads in OTHER_HEADS[case.subject.few_shapes]:
        off = far_off(case, case.n, case.n, heads)
        if off is not None and off.any():
            who, explained = f"{heads} head{'s' * (heads > 1)}", f"{case.heads}"
            other = _off(case, case.n + 1, case.n + 1, heads)
            if other is not None and other.max() <= surely_near(case):
                who += f" and {case.n} tokens"
                explained += f" heads, and of {heads} with {case.n + 1} tokens"
            case.report.add(
                "wrong-with-other-heads",
                f"With {who} its outputs do not follow from the facts below, which "
                f"explain those of {explained}: {describe(off, 'far off')}.",
            )
            break
    case.model = model


def _ask_more_sentences(case: Case) -> None:
    """More sentences than two or three; and several, where queries and keys differ."""
    if len(case.subject.layout) < 4 or case.report.tells_of("wrong-with-more"):
        return
    n, slow = case.n, case.subject.few_shapes
    sizes = [(SENTENCES, n, n), (3, n, 2 * n), (3, 1, 2 * n), (2, 2 * n, n)]
    for b, n_queries, m in sizes[:2] if slow else sizes:
        several = far_off(case, n_queries, m, b=b)
        if several is None or not several.any() or not follows(case, n_queries, m):
            continue  # (what is wrong with one sentence is told elsewhere)
        size = f"{n_queries} quer{'y' if n_queries == 1 else 'ies'} and {m} keys"
        case.report.add(
            "wrong-with-more-sentences",
            f"With {b} sentences of {size} its outputs do not follow from the facts "
            f"below, which explain those of one: {describe(several, 'far off')}.",
        )
        return


def _ask_other_columns(case: Case) -> None:
    """Half the columns, where they are rotated: the base is the same, and the scale."""
    model, name = case.model, case.report.facts["scale_name"]
    if model.rotary is None or model.rotary["rotary_dim"] != case.d:
        return
    if name not in SCALES or model.rotary.get("scaling"):
        return
    d = case.d // 2
    case.model = model.change(scale=name, rotary={**model.rotary, "rotary_dim": d})
    try:
        found = deviation(case, b=1, heads=case.heads, n=case.n, m=case.n, d=d)
        wrong = np.asarray(found > 2 * NEAR)
    except Refused:
        wrong = np.zeros((1, 1, 1, 1), bool)
    case.model = model
    if wrong.any():
        case.report.add(
            "columns",
            f"With {d} columns its outputs do not follow from the facts below, which "
            f"explain those with {case.d}: {describe(wrong, 'far off')}.",
        )
