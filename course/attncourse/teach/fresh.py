"""Problems with numbers of their own for questions that come back: a lesson, a kind.

Beside those of `problems`, which exams are made of. Numbers come out well with a
pencil; each kind takes up what a question of its lesson asks. Lessons 11 to 13, 15 and
17 ask for no number that a pencil finds.
"""

from typing import Any

import numpy as np

from attncourse.teach.problems import Problem, Rows, number

Generator = np.random.Generator


def _problem(kind: str, asked: str, key: Any, *steps: str) -> Problem:
    numbers = [float(x) for x in np.atleast_1d(key)]
    return Problem(kind, asked, {}, numbers, [(1, step) for step in steps])


def _said(numbers: Any) -> str:
    return ", ".join(map(number, numbers))


def cosine(rng: Generator) -> Problem:
    """Cosine of two rows whose lengths are whole numbers."""
    pairs = [(3, 4, 5), (5, 12, 13), (8, 6, 10), (4, 3, 5), (12, 5, 13)]
    while True:
        (a, b, m), (c, d, n) = (pairs[i] for i in rng.choice(len(pairs), 2, False))
        sign = int(rng.choice([-1, 1]))
        if dot := a * c + sign * b * d:
            break
    return _problem(
        "cosine",
        "Compute the <b>cosine</b> of these two rows, to two places or as a fraction."
        + str(Rows(["a", "b"], [[a, b], [c, sign * d]])),
        dot / (m * n),
        f"Dot product: {number(dot)}.",
        f"Lengths: {m} and {n}.",
        f"Cosine: {number(dot)}/{m * n} = {number(dot / (m * n))}.",
    )


def query(rng: Generator) -> Problem:
    """One word's query: its row times a matrix, where the row picks rows of it."""
    row = rng.permutation([1, 1, 0, 0])
    w_query = rng.integers(-4, 7, (4, 2))
    found = row @ w_query
    names = ["x", *(f"W<sup>Q</sup>, row {i}" for i in range(1, 5))]
    table = str(Rows(names[:1], [row])) + str(Rows(names[1:], w_query))
    picked = " and ".join(str(i + 1) for i in np.flatnonzero(row))
    return _problem(
        "query",
        f"A word has the row x. Compute its <b>query</b>, two numbers.{table}",
        found,
        f"x has a 1 at {picked}: add up those rows of W<sup>Q</sup>.",
        f"Query: {_said(found)}.",
    )


def head_columns(rng: Generator) -> Problem:
    """Which numbers of a row belong to one head."""
    n_heads, d_k = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    head = int(rng.integers(n_heads))
    found = np.arange(d_k) + head * d_k
    return _problem(
        "head_columns",
        f"A row holds the numbers 0 to {n_heads * d_k - 1} in order, and is split "
        f"into {n_heads} heads. Which {d_k} numbers go to <b>head {head}</b>? The "
        "first head is head 0.",
        found,
        f"Each head takes {n_heads * d_k}/{n_heads} = {d_k} columns in a row.",
        f"Head {head} begins at {head}·{d_k}: {_said(found)}.",
    )


def angles(rng: Generator) -> Problem:
    """How far the two clocks of a position have turned."""
    place, steps = int(rng.integers(2, 30)), int(rng.integers(2, 9))
    found = [place, place / 10, steps / 10]
    return _problem(
        "angles",
        "A positional encoding has d<sub>model</sub> = 4 and the base 100, so its two "
        "clocks turn by 1 and by 1/10 a step. Which two angles do they show at "
        f"position <b>{place}</b>, in radians? And how far does the slower one "
        f"turn in the next {steps} steps? Write three numbers.",
        found,
        f"The first turns by 1 a step: {place}.",
        f"The second by 1/√100 = 1/10: {number(place / 10)}.",
        f"In {steps} steps, from any position: {number(steps / 10)}.",
    )


def layer_norm(rng: Generator) -> Problem:
    """Normalize a row whose mean and spread are whole numbers."""
    mean, spread = int(rng.integers(-3, 8)), int(rng.integers(2, 6))
    signs = rng.permutation([1, 1, -1, -1])
    gain, row = int(rng.integers(2, 5)), mean + spread * signs
    return _problem(
        "layer_norm",
        "Compute the <b>layer norm</b> of this row, four numbers, with the gain "
        f"{gain} everywhere and no bias (take eps as 0).{Rows(['row'], [row])}",
        gain * signs,
        f"Mean: {number(mean)}. What is left: {_said(row - mean)}.",
        f"Standard deviation: {spread}. Divided by it: {_said(signs)}.",
        f"Times the gain: {_said(gain * signs)}.",
    )


