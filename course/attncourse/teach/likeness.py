"""Answers that are nearly copies of each other, and worth a look.

Answers are compared as Python reads them: comments and layout go, and names that an
answer gives itself become numbers in the order in which they come. Two answers are near
copies if they share most runs of five such tokens. Right answers to a short exercise
are alike in any class; so only answers of some length count, and only those that few of
the class wrote. Files are also compared as a whole, names as they are, if none of their
answers is so long or so alike. It is a reason to talk, never a proof.
"""

import builtins
import io
import keyword
import token
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

RUN, LEAST, ALIKE = 5, 60, 0.85  # tokens in a run, tokens in an answer, share
WHOLE = "all answers"  # in place of an exercise
COMMON = 0.1  # of the class: more than that wrote this independently
SKIPPED = {
    *(token.NEWLINE, token.NL, token.INDENT, token.DEDENT, token.ENDMARKER),
    *(token.COMMENT, token.ENCODING),
}
GIVEN = {*keyword.kwlist, *dir(builtins), "np", "numpy", "math"}


class Pair(NamedTuple):
    """Two files whose answers to an exercise, or to all of them, are alike."""

    exercise: str
    first: str
    second: str
    share: float


def tokens(source: str, *, keeps_names: bool = False) -> tuple[str, ...]:
    """Return a text as tokens, its own names numbered; nothing if it is not Python.

    Examples
    --------
    >>> tokens("def f(x): return x + 1  # one") == tokens("def g(y): return y+1")
    True
    """
    own: dict[str, str] = {}
    found, before = [], ""
    try:
        for one in tokenize.generate_tokens(io.StringIO(source).readline):
            if one.type in SKIPPED:
                continue
            text = one.string
            is_own = one.type == token.NAME and text not in GIVEN and before != "."
            if is_own and not keeps_names:
                text = own.setdefault(text, f"name{len(own)}")
            found.append(text)
            before = one.string
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ()
    return tuple(found)


def near_copies(answers: list[tuple[str, str, str]]) -> list[Pair]:
    """Return the pairs that are alike, the most alike first.

    Parameters
    ----------
    answers : list of (exercise, file, source)
    """
    by_exercise = defaultdict(list)
    whole: dict[str, list[str]] = defaultdict(list)
    for exercise, file, source in sorted(answers):
        by_exercise[exercise].append((file, tokens(source)))
        whole[file] += tokens(source, keeps_names=True)
    by_exercise[WHOLE] = [(file, tuple(read)) for file, read in whole.items()]
    pairs = [p for name, all_ in by_exercise.items() for p in _alike(name, all_)]
    single = {pair[1:3] for pair in pairs if pair.exercise != WHOLE}
    pairs = [p for p in pairs if p.exercise != WHOLE or p[1:3] not in single]
    return sorted(pairs, key=lambda pair: (-pair.share, pair))


def _alike(exercise: str, read: list[tuple[str, tuple[str, ...]]]) -> Iterator[Pair]:
    answers = [
        (file, {one[i : i + RUN] for i in range(len(one) - RUN + 1)})
        for file, one in read
        if len(one) >= LEAST
    ]
    files = {file for file, _ in answers}
    like = defaultdict(set)
    found = []
    for (one, runs), (other, others) in combinations(answers, 2):
        share = len(runs & others) / len(runs | others)
        if one != other and share >= ALIKE:
            first, second = sorted((one, other))
            found.append(Pair(exercise, first, second, share))
            like[one].add(other)
            like[other].add(one)
    most = max(2, COMMON * len(files))
    yield from (p for p in found if max(len(like[p.first]), len(like[p.second])) < most)
