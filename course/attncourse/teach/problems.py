"""Questions that are drawn: numbers of one's own, keys computed, within a band.

Numbers are chosen so that they come out well with a pencil. What is wrong in *find the
bug* is a known mistake of the exercises, computed as the checker computes it.
"""

import functools
import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from attnconfig import read
from attncourse.practice.catalogue import named
from named_mistakes.exercise import Case


@dataclass(frozen=True)
class Problem:
    """One question with its key.

    Parameters
    ----------
    kind : str
    asked : str
        As HTML.
    given : dict
        The numbers that are printed, for whoever wants to compute the key again.
    key : list of numbers, or the letter of a choice
    working : list of (marks, str)
        The steps, as HTML, with the marks for each.
    choices : tuple of (code, words)
    effort : int
        Products to be worked out, of factors other than 0 and ±1.
    """

    kind: str
    asked: str
    given: dict[str, Any]
    key: Any
    working: list[tuple[int, str]]
    choices: tuple[tuple[str, str], ...] = ()
    effort: int = 0

    @property
    def marks(self) -> int:
        """Marks in all."""
        return sum(marks for marks, _ in self.working)


@dataclass
class Rows:
    """Rows of numbers, as HTML."""

    names: list[str]
    rows: Any

    def __str__(self) -> str:
        body = "".join(
            f"<tr><th>{name}</th>"
            + "".join(f"<td>{number(x)}</td>" for x in np.atleast_1d(row))
            + "</tr>"
            for name, row in zip(self.names, self.rows, strict=True)
        )
        return f"<table>{body}</table>"


def number(x: Any) -> str:
    """Write a number as on paper.

    Examples
    --------
    >>> number(2.0), number(-0.5), number(Fraction(3, 8)), number(1 / 3)
    ('2', '−0.5', '3/8', '0.33')
    """
    if isinstance(x, Fraction):
        return str(x).replace("-", "−")
    text = f"{float(x):.2f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace("-", "−")


def _effort(pairs: Any) -> int:
    return sum(abs(a) > 1 and abs(b) > 1 for a, b in pairs)


def scores(rng: np.random.Generator) -> Problem:
    """Dot products of one query with three keys, divided by √4."""
    while True:
        query, keys = rng.integers(-2, 4, 4), rng.integers(-2, 4, (3, 4))
        products = keys @ query
        effort = _effort(
            (q, k) for row in keys for q, k in zip(query, row, strict=True)
        )
        if not any(products % 2) and len(set(products)) == 3 and 3 <= effort <= 6:
            break
    scaled = products // 2
    sums = "; ".join(
        " + ".join(f"{number(q)}·{number(k)}" for q, k in zip(query, row, strict=True))
        + f" = {number(p)}"
        for row, p in zip(keys, products, strict=True)
    )
    return Problem(
        "scores",
        "A query and three keys have d<sub>k</sub> = 4. Compute the three "
        "<b>scaled scores</b>."
        + str(Rows(["query", "key 1", "key 2", "key 3"], [query, *keys])),
        {"query": query.tolist(), "key": keys.tolist()},
        scaled.tolist(),
        [
            (2, f"Dot products: {sums}."),
            (1, "Divide by √d<sub>k</sub> = √4 = 2."),
            (1, f"Scaled scores: {', '.join(map(number, scaled))}."),
        ],
        effort=effort,
    )


def softmax(rng: np.random.Generator) -> Problem:
    """Softmax with a small table of exponentials, to be had with a pencil."""
    while True:
        powers = rng.integers(1, 8, 3)
        if powers.sum() in (8, 10, 16, 20) and len(set(powers)) == 3:
            break
    total, shift = int(powers.sum()), int(rng.integers(2, 9))
    weights = [Fraction(int(p), total) for p in powers]
    names = [f"ln {p} + {shift}" for p in powers]
    return Problem(
        "softmax",
        f"Three scaled scores are <b>{', '.join(names)}</b>. Compute the "
        "three <b>weights</b> that softmax gives, as fractions or decimals. "
        "(e<sup>ln a</sup> = a; no calculator is needed.)",
        {"powers": powers.tolist(), "shift": shift},
        [float(w) for w in weights],
        [
            (1, f"A number added to all scores changes nothing: leave out {shift}."),
            (1, f"Exponentials: {', '.join(map(str, powers))}."),
            (1, f"Their sum: {total}."),
            (1, f"Weights: {', '.join(f'{p}/{total}' for p in powers)}."),
        ],
        effort=3,
    )