def causal_weights(rng: Generator) -> Problem:
    """Softmax of a row that may see some of the keys."""
    while True:
        powers, seen = rng.integers(1, 8, 4), int(rng.integers(2, 4))
        total = int(powers[:seen].sum())
        if total in (4, 5, 8, 10):
            break
    found = np.where(np.arange(4) < seen, powers / total, 0)
    return _problem(
        "causal_weights",
        f"Query {seen} of a causal layer, counted from 1, has the scores <b>"
        f"{', '.join(f'ln {p}' for p in powers)}</b>. Compute its four <b>weights</b>.",
        found,
        f"It sees {seen} keys: the others get 0.",
        f"Exponentials: {', '.join(map(str, powers[:seen]))}; their sum: {total}.",
        f"Weights: {_said(found)}.",
    )


def score_gradient(rng: Generator) -> Problem:
    """Gradient of a row of scores, from that of its weights."""
    while True:
        tenths, given = rng.integers(1, 8, 3), rng.integers(-3, 5, 3) * 10
        if tenths.sum() == 10 and len(set(given)) == 3:
            break
    mean = int(tenths @ given) // 10
    found = tenths * (given - mean) / 10
    rows = Rows(["weights", "gradient of the weights"], [tenths / 10, given])
    return _problem(
        "score_gradient",
        f"Compute the <b>gradient of the three scores</b>.{rows}",
        found,
        f"The weighted mean of the gradient: {number(mean)}.",
        f"Each minus that: {_said(given - mean)}.",
        f"Times its weight: {_said(found)}. They add up to 0.",
    )


# Problems with numbers of their own, for the lessons on models of today.


def scale(rng: Generator) -> Problem:
    """Find what scores are multiplied by, from one of them before and after."""
    root = int(rng.choice([2, 4, 5, 8, 10]))
    before = int(rng.choice([2, 3, 6, 7, 9])) * root
    return _problem(
        "scale",
        f"The dot product of a query and a key is <b>{before}</b>; what goes into the "
        f"softmax is <b>{before // root}</b>. What is it multiplied by? And if that is "
        "the usual scale, what is d<sub>k</sub>?",
        [1 / root, root**2],
        f"{before // root}/{before} = 1/{root}.",
        f"The usual scale is 1/√d<sub>k</sub>, so d<sub>k</sub> = {root}² = {root**2}.",
    )


def loss(rng: Generator) -> Problem:
    """How many equal choices a mean loss is like."""
    while True:
        powers = rng.integers(1, 6, 3)
        if powers.sum() % 3 == 0 and len(set(powers)) > 1:
            break
    mean = int(powers.sum()) // 3
    shares = ", ".join(f"1/{2**p}" for p in powers)
    return _problem(
        "loss",
        f"A model gives the probabilities <b>{shares}</b> to the three letters that "
        "come next. Its mean loss is ln of a number: as if it chose among that "
        "many, all equally likely. Which number?",
        2**mean,
        f"The losses are ln {', ln '.join(str(2**p) for p in powers)}.",
        f"That is ln 2 times {', '.join(map(str, powers))}; the mean: {mean}·ln 2.",
        f"{mean}·ln 2 = ln {2**mean}.",
    )


def lead(rng: Generator) -> Problem:
    """Give one key a lead over many others, and ask for its weight."""
    others = int(rng.choice([6, 8, 12, 16, 18, 24]))
    ahead = others * int(rng.choice([1, 3, 4])) // int(rng.choice([1, 2]))
    share = ahead / (ahead + others)
    return _problem(
        "lead",
        f"One key has the score <b>ln {ahead}</b>, the <b>{others}</b> others have 0. "
        "What <b>weight</b> does the one get?",
        share,
        f"Exponentials: {ahead}, and {others} times 1.",
        f"{ahead}/({ahead} + {others}) = {number(share)}.",
    )


def bfloat16(rng: Generator) -> Problem:
    """Ask what follows a power of two in bfloat16, and where a sum of 1s ends."""
    power = int(rng.integers(8, 17))
    step = 2 ** (power - 7)
    return _problem(
        "bfloat16",
        "bfloat16 keeps 8 bits of a number, the first of them always 1. Which number "
        f"comes after <b>{2**power}</b> in it? And if you add 1s from 0, and round "
        "after each, where does the sum end?",
        [2**power + step, 256],
        f"{2**power} = 2<sup>{power}</sup>; 7 bits are left below the first.",
        f"So the next is 2<sup>{power - 7}</sup> = {step} further: {2**power + step}.",
        "From 256 on, the step is 2: 256 + 1 rounds back to 256.",
    )


def latent(rng: Generator) -> Problem:
    """How many times smaller a latent cache is."""
    n_heads, d_k = int(rng.choice([8, 16, 32])), int(rng.choice([32, 64, 128]))
    rank = n_heads * d_k // int(rng.choice([4, 8]))
    times = 2 * n_heads * d_k // rank
    return _problem(
        "latent",
        f"A layer has {n_heads} heads with keys and values of {d_k} numbers each. How "
        "many numbers does its cache hold for a token? And how many times fewer are "
        f"there if it holds a latent row of <b>{rank}</b> numbers in their place?",
        [2 * n_heads * d_k, times],
        f"2·{n_heads}·{d_k} = {2 * n_heads * d_k}.",
        f"{2 * n_heads * d_k}/{rank} = {times}.",
    )
