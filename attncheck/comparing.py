"""What was found beside what was meant."""

from __future__ import annotations

from typing import Any

from attncheck.one_fact import SCALE, agrees, is_told, numbers, what_is
from attncheck.positions_meant import (
    MORE,
    compare_positions,
    kind_of_positions,
    remarks,
)
from attncheck.report import Report
from attncheck.rules import WRONG

NOT_ONE = ("no", "sink")  # weights that need not add up to 1
CORNERS = {
    "start": "its window is aligned at the first query",
    "end": "its window is aligned at the last key",
}
MASKS_GONE_WRONG = set(WRONG.values())
TOLD_BY = {
    "grouping": {"grouping"},
    "alignment": MASKS_GONE_WRONG,
    "window": MASKS_GONE_WRONG | {"other-window"},
    "mask": {"mask-adds-keys", "mask-remembered"},
    "normalized": {"padding"},
}


def compare(report: Report, meant: dict[str, Any], layout: str) -> None:
    """Put what differs from what was meant first; drop what was meant after all."""
    if meant:
        meant = {"layout": layout, **kind_of_positions(report, meant), **meant}
    report.but += [*_window_beside(report, meant), *remarks(report, meant)]
    report.but += [*_large_beside(report), *_mask_beside(report, meant)]
    report.but += _corner_beside(report, meant)
    everything, meant = meant, _as_it_is_found(meant)
    meant = {name: x for name, x in meant.items() if name not in MORE}
    wrong = _wrong_facts(report, meant)
    _drop_what_was_meant(report, meant, wrong)
    universal, report.problems = report.problems, []
    told = [name for name in wrong if is_told(report, name)]
    _tell_differences(report, meant, told, {problem.code for problem in universal})
    said = report.details.get("who_sees_whom")
    if said and said == report.unexplained.rstrip(".") and report.problems:
        report.unexplained = ""  # a problem says it in full
    _compare_product(report, meant)
    _compare_cap(report, meant)
    _compare_own_empty(report, meant)
    compare_positions(report, everything)
    report.problems += universal
    if untold := [name for name in wrong if name not in told]:
        words = f"Could not be told: {', '.join(untold)}."
        report.unexplained = f"{report.unexplained} {words}".strip()


def _wrong_facts(report: Report, meant: dict[str, Any]) -> list[str]:
    """Return the names of the facts that are not as meant."""
    wrong = [name for name in meant if not agrees(report, name, meant[name])]
    rule = report.details.get("who_sees_whom")
    if rule and "window" in meant and "window" not in wrong:
        wrong.append("window")
    if _same_corner(report, meant):
        wrong = [name for name in wrong if name != "alignment"]
    if _needs_no_groups(report, meant):
        wrong = [name for name in wrong if name != "grouping"]
        report.but.append("it refuses two key heads for six query heads")
    return wrong


def _as_it_is_found(meant: dict[str, Any]) -> dict[str, Any]:
    """Write what is meant of a band as the facts do, where it can be said twice."""
    alignment, window = meant.get("alignment"), meant.get("window")
    if window is None:
        return meant
    left, right = window
    if alignment in ("start", "end") and left is not None and right is None:
        return {**meant, "window": (left, 0)}
    if alignment == "none" and right in (0, -1):  # a window may be causal, too
        return {name: x for name, x in meant.items() if name != "alignment"}
    if alignment == "none" and right is None and left in (0, -1):
        return {**meant, "alignment": "inverted", "window": None}
    return meant


def _tell_differences(
    report: Report, meant: dict[str, Any], told: list[str], known: set[str]
) -> None:
    """Add a problem for each fact that was found, and is not what was meant.

    Where many tokens do not follow from the facts, they are those of few.
    """
    limited = "wrong-when-long" in known or "few_tokens_only" in report.details
    few = "with few tokens, " * limited
    rule = report.details.get("who_sees_whom")
    for name in told:
        if TOLD_BY.get(name, set()) & known:  # a problem says more than the fact
            continue
        if name in SCALE and "d_v" in str(report.facts["scale_name"]):
            continue
        if name == "normalized" and "softmax_over" in report.details:
            continue
        if name == "scale" and isinstance(meant[name], str) and "scale_name" in told:
            continue  # the same line twice
        named = "scale_name" if name in SCALE and isinstance(meant[name], str) else name
        if name == "window" and "alignment" in told and rule:
            continue  # one line says who sees whom
        found = what_is(report, named, meant[name])
        if name == "alignment" and _have_both_sides(report, meant):
            found = CORNERS.get(str(report.details.get("corner")), found)
        report.add(
            name.replace("_", "-"),
            f"{name} was meant to be {meant[name]!r}; {few}{found}.",
            **numbers(report, name),
        )


def _drop_what_was_meant(
    report: Report, meant: dict[str, Any], wrong: list[str]
) -> None:
    """Drop the problems that are none here: sums that are not 1, rows of NaN."""
    sums, dropped = meant.get("normalized"), set()
    late = sums == "sink" and "added_after_the_maximum" in report.details
    as_meant = sums in NOT_ONE or (sums is not None and "normalized" not in wrong)
    if as_meant and not late:
        dropped.add("rows")
    empty = report.details.get("nan_where_no_key_is_seen")
    if empty and meant.get("empty_row") == "nan":
        dropped.add("nan")
    report.problems = [p for p in report.problems if p.code not in dropped]