def weighted_sum(rng: np.random.Generator) -> Problem:
    """One output from three weights and three values."""
    while True:
        tenths, value = rng.integers(1, 8, 3), rng.integers(-3, 7, (3, 2)) * 10
        effort = _effort(
            (a, b / 10) for a, row in zip(tenths, value, strict=True) for b in row
        )
        if tenths.sum() == 10 and len(set(tenths)) == 3 and 3 <= effort <= 6:
            break
    output = tenths @ value // 10
    sums = "; ".join(
        " + ".join(
            f"{number(a / 10)}·{number(b)}" for a, b in zip(tenths, column, strict=True)
        )
        + f" = {number(out)}"
        for column, out in zip(value.T, output, strict=True)
    )
    names = [f"value {i} (weight {number(a / 10)})" for i, a in enumerate(tenths, 1)]
    return Problem(
        "weighted_sum",
        "Three values with the weights of one query. Compute the <b>output</b>, "
        f"two numbers.{Rows(names, value)}",
        {"weights": (tenths / 10).tolist(), "value": value.tolist()},
        output.tolist(),
        [
            (2, f"Multiply each value by its weight: {sums}."),
            (2, f"Output: {', '.join(map(number, output))}."),
        ],
        effort=effort,
    )


# What is shown of an exercise, and the mistakes that a pencil can tell apart.
BUGS = {
    "weighted_sum": (
        "output = weights · value",
        (
            "weights-transposed",
            "mean-instead-of-weighted",
            "winner-takes-all",
            "weights-ignored",
            "keys-reversed",
            "value-transposed",
        ),
    ),
    "scale_scores": (
        "scores brought back to size",
        (
            "missing-scale",
            "scaled-by-d_k",
            "multiplied-by-root",
            "scaled-by-n",
            "constant-scale",
            "subtracted-instead",
        ),
    ),
    "dot_product_scores": (
        "scores, a row for each query",
        (
            "key-not-transposed",
            "query-key-swapped",
            "scaled-too-soon",
            "multiplied-elementwise",
            "triangle-only",
        ),
    ),
}


def _bug_inputs(name: str, rng: np.random.Generator) -> dict[str, Any]:
    if name == "weighted_sum":
        tenths = np.array([rng.permutation([1, 2, 7]), rng.permutation([2, 3, 5])])
        tenths = np.vstack([tenths, rng.permutation([1, 3, 6])])
        return {"weights": tenths / 10, "value": rng.integers(-3, 7, (3, 3)) * 10.0}
    if name == "scale_scores":
        return {"scores": rng.integers(-4, 7, (3, 3)) * 4.0, "d_k": 16}
    size = (2, 2)
    return {
        "query": rng.integers(-3, 5, size) * 1.0,
        "key": rng.integers(-3, 5, size) * 1.0,
    }


def find_the_bug(rng: np.random.Generator) -> Problem:
    """Numbers that came out, and four mistakes one of which gives them."""
    while True:
        name = str(rng.choice(list(BUGS)))
        case = Case("printed", _bug_inputs(name, rng))
        if found := _outcomes(name, case, rng):
            break
    words, (codes, causes, outputs) = BUGS[name][0], found
    right = int(rng.integers(4))
    letter, wanted = "ABCD"[right], named(name).wanted(case)[0]
    shown = "".join(
        f"<div>{key}{_rows(x) if np.ndim(x) else f' = {number(x)}'}</div>"
        for key, x in case.inputs.items()
    )
    return Problem(
        "find_the_bug",
        f"A program computes <b>{words}</b> and has one mistake. For these inputs it "
        f'printed the matrix on the right.<div class="side">{shown}'
        f"<div>printed{_rows(outputs[right])}</div></div>Which mistake is it?",
        {
            "exercise": name,
            "inputs": {k: np.asarray(x).tolist() for k, x in case.inputs.items()},
            "printed": outputs[right].tolist(),
        },
        letter,
        [
            (1, f"It should be {_rows(wanted)}"),
            (
                3,
                f"<b>{letter}</b>, {causes[right]} (<code>{codes[right]}</code>), "
                "gives exactly what was printed; "
                + ", ".join(
                    f"{'ABCD'[i]} would give {number(outputs[i].flat[0])}, "
                    f"{number(outputs[i].flat[1])} …"
                    for i in range(4)
                    if i != right
                )
                + ".",
            ),
        ],
        tuple(zip(codes, causes, strict=True)),
        effort=3,
    )


