"""Lesson 3's live figure: scores divided by a power of d_k, for all d_k at once."""

import functools
from typing import Any, NamedTuple

import numpy as np
import traitlets

from attnlib import dot_product_scores, softmax

from ..kit.checks import check_between
from ..kit.panel import Panel, View, choice, numbers, slider
from . import still

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
N_QUERIES, N_KEYS, N_SHOWN = 512, 8, 24


class ScalingView(View, beside=__file__):
    """The scores that attnlib computed for each d_k; the page divides and weighs them.

    ``d_k`` is the place of the chosen size among ``sizes``.
    """

    sizes = traitlets.List(traitlets.Int()).tag(sync=True)
    spreads = traitlets.List(traitlets.Float()).tag(sync=True)
    scores = traitlets.List().tag(sync=True)
    p = traitlets.Float().tag(sync=True)
    d_k = traitlets.Int().tag(sync=True)


class Divided(NamedTuple):
    """What is left of the scores after dividing by d_kᵖ.

    ``spread`` (10,) has the standard deviation of all 4,096 scores for each d_k;
    ``weights`` (512, 8) are the queries' weights at the chosen one.
    """

    spread: Any
    weights: Any


@functools.cache
def _draw():
    rng = np.random.default_rng(0)
    query = rng.standard_normal((N_QUERIES, 1, SIZES[-1]))
    return query, rng.standard_normal((N_QUERIES, N_KEYS, SIZES[-1]))


@functools.cache
def random_scores(d_k):
    """Return the scores of 512 queries, each with eight keys of its own: (512, 8).

    All numbers of the queries and keys are standard normal. A query of more numbers
    begins with those of one that has fewer.
    """
    query, key = _draw()
    return dot_product_scores(query[..., :d_k], key[..., :d_k])[:, 0]


def panel(p=0.0, d_k=64, *, weighed=True):
    """Return the live figure of lesson 3.

    Parameters
    ----------
    p : float, from 0 to 1
        The exponent to begin with: scores are divided by d_kᵖ.
    d_k : int
        Numbers in each query and key to begin with: a power of two up to 512.
    weighed : bool
        Whether the weights are shown too; without them there is no d_k to choose.

    Returns
    -------
    Panel
        ``compute()`` gives what is `Divided`, computed by attnlib.

    Raises
    ------
    ValueError
        If p or d_k is not one that its slider offers.
    """
    p = check_between("scaling", "p", p, 0, 1)
    if d_k not in SIZES:
        raise ValueError(f"scaling: d_k must be one of {SIZES}, got {d_k}")
    scores = {size: random_scores(size) for size in SIZES}
    view = ScalingView(
        sizes=list(SIZES),
        spreads=numbers([s.std() for s in scores.values()]),
        scores=[numbers(s[:N_SHOWN], 4) for s in scores.values()] if weighed else [],
        p=p,
        d_k=SIZES.index(d_k),
    )
    controls: dict[str, Any] = {"p": slider("Exponent p", p, 0.0, 1.0, 0.05)}
    if not weighed:
        spreads = dict(zip(SIZES, view.spreads, strict=True))
        drawn = functools.partial(still.three_spreads, spreads)
        return Panel(view, controls, still=drawn, compute=_divide)
    controls["d_k"] = choice("Numbers d_k", SIZES, d_k)
    drawn = functools.partial(still.three_exponents, scores)
    return Panel(view, controls, still=drawn, compute=_divide)


def _divide(p, d_k=SIZES[-1]):
    spread = np.array([random_scores(size).std() / size**p for size in SIZES])
    return Divided(spread, softmax(random_scores(d_k) / d_k**p))
