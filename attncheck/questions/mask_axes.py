"""The same mask with fewer axes, and with a plane for each head that shares keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.questions.masked_probes import (
    as_passed,
    flattened,
    half,
    left_by,
    unmasked,
    weights_at,
)
from attncheck.questions.sharing import NUMBERS
from attncheck.subject import Refused

NEITHER = "neither"  # the sentences nor the heads
WRITTEN = {2: "(n_queries, n_keys)", 3: "(1, n_queries, n_keys)"}
WRITTEN[4] = "(1, 1, n_queries, n_keys)"


def ask_axes_of_mask(case: Case, name: str, meaning: str) -> None:
    """Pass one mask with every number of axes, and compare what is left."""
    own, even, mask = case.allowed(case.n, case.n), unmasked(case), half(case)
    wanted = left_by(mask, meaning)
    if not case.report.details.get("mask_in_place_of_band"):
        wanted = wanted & own
    found: dict[int, str] = {}
    for ndim in range(len(case.subject.layout), 1, -1):
        shaped = as_passed(mask, meaning).reshape((1,) * (ndim - 2) + mask.shape)
        try:
            w = flattened(case, weights_at(case, 0.0, **{name: shaped}))
        except Refused:
            continue
        found[ndim] = _read(w, wanted, own, even)
    obeyed = [ndim for ndim, what in found.items() if what == "is obeyed"]
    if not obeyed:
        return
    for ndim, what in found.items():
        if what and what != "is obeyed":
            case.report.add(
                "mask-axes",
                f"A mask of {WRITTEN[obeyed[0]]} is obeyed; the same mask as "
                f"{WRITTEN[ndim]} {what}.",
            )
            return
    if found.get(2) == "is obeyed":
        _ask_as_many_sentences(case, name, meaning, wanted)
    _ask_as_many_heads(case, name, meaning)


def _ask_as_many_heads(case: Case, name: str, meaning: str) -> None:
    """Pass masks (batch, n_queries, n_keys) where they could be those of the heads."""
    b = case.heads
    if len(case.subject.layout) < 4 or case.probes.of_zero or case.level or b < 2:
        return
    read = [
        _read_planes(case, name, meaning, (n_sentences, b))
        for n_sentences in (b + 1, b)
    ]
    if read[0] == NEITHER and not case.report.tells_of("mask-of"):
        case.report.add(
            "mask-of-another-sentence",
            "Each sentence was given a mask of its own, of (batch, n_queries, n_keys), "
            "and not every one was used for its own sentence.",
        )
    if read == ["sentences", "heads"]:
        case.report.but.append(
            f"masks (batch, n_queries, n_keys) passed as {name} are read as those of "
            "the heads where there are as many sentences as heads"
        )


def _read_planes(case: Case, name: str, meaning: str, sizes: tuple[int, int]) -> str:
    """Say what each plane of a mask with three axes is used for, if for either."""
    b, heads = sizes
    n, d, mask = case.n, case.d, half(case)
    masks = np.stack([mask if i % 2 == 0 else ~mask for i in range(b)])
    q, k = np.zeros((b, heads, n, d)), case.probes.draw(b, heads, n, d)
    try:
        passed: dict[str, Any] = {name: as_passed(masks, meaning)}
        w = flattened(case, case.probes.weights(q, k, **passed))
    except Refused:
        return ""
    seen = w > 0.01 * w.max(-1, keepdims=True)
    planes = left_by(masks, meaning)
    if not case.report.details.get("mask_in_place_of_band"):
        planes = planes & case.allowed(n, n)
    told = np.isfinite(w).all((0, 1, -1)) & planes.any(-1).all(0)
    of_each = {"sentences": planes[:, None], "heads": planes[None, :heads]}
    follows = [
        what for what, x in of_each.items() if np.equal(seen, x)[:, :, told].all()
    ]
    if not told.any() or len(follows) > 1:
        return ""
    return follows[0] if follows else NEITHER


def _ask_as_many_sentences(
    case: Case, name: str, meaning: str, wanted: np.ndarray
) -> None:
    """Pass a mask (n_queries, n_keys) where it could be (batch, n_keys), too."""
    b = n = case.n
    mask, d = half(case), case.d
    if len(case.subject.layout) < 4 or case.probes.of_zero or case.level:
        return
    q, k = np.zeros((b, case.heads, n, d)), case.probes.draw(b, case.heads, n, d)
    try:
        passed: dict[str, Any] = {name: as_passed(mask, meaning)}
        w = flattened(case, case.probes.weights(q, k, **passed))
    except Refused:
        return
    seen = w > 0.01 * w.max(-1, keepdims=True)
    keys = left_by(mask, meaning)[:, None]
    if not case.report.details.get("mask_in_place_of_band"):
        keys = keys & case.allowed(n, n)
    some = np.asarray(keys.any(-1))[:, None]
    told = np.isfinite(w).all(-1) & wanted.any(-1) & some
    as_keys, as_pairs = (np.equal(seen, x) for x in (keys[:, None], wanted))
    if as_keys[told].all() and not as_pairs[told].all():
        case.report.but.append(
            f"a mask (n_queries, n_keys) passed as {name} is read as (batch, n_keys) "
            "where there are as many sentences as queries"
        )


def _read(w: np.ndarray, wanted: np.ndarray, own: np.ndarray, even: np.ndarray) -> str:
    """Say what a mask does; nothing where it is none of queries and keys."""
    if not np.isfinite(w).all():
        return ""
    seen = w > 0.01 * w.max(-1, keepdims=True)
    rows = wanted.any(-1) & (own & ~wanted).any(-1)
    if not rows.any():
        return ""
    if (seen == wanted)[:, rows].all():
        return "is obeyed"
    if np.allclose(w, even, rtol=0.02, atol=1e-6):
        return "changes nothing"
    if (seen == (own & ~wanted))[:, rows].all():
        return "means the opposite"
    return "hides nothing" if (seen == own)[:, rows].all() else ""


def ask_shared_heads(case: Case, name: str, meaning: str) -> None:
    """Give each of six query heads on two key heads a mask of its own."""
    if case.report.facts["grouping"] not in ("repeat", "tile"):
        return
    heads, n = case.sharing, case.n
    random = np.random.default_rng(9).random((heads, n, n)) < 0.5
    random[:, :, 0] = left_by(np.array(True), meaning)
    for masks in (random[:1], random):
        wrong = _wrong_heads(case, name, meaning, masks)
        if wrong is None:
            return
        if not wrong.size:
            continue
        begins = f"With two key heads for {NUMBERS[heads]} query heads,"
        one = f"{begins} a mask for all of them is not obeyed in each."
        each = (
            f"{begins} each query head was given a mask of its own, and not every one "
            "was used for its own head."
        )
        words, code = (one, "mask-misread") if masks is not random else (each, OTHER)
        case.report.add(code, words, heads=wrong)
        return


OTHER = "mask-of-another-head"


def _wrong_heads(
    case: Case, name: str, meaning: str, masks: np.ndarray
) -> np.ndarray | None:
    """Return the query heads that do not follow these masks; None if refused."""
    heads, n, d = case.sharing, case.n, case.d
    passed: dict[str, Any] = {name: as_passed(masks, meaning)[None]}
    q, k = np.zeros((1, heads, n, d)), case.probes.draw(1, 2, n, d)
    if len(case.subject.layout) < 4 or case.probes.of_zero or case.level:
        return None
    try:
        w, even = (case.probes.weights(q, k, **x)[0] for x in (passed, {}))
    except Refused:
        return None
    w = np.where(even > 0, w / np.where(even > 0, even, 1), w)  # (without slopes)
    wanted = np.broadcast_to(left_by(masks, meaning), w.shape)
    if not case.report.details.get("mask_in_place_of_band"):
        wanted = wanted & case.allowed(n, n)
    seen = w > 0.01 * w.max(-1, keepdims=True)
    rows = wanted.any(-1) & np.isfinite(w).all(-1)
    return np.flatnonzero((rows & (seen != wanted).any(-1)).any(-1))
