"""The figures of the cards on what keeps scores tame."""

import numpy as np

from attnlib import attention_weights, rms_norm, softmax

from ..kit.controls import Check, Choice, Slider
from ..kit.panel import choice
from ..kit.tabled import Bars, Curves, tabled

GROWN = (1, 2, 5, 10, 20, 50, 100)


@tabled(
    controls={"grown": Choice("Queries grow by", 10, GROWN, look=choice)},
    drawn=Curves(
        "Mean of the largest weights of rows",
        "grown_by",
        "queries grow by, in powers",
        {"as they are": "plain", "normed": "normed"},
        moves="grown",
        log="x",
    ),
    title="Queries that grow, with and without QK-norm",
    summary="Queries {grown} times as long: the largest of 16 weights is "
    "{plain.$at:.2f} on average, normed {normed.$at:.2f}.",
    said=("largest weight {plain.$at:.2f}", "normed {normed.$at:.2f}"),
)
def qk_norm(grown):
    """Return the mean largest weight, as queries grow, plain and normed."""
    query, key = np.random.default_rng(14).standard_normal((2, 40, 16, 64))
    tops = [
        [attention_weights(*pair).max(axis=-1).mean() for pair in pairs]
        for pairs in (
            [(n * query, key) for n in GROWN],
            [(rms_norm(n * query), rms_norm(key)) for n in GROWN],
        )
    ]
    plain, normed = np.round(tops, 3)
    return {
        "grown_by": GROWN,
        "plain": plain,
        "normed": normed,
    }


@tabled(
    controls={
        "tau": Choice("Threshold τ", 100, (20, 25, 30, 50, 100, 150, 200), look=choice)
    },
    drawn=Bars(
        "Largest score of each head (gray: before)", "now", "now", ".1f", before="was"
    ),
    title="QK-clip: the heads that a threshold changes",
    summary="Clipped: {n_clipped} of 4 heads. The first one's largest weights were "
    "{top:.2f} on average, and are {then:.2f}.",
    said=("{n_clipped} of 4 heads clipped", "top weights {then:.2f}"),
)
def qk_clip(tau):
    """Return largest scores and mean top weights of four heads; one has grown."""
    rng = np.random.default_rng(14)
    x = rng.standard_normal((64, 32))
    w_query, w_key = 2.5 * rng.standard_normal((2, 4, 32, 16)) / 32**0.5
    w_query[0] *= 6
    factor = np.ones((4, 1, 1))
    found = []
    for _ in range(2):
        query, key = x @ (factor * w_query), x @ (factor * w_key)
        scores = query @ np.swapaxes(key, -1, -2) / 4
        top = attention_weights(query, key).max(axis=-1).mean(axis=-1)
        found.append((abs(scores).max(axis=(-1, -2)).round(1), top.round(3)))
        factor = np.minimum(1, tau / found[0][0])[:, None, None] ** 0.5
    (was, top), (now, then) = found
    return {
        "names": [f"head {h + 1}" for h in range(4)],
        "was": was,
        "now": now,
        "n_clipped": int((now < was).sum()),
        "top": top[0],
        "then": then[0],
    }


@tabled(
    controls={"steps": Slider("Newton–Schulz steps", 0, 0, 6, 1)},
    drawn=Curves(
        "Singular values of a step, of 32",
        "numbers",
        "the largest first",
        {"now": "now", "before": "was"},
    ),
    title="Muon: singular values drawn near 1",
    summary="After {steps} steps the 32 singular values lie between {least:.3f} and "
    "{most:.2f}.",
    said=("from {least:.3f} to {most:.2f}",),
)
def muon(steps):
    """Return the singular values of a gradient after so many Newton–Schulz steps."""
    rng = np.random.default_rng(14)
    inputs = rng.standard_normal((128, 64)) * np.logspace(0, -1.5, 64)
    x = rng.standard_normal((32, 128)) @ inputs
    values = np.linalg.svd(x / np.linalg.norm(x), compute_uv=False)
    was = values
    for _ in range(steps):  # an odd polynomial acts on each singular value by itself
        values = 3.4445 * values - 4.775 * values**3 + 2.0315 * values**5
    few = slice(1, 32, 2)
    return {
        "numbers": np.arange(1, 33)[few],
        "was": was[few].round(4),
        "now": values[few].round(4),
        "least": values.min(),
        "most": values.max(),
    }


KEYS = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


@tabled(
    controls={
        "lead": Slider("Lead of the right key", 4, 1, 12, 1),
        "scaled": Check("Scores grow with ln n", default=False),
    },
    drawn=Curves(
        "Weight of the key that leads",
        "n",
        "keys, by powers of ten",
        {"weight": "weight"},
        log="x",
    ),
    title="A good score among more and more keys",
    summary="It leads by {lead}: its weight is {weight.0:.2f} among 10 keys, and "
    "{weight.8:.2f} among 100,000.",
    said=("{weight.8:.2f} among 100,000", "{weight.0:.2f} among 10"),
)
def ln_n(lead, scaled):
    """Return the weight of a key that leads all others, by how many there are."""
    n = np.array(KEYS, float)
    by = lead * (np.log(n) / np.log(10) if scaled else 1)
    weight = np.exp(by) / (np.exp(by) + n - 1)
    return {"n": KEYS, "weight": weight.round(3)}


ALIKE = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@tabled(
    controls={
        "alike": Choice("How alike the noise is", 0.9, ALIKE, look=choice),
        "share": Choice("λ", 0.6, (0.3, 0.6, 0.9)),
    },
    drawn=Curves(
        "Share of all weight on the right key",
        "alike_by",
        "correlation of the noise",
        {"two maps": "two", "one map": "one"},
        moves="alike",
        form_x=".1f",
    ),
    title="Two maps, one subtracted: what the right key gets",
    summary="With two maps the right of 1,000 keys gets {two.$at:.2f} of all weight, "
    "with one {one.0:.2f}.",
    said=("two maps {two.$at:.2f}", "one map {one.0:.2f}"),
)
def differential(alike, share, n=1000, draws=60):
    """Return the share of all weight on the right key, with two maps and with one."""
    rng = np.random.default_rng(14)
    first, own = rng.standard_normal((2, draws, n))
    noise, one = first.copy(), first
    one[:, 0] = np.log(n - 1)  # the right key leads in the first map alone
    one = softmax(one)
    found = []
    for much in ALIKE:
        two = one - share * softmax(much * noise + (1 - much**2) ** 0.5 * own)
        found.append((two[:, 0] / abs(two).sum(axis=1)).mean())
    return {
        "alike_by": ALIKE,
        "two": np.round(found, 3),
        "one": np.full(len(ALIKE), one[:, 0].mean().round(3)),
    }