def _rows(x: Any) -> str:
    return str(Rows([""] * len(x), x))


def _outcomes(name: str, case: Case, rng: np.random.Generator) -> Any:
    """Draw four mistakes whose numbers differ; None if these inputs cannot do that."""
    exercise = named(name)
    wanted = exercise.wanted(case)[0]
    found: dict[str, tuple[str, np.ndarray]] = {}
    for mistake in exercise.mistakes:
        if mistake.code not in BUGS[name][1] or mistake.code in found:
            continue
        try:
            (output,) = exercise.mistaken(case, mistake.steps)
        except (ValueError, IndexError):
            continue
        others = [wanted, *(x for _, x in found.values())]
        if output.shape == wanted.shape and all(
            np.abs(output - x).max() > 0.3 for x in others
        ):
            found[mistake.code] = (mistake.cause, output)
    if len(found) < 4:
        return None
    codes = [str(x) for x in rng.permutation(list(found))[:4]]
    return codes, [found[x][0] for x in codes], [found[x][1] for x in codes]


def configuration(rng: np.random.Generator) -> Problem:
    """Ask for lines of a decoder, and what its cache takes."""
    n_kv = int(2 ** rng.integers(0, 3))
    n_heads = n_kv * int(rng.choice([2, 4, 8]))
    d_k, n_layers = int(rng.choice([20, 40, 50])), int(rng.choice([2, 4, 5, 10]))
    n_tokens = int(rng.choice([10, 20, 100, 200]))
    lines = {
        **{"model_type": "llama", "hidden_size": n_heads * d_k},
        **{"num_hidden_layers": n_layers, "num_attention_heads": n_heads},
        **{"num_key_value_heads": n_kv, "intermediate_size": 4 * n_heads * d_k},
        **{"vocab_size": 1000},
    }
    total = read(lines).cache_bytes(n_tokens, 2)
    heads = "1 head" if n_kv == 1 else f"{n_kv} heads"
    text = html.escape(json.dumps(lines, indent=1))
    return Problem(
        "configuration",
        f"These are lines of a decoder's configuration.<pre>{text}</pre>(a) What is "
        "d<sub>k</sub>, the size of one head? (b) How many query heads share one key "
        f"and value? (c) How many bytes does the cache hold after {n_tokens} tokens, "
        "at 2 bytes a number?",
        {"configuration": lines, "n_tokens": n_tokens},
        [d_k, n_heads // n_kv, total],
        [
            (1, f"(a) {n_heads * d_k} / {n_heads} = {d_k}."),
            (1, f"(b) {n_heads} / {n_kv} = {n_heads // n_kv}."),
            (
                2,
                f"(c) 2 (keys and values) · {n_layers} layers · {heads} · {d_k} · "
                f"{n_tokens} tokens · 2 bytes = {total:,}.",
            ),
        ],
        effort=4,
    )


KINDS: tuple[Callable[[np.random.Generator], Problem], ...] = (
    scores,
    softmax,
    weighted_sum,
    find_the_bug,
    configuration,
)
BY_NAME = {kind.__name__: kind for kind in KINDS}
BAND = (16, 22)  # effort of a sheet of all kinds
SHARES = (0.85, 1.15)  # of the middle effort, for a sheet of some


@functools.cache
def band(kinds: tuple[str, ...]) -> tuple[float, float]:
    """Return the effort that a sheet of these kinds may take, least and most."""
    if set(kinds) == set(BY_NAME):
        return BAND
    rng = np.random.default_rng(0)  # of no sheet
    each = [
        sum(BY_NAME[name](rng).effort for name in kinds) for _ in range(50)
    ]  # 50: enough for a middle
    middle = float(np.median(each))
    return middle * SHARES[0], middle * SHARES[1]


def sheet(
    rng: np.random.Generator, times: int = 1, kinds: tuple[str, ...] = ()
) -> list[Problem]:
    """Draw a sheet: each kind so many times, in order, its effort within the band.

    Parameters
    ----------
    rng : numpy.random.Generator
    times : int
    kinds : tuple of str
        Of `BY_NAME`; all of them if none is named.
    """
    chosen = tuple(name for name in BY_NAME if name in kinds or not kinds)
    low, high = band(chosen)
    while True:
        drawn = [BY_NAME[name](rng) for name in chosen for _ in range(times)]
        if times * low <= sum(one.effort for one in drawn) <= times * high:
            return drawn
