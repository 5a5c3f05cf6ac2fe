"""causal_mask: nothing from the future. Its mistakes are seen from the mask itself."""

from collections.abc import Iterator

import numpy as np

from attncourse.practice.mistakes.looks import MASK
from attnlib.masks import causal_mask
from named_mistakes.cases import sizes
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding


def draw(rng: np.random.Generator) -> list[Case]:
    """Three sizes."""
    small, larger = sorted(sizes(rng, 2))
    return [
        Case("1 token", {"n": 1}),
        Case("a few tokens", {"n": small}),
        Case("more tokens", {"n": larger}),
    ]


MEANINGS = {
    "rows-columns-swapped": "rows and columns have changed places",
    "nothing-hidden": "it hides nothing at all",
    "everything-hidden": "it hides everything",
    "rows-all-alike": "all its rows are alike, where each query has a row of its own",
    "rows-reversed": "its rows, or its columns, stand in reverse order",
    "row-empty": "a whole row of it allows nothing",
    "key-hidden": "it hides a key from every query",
    "inverted": "it forbids what it should allow and allows what it should forbid",
    "looks-ahead": "it lets a query see a key that comes after it",
    "hides-itself": "it hides a query's own key from it",
    "hides-the-past": "it hides a key that comes before the query",
}
LOOK = {
    "rows-columns-swapped": "row i is the query, column j the key: j may not exceed i",
    "nothing-hidden": "a key that comes after the query is hidden",
    "everything-hidden": "a token may attend to itself and to all of the past",
    "rows-all-alike": "row i allows the first i + 1 keys",
    "rows-reversed": "row 0 is the first token, which sees itself alone",
    "row-empty": "a token may attend to itself, so every row allows something",
    "key-hidden": "a key may be seen by its own query, and by every later one",
    "inverted": "True means may attend",
    "looks-ahead": "row i is the query and column j the key, and j may not exceed i",
    "hides-itself": "a token may attend to itself, so the diagonal counts",
    "hides-the-past": "all of the past may be seen, not only a part of it",
}


def senses(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Read from the mask which pairs are wrong."""
    telling = (j for j in judged if j.fits and not j.right and j.case.inputs["n"] > 1)
    for one in telling:
        n = one.case.inputs["n"]
        wrong = int(np.sum((one.got[0] != 0) != one.wanted[0]))
        turned = all(_turned(j) for j in judged)
        for code in ["rows-columns-swapped"] if turned else _seen(one):
            are = "is" if wrong == 1 else "are"
            yield Finding(
                code,
                f"For n = {n}, {wrong} of the {n * n} pairs of your mask {are} wrong: "
                f"{MEANINGS[code]}. Remember that {LOOK[code]}.",
            )
        return


def _seen(one: Judged) -> list[str]:
    """Name what is seen of a whole mask, or else of single pairs."""
    mask, right = one.got[0] != 0, one.wanted[0]
    whole = {
        "nothing-hidden": mask.all(),
        "everything-hidden": not mask.any(),
        "rows-all-alike": np.all(mask == mask[:1]),
        "rows-reversed": any(np.array_equal(np.flip(mask, k), right) for k in (0, 1)),
        "row-empty": _only_empty(one, axis=-1),
        "key-hidden": _only_empty(one, axis=0),
    }
    ahead, past, itself = mask[~right], np.tril(right, -1), np.diag(mask)
    backwards = bool(ahead.all() and not mask[past].any())
    exactly = backwards and not itself.any()
    pairs = {
        "inverted": backwards,
        "looks-ahead": ahead.any() and not exactly,
        "hides-itself": not itself.all() and not exactly,
        "hides-the-past": not mask[past].all() and not backwards,
    }
    told = [code for code, found in whole.items() if found][:1]
    return told or [code for code, found in pairs.items() if found]


def _only_empty(one: Judged, axis: int) -> bool:
    """Tell whether some rows, or columns, allow nothing, and the others are right."""
    mask = one.got[0] != 0
    right = one.wanted[0] & mask.any(axis=axis, keepdims=True)
    return bool(np.array_equal(mask, right))


def _turned(one: Judged) -> bool:
    return one.fits and bool(np.array_equal(one.got[0] != 0, one.wanted[0].T))


EXERCISE = Exercise(
    "causal_mask", causal_mask, draw, signs=(senses,), returns=("mask",), truth=MASK
)
