"""Masks that are no band are named if they have a name; the rest is asked anyway."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from attncheck import ask
from attnlib import scaled_dot_product_attention

pytestmark = pytest.mark.slow

Seen = Callable[[np.ndarray, np.ndarray], np.ndarray]
Shaped = Callable[[np.ndarray, np.ndarray, int, int], np.ndarray]
Attention = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def with_mask(
    seen: Seen, *, at_end: bool = False, scale: float | None = None
) -> Attention:
    """Return an attention in which `seen(i, j)` says who sees whom."""

    def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        n, m = q.shape[-2], k.shape[-2]
        i = np.arange(n)[:, None] + (m - n if at_end else 0)
        mask = np.broadcast_to(seen(i, np.arange(m)), (n, m))
        return scaled_dot_product_attention(q, k, v, mask=mask, scale=scale)

    return attend


NAMED: dict[str, tuple[Seen, str, str | None, tuple[int, int] | None]] = {
    "chunks": (
        lambda i, j: (j <= i) & (i // 8 == j // 8),
        "it attends in chunks of 8 keys",
        "start",
        None,
    ),
    "large chunks": (
        lambda i, j: (j <= i) & (i // 64 == j // 64),
        "it attends in chunks of 64 keys",
        "start",
        None,
    ),
    "chunks, both ways": (
        lambda i, j: i // 4 == j // 4,
        "it attends in chunks of 4 keys",
        "none",
        None,
    ),
    "blocks": (
        lambda i, j: j // 8 <= i // 8,
        "a query sees all keys of its own block of 8, later ones too",
        None,
        None,
    ),
    "prefix": (
        lambda i, j: (j <= i) | (j < 4),
        "every query sees the first 4 keys, later ones too",
        None,
        None,
    ),
    "prefix and window": (
        lambda i, j: (j <= i) & (i - j < 8) | (j < 4),
        "every query sees the first 4 keys, later ones too",
        None,
        None,
    ),
    "first keys kept": (
        lambda i, j: (j <= i) & ((i - j < 8) | (j < 4)),
        "the first 4 keys stay visible beside its window",
        "start",
        (7, 0),
    ),
    "first keys kept, wide": (
        lambda i, j: (j <= i) & ((i - j < 64) | (j < 4)),
        "the first 4 keys stay visible beside its window",
        "start",
        (63, 0),
    ),
    "every second": (
        lambda i, j: (j <= i) & (i - j <= 6) & ((i - j) % 2 == 0),
        "of every 2 keys, a query sees one",
        "start",
        (6, 0),
    ),
    "every third, both ways": (
        lambda i, j: (i - j) % 3 == 0,
        "of every 3 keys, a query sees one",
        "none",
        None,
    ),
    "global": (
        lambda i, j: (abs(i - j) < 4) | (i < 2) | (j < 2),
        "the first 2 queries see every key, and every query sees the first 2 keys",
        None,
        None,
    ),
    "one is global": (
        lambda i, j: (i - j < 4) & (j - i < 2) | (i < 1) | (j < 1),
        "the first query sees every key, and every query sees the first key",
        None,
        None,
    ),
    "not its own": (
        lambda i, j: i != j,
        "no query sees its own key",
        "none",
        None,
    ),
}


@pytest.mark.parametrize("at_end", [False, True], ids=["first query", "last key"])
@pytest.mark.parametrize("name", NAMED)
def test_a_mask_that_is_no_band_is_named_and_the_rest_is_asked(
    name: str, at_end: bool
) -> None:
    seen, short, alignment, window = NAMED[name]
    report = ask(with_mask(seen, at_end=at_end))
    assert report.status == 0, report
    assert report.verdict.endswith(f"nothing wrong was found, but {short}."), report
    if alignment == "start" and at_end:
        alignment = "end"
    assert (report.facts["alignment"], report.facts["window"]) == (alignment, window)
    assert report.facts["scale_name"] == "1/√d_k"
    where = "the last key" if at_end else "the first query"
    assert any(line.endswith(f"; aligned at {where}.") for line in report.sentences)


@pytest.mark.parametrize("name", ["chunks", "prefix", "first keys kept"])
def test_a_wrong_scale_is_told_under_a_mask_that_is_no_band(name: str) -> None:
    report = ask(with_mask(NAMED[name][0], scale=1.0), meant={"scale": "1/√d_k"})
    assert [problem.code for problem in report.problems] == ["scale"], report
    assert report.facts["scale_name"] == "1 (none)"


def test_first_keys_that_show_too_early_are_a_problem_where_causal_was_meant() -> None:
    seen = NAMED["prefix and window"][0]
    report = ask(with_mask(seen), meant={"alignment": "start"})
    assert [problem.code for problem in report.problems] == ["alignment"], report
    assert "the first 4 keys, even those later than its own" in str(report)


def test_chunks_are_a_problem_where_a_window_was_meant() -> None:
    report = ask(with_mask(NAMED["chunks"][0]), meant={"window": (7, 0)})
    assert [problem.code for problem in report.problems] == ["window"], report
    assert "query i sees only keys of its own chunk of 8" in str(report)


def follows_no_rule(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Hide some pairs for no reason."""
    return np.asarray((7 * i + 3 * j) % 5 != 0)


