"""What weights add up to: over the keys, the queries, not at all, or with a sink."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.denominators import (
    constant,
    masked_after,
    not_divided,
    other_axes,
    shifted,
    sink,
    tell_sigmoids,
)
from attncheck.questions.padding import is_padded
from attncheck.questions.row_sums import (
    Sums,
    measure_sums,
    tell_sums,
    weight_of_one_key,
)
from attncheck.subject import Refused

ONE_KEY = 1e-3  # what one key alone may lack: it needs no rounding


def ask_sums(case: Case) -> None:
    """Compare weights with exp(score), and find what they were divided by."""
    found = measure_sums(case)
    sums = found.weights.sum(-1)[found.rows]
    if not sums.size:
        return
    if case.model.normalized == "sigmoid":
        tell_sigmoids(case, found, sums)
    elif is_padded(case):
        return
    elif _are_one(case, sums):
        case.report.facts["normalized"] = "keys"
        empty = np.nan_to_num(found.weights.sum(-1)[~found.rows])
        which = " that sees a key" * (empty.size > 0 and not _are_one(case, empty))
        words = f"The weights of each query{which} add up to 1."
        case.report.sentences.append(words)
    elif case.by_query and case.model.sees == "queries":
        _tell_transposed(case, sums)
    elif case.by_query:
        case.model = case.model.change(normalized="queries")
        tell_sums(case, "queries", _over_queries(case), sums)
    else:
        _explain(case, found, sums)


def _tell_transposed(case: Case, sums: np.ndarray) -> None:
    """Say it where query i has the weights of key i, which add up by keys."""
    case.model = case.model.change(sees="keys", values="of transposed weights")
    report = case.report
    report.problems = [p for p in report.problems if p.code != "queries-keys-exchanged"]
    report.facts["normalized"] = "queries"
    wide = ((1, case.heads, n, case.d) for n in (case.n, 2 * case.n, 2 * case.n))
    begins = "With as many queries as keys, the" if case.subject.works(*wide) else "The"
    report.add(
        "weights-transposed",
        f"{begins} weights are transposed before the product with the values: query i "
        "has the weights of key i, and those of each key add up to 1.",
        **{"smallest sum": float(sums.min()), "largest": float(sums.max())},
    )


def _over_queries(case: Case) -> str:
    """Say what adds up to 1; with more keys, weights that were transposed do not."""
    words = "the weights of each key add up to 1"
    try:
        w = case.probes.even(case.n, 2 * case.n)[0]
    except Refused:
        return f"With as many queries as keys, {words}, not those of each query."
    sums = w.sum(-2)[(w > 0).any(-2)]
    if sums.size and np.allclose(sums, 1, atol=0.02):
        return f"Softmax runs over the queries: {words}."
    return f"With as many queries as keys, {words}, as if weights were transposed."


def _are_one(case: Case, sums: np.ndarray) -> bool:
    """Say whether rows add up to 1, and one key alone gets all: a sink shows there."""
    eps = case.subject.format.eps
    near = np.allclose(sums, 1, atol=max(0.012, 2.5 * eps))
    if not near or abs(sums.mean() - 1) > max(4e-3, eps):
        return False
    alone = weight_of_one_key(case)
    return alone is None or bool((alone > 1 - ONE_KEY).all())


def _tell_one_key(case: Case) -> bool:
    """Say that one key alone does not get all, where weights add up to 1 with more."""
    alone = weight_of_one_key(case)
    far = np.abs(alone - 1) if alone is not None else np.zeros(1)
    if alone is None or far.max() < 0.05:
        return False
    n, one = case.many, float(alone[far.argmax()])
    case.report.facts["normalized"] = "keys"
    told = f"With {n} queries and {n} keys, the weights of a query add up to 1."
    case.report.sentences.append(told)
    case.report.add(
        "rows",
        f"With one query and one key, of score 0, the weight of that key is {one:.3g}, "
        f"though with {n} queries and {n} keys the weights of a query add up to 1.",
        **{"weight of one key": one},
    )
    return True


def _tell_rounded_values(case: Case) -> bool:
    """Say that outputs are not in proportion to the values, if they are not.

    Where every value is the same, the output is that value times the sum of weights.
    """
    q, k = (case.probes.draw(1, case.heads, case.n, case.d) for _ in range(2))
    given = {}
    for size in (1.0, 0.25, 3.0):
        output = case.subject(q, k, np.full_like(k, size))
        given[size] = float(np.median(output[np.isfinite(output) & (output != 0)]))
    shares = [x / size for size, x in given.items()]
    if not np.isfinite(shares).all() or np.ptp(shares) < 4 * case.tolerance:
        return False
    where = ", ".join(f"{size:g} give {x:.4g}" for size, x in given.items())
    case.report.add(
        "values-rounded",
        f"Outputs are not in proportion to the values, as when values are rounded or "
        f"clipped: values of {where}.",
    )
    case.report.unexplained = (
        "What its weights are divided by cannot be seen through such values."
    )
    return True


def _explain(case: Case, found: Sums, sums: np.ndarray) -> None:
    """Try the denominators that are known, where there is a scale to compute them."""
    facts, words = case.report.facts, "The weights of a query do not add up to 1."
    if facts["scale"] is None:
        tell_sums(case, "no", words, sums)
        return
    for explain in (
        not_divided,
        masked_after,
        other_axes,
        sink,
        shifted,
        constant,
    ):
        if explain(case, found, sums, 5 * case.tolerance):
            return
    near = max(0.012, 2.5 * case.subject.format.eps)
    if np.allclose(sums, 1, atol=near) and _tell_one_key(case):
        return
    if _tell_rounded_values(case):
        return
    tell_sums(case, "no", words, sums)
    case.report.unexplained = case.report.unexplained or (
        "What its weights are divided by is none of the sums that I know."
    )
    least = max(1e-3, 10 * case.subject.format.eps)
    if case.report.details.get("left", 0) > least:
        facts["scale"] = facts["scale_name"] = None
