"""What a mask of keys alone means: (batch, n_keys), as padding is often marked."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np

from attncheck.case import Case
from attncheck.questions.empty_rows import (
    GETS,
    MORE,
    note_partly_hidden,
    note_second,
    note_together,
    note_uneven,
    note_with_many,
    partly_hidden,
    read_empty,
)
from attncheck.questions.key_mask_faults import ask_each_sentence, tell_leak
from attncheck.questions.key_mask_probes import NEGLIGIBLE, KeyMask

NAMES = (
    *("key_padding_mask", "src_key_padding_mask", "key_mask", "kv_mask"),
    *("padding_mask", "pad_mask"),
)


AFTER = "multiplied after"  # the softmax
UNKNOWN = "changes weights by a rule that I do not know"


def find_key_masks(case: Case) -> list[str]:
    """Find, in its signature, the names that masks of keys have."""
    try:
        parameters = inspect.signature(case.subject.function).parameters
    except (TypeError, ValueError):
        return []
    given = case.subject.extra
    return [name for name in NAMES if name in parameters and name not in given]


def ask_key_mask(case: Case, name: str, unread: bool = True) -> bool:
    """Give each sentence a mask of its own keys; say whether it takes one.

    One that has no known meaning is told only if it may be `unread`.
    """
    marked = (KeyMask(case, name, form) for form in ("True", "1"))
    mask = next((one for one in marked if one.is_taken()), None)
    if mask is None:
        return False
    meaning = _meaning(mask)
    if meaning is None and unread and mask.by_sentence:
        mask = replace(mask, same=True)  # those of all sentences may be joined
        meaning = _meaning(mask)
    if meaning is None:
        mask = replace(mask, same=False)
        if unread:
            _tell_unread(mask)
        return unread
    form = "−∞" if meaning == "added" else mask.form
    mask = replace(mask, form=form, meaning=meaning)
    if mask.is_remembered():
        tell_remembered(case, f"A mask of keys passed as {name}")
        return True
    if meaning != "added" and mask.comes_after():
        case.report.facts["mask"] = case.report.facts["mask"] or AFTER
        case.report.sentences.append(
            "A mask of keys, (batch, n_keys), is multiplied onto the weights, after "
            f"the softmax. (The keyword is {name}.)"
        )
        case.key_masks.append(replace(mask, after=True))
        case.report.facts["empty_row"] = case.report.facts["empty_row"] or "zeros"
        return True
    what = {
        "may attend": f"{form} means: may attend",
        "may not attend": f"{form} means: may not attend",
        "added": "a number is added to the scores: 0 allows, −∞ forbids",
    }[meaning]
    report = case.report
    report.sentences.append(
        f"In a mask of keys, (batch, n_keys), {what}. (The keyword is {name}.)"
    )
    report.details["key_mask"] = name
    report.details["key_mask_meaning"] = meaning
    report.facts["mask"] = report.facts["mask"] or meaning
    if not tell_leak(mask):
        ask_each_sentence(replace(mask, same=False))
        case.key_masks.append(mask)
    if report.facts["empty_row"] is None:
        report.facts["empty_row"] = _emptied(mask)
        _ask_emptied_together(mask)
    return True


def ask_keys_alone(case: Case, name: str, meaning: str) -> None:
    """Pass one of keys alone, too, where one of queries and keys has a meaning."""
    if case.report.tells_of("mask") or meaning not in ("may attend", "may not attend"):
        return
    mask = KeyMask(case, name, "True", meaning)
    seen = mask.draw()
    w = mask.clear(seen)
    if w is None or len(w) == 1:
        return
    follows, telling = mask.follows(w, seen)
    opposite, tells = mask.follows(w, ~seen)
    if tells.any() and opposite[tells].all():
        case.report.add(
            "mask-axes",
            f"A mask of queries and keys passed as {name} is obeyed; one of keys "
            "alone, (batch, n_keys), means the opposite.",
        )
    elif (follows & telling).any():
        ask_each_sentence(mask)
        case.key_masks.append(mask)


def _meaning(mask: KeyMask) -> str | None:
    """Read what marked keys are: of which ones the weights are large."""
    marked, ratios = mask.draw(), []
    for score in mask.levels:
        w = mask.weights(marked, score)
        if w is None or not np.isfinite(w).any():
            continue
        for meaning, seen in (("may attend", marked), ("may not attend", ~marked)):
            follows, telling = mask.follows(np.nan_to_num(w), seen)
            if telling.any() and follows[telling].mean() > 0.3:  # (of some heads, say)
                return meaning
        ratios.append(mask.log_ratio(w, marked) or 0.0)
    # A key that is marked with 1 has e times the weight, whatever its score.
    if ratios and all(abs(x + 1) < 0.05 for x in ratios):
        return "added"
    largest = max(ratios, key=abs, default=0.0)
    if abs(largest) < 2:
        return None
    return "may attend" if largest < 0 else "may not attend"


def tell_remembered(case: Case, what: str) -> None:
    """Add the problem that one mask is used for calls with another."""
    case.report.add(
        "mask-remembered",
        f"{what} that hides nothing hides what one before it did: something is "
        "kept from call to call.",
    )


def _tell_unread(mask: KeyMask) -> None:
    """Say that a mask changes nothing, or something by no known rule."""
    marked = mask.draw()
    does = _other_rule(mask, marked, mask.weights(marked, None))
    n = mask.case.n
    if _is_unread(mask, n):
        few = f" with {n} tokens; with {MORE * n} it does something"
        does = "changes nothing" + few * (not _is_unread(mask, MORE * n))
    words = f"mask of keys passed as {mask.name} {does}"
    mask.case.report.details["mask_seen"] = f"a {words}"
    mask.case.report.sentences.append(f"A {words}.")
    mask.case.report.but.append(f"a {words}")
    if does.startswith("is read as a length"):
        hides = "may not attend" if "are False" in does else "may attend"
        mask.case.report.details["key_mask"] = mask.name
        found = _emptied(replace(mask, meaning=hides))
        mask.case.report.facts["empty_row"] = found


def _is_unread(mask: KeyMask, n: int) -> bool:
    """Say whether a mask changes nothing, with so many queries and keys."""
    marked = mask.draw(n)
    some, none = (mask.weights(x, None, n) for x in (marked, np.ones_like(marked)))
    if some is None or none is None:
        return False
    return bool(np.allclose(some, none, 0.02, 1e-6, equal_nan=True))


def _other_rule(mask: KeyMask, marked: np.ndarray, w: np.ndarray | None) -> str:
    """Say what else a mask of keys may do, if it does; else that it is not known."""
    if w is None:
        return UNKNOWN
    n, m = w.shape[-2:]
    own, place = mask.case.allowed(n, m), np.arange(m)
    large = w > NEGLIGIBLE * w.max(-1, keepdims=True)
    for word, keys in (("True", marked), ("False", ~marked)):
        counted = place < keys.sum(-1, keepdims=True)
        rules = {
            "is read as a length: as many keys are seen, from the first on, as are "
            f"{word} in it": own & counted[:, None],
            "adds keys to those that are seen without it: all queries see those that "
            f"are {word} in it": own | keys[:, None],
        }
        for does, wanted in rules.items():
            telling = (wanted != own).any(-1)[:, None] & np.isfinite(w).all(-1)
            follows = (large == wanted[:, None]).all(-1)
            if telling.any() and follows[telling].all():
                return does
    return UNKNOWN


def _ask_emptied_together(mask: KeyMask) -> None:
    """Hide every key of a sentence, or just those that its own rule leaves a query."""
    own = mask.case.allowed(mask.case.n, mask.case.n)
    rows = partly_hidden(own)
    if mask.case.report.tells_of("mask") or not rows.size:
        return
    for left in (np.zeros_like(own[0]), ~own[rows[0]]):
        seen = mask.draw()
        seen[0] = left
        w = mask.weights(seen)
        if w is not None and "emptied_together" not in mask.case.report.details:
            note_together(mask.case, w[0, 0, rows[0]], own[rows[0]])


def _emptied(mask: KeyMask) -> str:
    """Hide every key of the first sentence, and read what its last query gets."""
    seen = mask.draw()
    seen[slice(None) if mask.same else 0] = False
    w = mask.weights(seen, None)
    found = "refused" if w is None else read_empty(w[0, 0, -1])
    if w is not None and found in GETS:
        if found == "mean":
            note_uneven(mask.case, w[0, 0, -1])
        own = mask.case.allowed(mask.case.n, mask.case.n)
        for query in partly_hidden(own)[-1:]:
            note_partly_hidden(mask.case, found, w[0, 0, query], own[query])
    if mask.case.report.tells_of("mask"):  # (another sentence's may be used)
        return found
    _ask_emptied_later(mask, found)
    if not mask.case.subject.few_shapes:  # (which compiles every shape anew)
        seen = mask.draw(MORE * mask.case.n)
        seen[0] = False
        w = mask.weights(seen, None, MORE * mask.case.n)
        note_with_many(mask.case, found, None if w is None else w[0, 0, -1])
    return found


def _ask_emptied_later(mask: KeyMask, first: str) -> None:
    """Hide every key of the second sentence: blocks may be skipped by the first."""
    seen = mask.draw()
    if len(seen) < 2:
        return
    seen[1] = False
    w = mask.weights(seen, None)
    note_second(mask.case, first, None if w is None else w[1, 0, -1])
