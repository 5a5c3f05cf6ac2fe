"""Problems with numbers of their own, for the lessons on models of today."""

from __future__ import annotations

from attncourse.teach.fresh import Generator, _problem
from attncourse.teach.problems import Problem, number


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