def _same_corner(report: Report, meant: dict[str, Any]) -> bool:
    """Say whether windows to both sides, found and meant, begin at one corner."""
    both = _have_both_sides(report, meant)
    return both and report.details.get("corner") == meant.get("alignment")


def _have_both_sides(report: Report, meant: dict[str, Any]) -> bool:
    """Say whether the window that was found, and that which was meant, have both."""
    windows = (meant.get("window"), report.facts["window"])
    return all(window is not None and window[1] != 0 for window in windows)


def _needs_no_groups(report: Report, meant: dict[str, Any]) -> bool:
    """Say whether one key head for all is all that it takes: so shared, they are."""
    one = bool(report.details.get("one_key_head"))
    return one and meant.get("grouping") in ("repeat", "tile")


def _window_beside(report: Report, meant: dict[str, Any]) -> list[str]:
    """Say that there is a window, where the meant alignment said nothing of one."""
    window = report.facts["window"]
    if window is None or "alignment" not in meant or "window" in meant:
        return []
    if "who_sees_whom" in report.details:
        return []  # the first line says it already
    left, right = window
    size = f" of {left + right + 1} keys" if None not in window else f", {window}"
    return [f"each query sees only a window{size}"]


def _large_beside(report: Report) -> list[str]:
    """Say that large scores get other weights, where it is not for want of bits."""
    top = report.details.get("other_weights_at")
    if top is None or "coarse" in report.details or report.unexplained:
        return []
    return [f"scores of up to {top:.4g} get other weights than small ones"]


def _mask_beside(report: Report, meant: dict[str, Any]) -> list[str]:
    """Say that rows do not add up under a mask, where no mask was meant."""
    if report.facts["mask"] != "multiplied after" or "mask" in meant:
        return []
    return [
        "a mask comes after the softmax: where it hides a key, the weights that are "
        "left add up to less than 1"
    ]


def _corner_beside(report: Report, meant: dict[str, Any]) -> list[str]:
    """Say that more queries than keys have another corner, where one was meant."""
    tall = report.details.get("corner_with_more_queries")
    if tall is None or meant.get("alignment") not in ("start", "end"):
        return []
    begins = "With more keys than queries its mask is aligned"
    report.notes = [line for line in report.notes if not line.startswith(begins)]
    words = {"start": "the first query", "end": "the last key"}
    wide = "end" if tall == "start" else "start"
    return [
        f"with more queries than keys its mask is aligned at {words[tall]}, with more "
        f"keys than queries at {words[wide]}"
    ]


def _compare_product(report: Report, meant: dict[str, Any]) -> None:
    """Add the problem that cosines take the place of the products a scale is for."""
    names = [meant[name] for name in ("scale", "scale_name") if name in meant]
    of_products = [name for name in names if "d_k" in str(name)]
    if report.details.get("product") == "cosine" and of_products:
        words = "Scores are made of the cosines of query and key, not of query · key."
        report.add("cosines", words)


def _compare_own_empty(report: Report, meant: dict[str, Any]) -> None:
    """Say that a query which its own rule leaves without keys gets something else."""
    own, wanted = report.details.get("own_empty_row"), meant.get("empty_row")
    together = report.details.get("emptied_together")
    second = report.details.get("empty_row_of_second")
    many = report.details.get("empty_row_with_many")
    of_all = report.details.get("empty_row_of_all")
    if wanted != report.facts["empty_row"]:
        return
    begins = f"empty_row was meant to be {wanted!r};"
    if own is not None:
        words = f"where its own rule leaves a query no key, it is {own!r}"
        report.add("empty-row", f"{begins} {words}.")
    if second is not None:
        where = "where a mask hides every key from a query of the second sentence"
        words = f"{where}, it is {second!r}"
        report.add("empty-row", f"{begins} {words}.")
    if of_all is not None:
        words = f"where a mask hides every key from every query, it is {of_all!r}"
        report.add("empty-row", f"{begins} {words}.")
    if many is not None:
        report.add("empty-row", f"{begins} with more tokens, it gets {many}.")
    if together and wanted != "mean":
        words = "a query to which a mask and its own rule leave no key together"
        report.add("empty-row", f"{begins} {words} {together}.")


def _compare_cap(report: Report, meant: dict[str, Any]) -> None:
    """Say that a cap comes before the scale: a problem, if a cap was meant."""
    if "cap_before_scale" not in report.details:
        return
    words = "the cap comes before the scale"
    if meant.get("softcap") is None:
        report.but.append(words)
        return
    if report.facts["softcap"] is None:  # it was taken back
        return
    cap = f"c is {report.facts['softcap']:.4g}, times the scale"
    report.add("softcap", f"{words[:1].upper()}{words[1:]}: {cap}.")