def test_a_mask_that_follows_no_rule_leaves_the_other_facts() -> None:
    report = ask(with_mask(follows_no_rule))
    assert report.status == 2, report
    assert "Who sees whom follows no rule that I know" in report.verdict
    assert report.facts["scale_name"] == "1/√d_k"
    assert report.facts["alignment"] is None
    assert any("agree with these facts" in line for line in report.sentences)


def test_a_mask_that_follows_no_rule_is_a_problem_where_causal_was_meant() -> None:
    report = ask(with_mask(follows_no_rule), meant={"alignment": "start"})
    assert [problem.code for problem in report.problems] == ["alignment"], report
    assert "79% of the pairs" in report.problems[0].sentence


def largest_four(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Attend to the four keys of the largest scores."""
    scores = q @ k.swapaxes(-1, -2)
    least = np.sort(scores, -1)[..., -4:-3]
    return scaled_dot_product_attention(q, k, v, mask=scores >= least)


def test_a_mask_that_depends_on_the_scores_is_not_taken_for_a_rule() -> None:
    report = ask(largest_four)
    assert report.status == 2, report
    assert "who_sees_whom" not in report.details


GONE_WRONG: dict[str, tuple[str, Shaped, str]] = {
    "sign": (
        "mask-offset",
        lambda i, j, n, m: j <= i - (m - n),
        "the offset between queries and keys has the wrong sign",
    ),
    "queries": (
        "mask-begins-anew",
        lambda i, j, n, m: j <= i % 16,
        "begins anew with each block of 16 queries",
    ),
    "keys": (
        "mask-begins-anew",
        lambda i, j, n, m: j % 8 <= i,
        "begins anew with each block of 8 keys",
    ),
    "lags": (
        "mask-lags",
        lambda i, j, n, m: j <= i - i % 4,
        "up to the first query of its own block of 4",
    ),
}


@pytest.mark.parametrize("name", GONE_WRONG)
def test_a_causal_mask_that_goes_wrong_is_a_problem_whatever_was_meant(
    name: str,
) -> None:
    code, seen, words = GONE_WRONG[name]

    def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        n, m = q.shape[-2], k.shape[-2]
        mask = seen(np.arange(n)[:, None], np.arange(m), n, m)
        return scaled_dot_product_attention(q, k, v, mask=mask)

    for meant in ({}, {"alignment": "end"}):
        report = ask(attend, meant=meant)
        assert [problem.code for problem in report.problems] == [code], report
        assert words in report.problems[0].sentence
        assert report.facts["scale_name"] == "1/√d_k"


def test_it_says_at_which_sizes_a_mask_follows_no_rule() -> None:
    def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
        n, m = q.shape[-2], k.shape[-2]
        i, j = np.arange(n)[:, None], np.arange(m)
        mask = (j <= i) | ((n < m) & (j > n + 2))
        return scaled_dot_product_attention(q, k, v, mask=mask)

    report = ask(attend, meant={"alignment": "start"})
    (problem,) = report.problems
    assert "of 12 queries and 24 keys have a weight, though 12 queries and 12 keys" in (
        problem.sentence
    )
    assert problem.sentence.endswith("meet as under a causal mask.")
    assert report.unexplained == ""  # it is not said twice
