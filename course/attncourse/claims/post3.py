"""Post 3: “Smart robots perform complex tasks”, identity projections, d_k = 2."""

# ruff: noqa: D103 (what each checker recomputes is said in claims.toml)

import numpy as np

from attnlib import (
    SelfAttention,
)

from . import posts as ex
from .measures import (
    show,
)
from .registry import Found, check

SMART, ROBOTS, PERFORM, COMPLEX, TASKS = range(5)
IDENTITY = np.eye(2)
PRINTED_WEIGHTS = np.array([0, 0.19, 0.19, 0, 0.62])
TRACE = SelfAttention(IDENTITY, IDENTITY, IDENTITY).trace(ex.PLANE, tokens=ex.WORDS)


@check("post3-identity")
def identity():
    return all(
        np.array_equal(t, ex.PLANE) for t in (TRACE.query, TRACE.key, TRACE.value)
    )


@check("post3-scores-robots")
def scores_robots():
    return TRACE.scores[ROBOTS]


@check("post3-scaled-robots")
def scaled_robots():
    return TRACE.scaled_scores[ROBOTS]


@check("post3-softmax-robots")
def softmax_robots():
    tasks = TRACE.weights[TASKS]
    handed_over = [0, tasks[0] + tasks[1], tasks[2] + tasks[3], 0, tasks[4]]
    facts = {"tasks": show(tasks, 2)}
    return Found(TRACE.weights[ROBOTS], again=handed_over, facts=facts)


@check("post3-softmax-zero")
def softmax_zero():
    return TRACE.weights[ROBOTS, SMART]


@check("post3-weights-sum")
def weights_sum():
    return PRINTED_WEIGHTS.sum()


@check("post3-sum-robots")
def sum_robots():
    one_left_out = PRINTED_WEIGHTS * [1, 0, 1, 1, 1]
    return Found(PRINTED_WEIGHTS @ ex.PLANE, again=one_left_out @ ex.PLANE)


def output(word):
    """Return the output exactly, and from weights rounded to two digits."""
    rounded = TRACE.weights[word].round(2) @ ex.PLANE
    return {"value": TRACE.output[word], "rounded": rounded}


@check("post3-output-robots")
def output_robots():
    return Found(**output(ROBOTS))


@check("post3-output-smart")
def output_smart():
    ours = {"smart": TRACE.output[SMART], "robots": TRACE.output[ROBOTS]}
    facts = {word: show(numbers, 2) for word, numbers in ours.items()}
    return Found(**output(SMART), facts=facts)


@check("post3-output-perform")
def output_perform():
    facts = {"weights": show(TRACE.weights[PERFORM], 2)}
    return Found(**output(PERFORM), facts=facts)


@check("post3-output-complex")
def output_complex():
    return Found(**output(COMPLEX), facts={"second": TRACE.output[COMPLEX, 1]})


@check("post3-output-tasks")
def output_tasks():
    return Found(**output(TASKS))
