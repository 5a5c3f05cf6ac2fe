"""How query heads share key heads: give each key head a value of its own."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.measure import dots_of
from attncheck.scales import fit_slope
from attncheck.subject import Refused

GROUPS: dict[tuple[int, ...], str] = {
    (0, 0, 0, 1, 1, 1): "repeat",
    (0, 1, 0, 1, 0, 1): "tile",
    (0, 0, 1, 1): "repeat",
    (0, 1, 0, 1): "tile",
}
NUMBERS = {6: "six", 4: "four"}  # of query heads
MIXED = -1  # values of no one head
NEAR = 0.1  # of a head's value


def words_for(how: str, heads: int) -> str:
    """Say how so many query heads share two key heads."""
    many = NUMBERS[heads]
    read = {
        "repeat": np.arange(heads) // (heads // 2),
        "tile": np.arange(heads) % 2,
    }
    if how in read:
        shown = " ".join(map(str, read[how]))
        row = "in a row" if how == "repeat" else "in turn"
        return f"{many.title()} query heads on two key heads: {shown}, {row} ({how})."
    if how == "one":
        return f"It takes one key head for {many} query heads, and refuses two."
    return f"It refuses two key heads for {many} query heads, and one for all."


def ask_grouping(case: Case) -> None:
    """Call it with six query heads and two key heads."""
    report, probes = case.report, case.probes
    report.facts["grouping"] = "refused"
    if "h" not in case.subject.layout:
        report.sentences.append("It has no axis of heads.")
        return
    n, d = case.many, case.d
    taken = (heads for heads in NUMBERS if _takes(case, heads))
    case.sharing = heads = next(taken, 0)
    if not heads:
        report.facts["grouping"] = None
        report.notes.append(
            "Whether query heads share key heads was not asked: it takes neither six "
            "heads nor four."
        )
        return
    q, k = probes.draw(1, heads, n, d), probes.draw(1, 2, n, d)
    value = np.ones((1, 2, n, d)) * np.array([1.0, 2.0])[:, None, None]
    try:
        output, ones = (case.subject(q, k, v)[0] for v in (value, np.ones_like(value)))
        keys = _keys_read(case, q, k)
    except Refused as error:
        report.details["grouping_refused"] = str(error)
        report.details["one_key_head"] = _takes_one(case, q, k, value)
        how = "one" if report.details["one_key_head"] else "refused"
        report.sentences.append(words_for(how, heads))
        return
    values = _values_read(output, ones)
    report.details["key_head_of_each_query_head"] = keys
    report.details["value_head_of_each_query_head"] = values
    name = GROUPS.get(values, "other") if keys in (None, values) else "other"
    report.facts["grouping"] = name
    case.model = case.model.change(grouping="tile" if name == "tile" else "repeat")
    if keys is not None and keys != values and _are_read(case, q, k, keys, values):
        of_keys, of_values = (" ".join(map(str, x)) for x in (keys, values))
        many = NUMBERS[heads].title()
        report.add(
            "grouping",
            f"{many} query heads read the keys of two heads thus: {of_keys}; but their "
            f"values thus: {of_values}.",
        )
        return
    report.sentences.append(
        _other_words(heads, values) if name == "other" else words_for(name, heads)
    )


def _are_read(
    case: Case,
    q: np.ndarray,
    k: np.ndarray,
    keys: tuple[int, ...],
    values: tuple[int, ...],
) -> bool:
    """Say whether it gives the same if each query head is given these as its own."""
    if MIXED in values:
        return False
    v = case.probes.draw(*k.shape)
    try:
        shared = case.subject(q, k, v)
        own = case.subject(q, k[:, list(keys)], v[:, list(values)])
    except Refused:
        return False
    return bool(np.allclose(shared, own, rtol=0, atol=case.tolerance * np.abs(v).max()))


def _other_words(heads: int, values: tuple[int, ...]) -> str:
    """Say whose values are read, if it is one head's for each query head."""
    begins = f"{NUMBERS[heads].title()} query heads"
    if MIXED in values:
        return f"{begins} on two key heads: not each reads the values of one head."
    shown = " ".join(map(str, values))
    return f"{begins} read the values of two heads thus: {shown}."


def _takes(case: Case, heads: int) -> bool:
    """Call it with so many query heads, and as many key heads, or one."""
    query, one = ((1, h, case.many, case.d) for h in (heads, 1))
    works = case.subject.works
    return works(query, query, query) or works(query, one, one)


def _takes_one(case: Case, q: np.ndarray, k: np.ndarray, value: np.ndarray) -> bool:
    """Call it with one key head for all."""
    try:
        case.subject(q, k[:, :1], value[:, :1])
    except Refused:
        return False
    return True


def _values_read(output: np.ndarray, ones: np.ndarray) -> tuple[int, ...]:
    """Which head's value, 1 or 2, does each query head give? Sums need not be 1."""
    kept = np.isfinite(output) & np.isfinite(ones) & (np.abs(ones) > 1e-6)
    ratio = np.where(kept, output / np.where(kept, ones, 1), np.nan)
    level = np.nanmedian(ratio, axis=(-2, -1))
    read = [int(np.round(x)) - 1 if np.isfinite(x) else MIXED for x in level]
    near = np.abs(level - np.array(read) - 1) < NEAR
    return tuple(
        head if fits and head in (0, 1) else MIXED
        for head, fits in zip(read, near, strict=True)
    )


def _keys_read(case: Case, q: np.ndarray, k: np.ndarray) -> tuple[int, ...] | None:
    """Whose keys explain each query head's weights? None where neither does."""
    size = min(1.0, 1 / (abs(case.report.facts["scale"] or 0.125) * case.d**0.5))
    q = case.subject.round(q * size)
    w, read = measure_shared(case, q, k), []
    kept = case.allowed(*w.shape[-2:]) & (w > np.log(case.smallest))
    kept = kept.swapaxes(-1, -2) if case.by_query else kept
    for head in range(len(w)):
        dots = [dots_of(case, q[:, head : head + 1], k[:, g : g + 1]) for g in (0, 1)]
        fits = [fit_slope(w[head], x, kept[head]).left for x in dots]
        if min(fits) > 0.3:
            return None
        read.append(int(np.argmin(fits)))
    return tuple(read)


def measure_shared(case: Case, q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return the log weights of grouped heads, (n_heads, n, m)."""
    w = case.probes.weights(q, k)[0]
    logs = np.log(np.maximum(w, 1e-300))
    n_heads, n, m = w.shape
    logs = logs - case.bias(n, m, n_heads)
    return np.asarray(logs.swapaxes(-1, -2) if case.by_query else logs)
