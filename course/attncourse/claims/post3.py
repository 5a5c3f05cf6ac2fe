"""Post 3: “Smart robots perform complex tasks”, identity projections, d_k = 2."""

import numpy as np

from attnlib import (
    SelfAttention,
    cosine_similarity,
    dot_product_scores,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
)

from . import posts as ex
from .measures import (
    are_probabilities,
    finite,
    gradients_with_scale,
    own_largest,
    plain_softmax,
    same_order,
    show,
)
from .registry import Found, checks

# ruff: noqa: D103 (each function is the checker of the claim of its name)


SMART, ROBOTS, PERFORM, COMPLEX, TASKS = range(5)
IDENTITY = np.eye(2)
PRINTED_WEIGHTS = np.array([0, 0.19, 0.19, 0, 0.62])
TRACE = SelfAttention(IDENTITY, IDENTITY, IDENTITY).trace(ex.PLANE, tokens=ex.WORDS)


def softmax_robots():
    tasks = TRACE.weights[TASKS]
    handed_over = [0, tasks[0] + tasks[1], tasks[2] + tasks[3], 0, tasks[4]]
    facts = {"tasks": show(tasks, 2)}
    return Found(TRACE.weights[ROBOTS], again=handed_over, facts=facts)


def sum_robots():
    one_left_out = PRINTED_WEIGHTS * [1, 0, 1, 1, 1]
    return Found(PRINTED_WEIGHTS @ ex.PLANE, again=one_left_out @ ex.PLANE)


def _output(word):
    """Return the output exactly, and from weights rounded to two digits."""
    rounded = TRACE.weights[word].round(2) @ ex.PLANE
    return {"value": TRACE.output[word], "rounded": rounded}


def output_smart():
    ours = {"smart": TRACE.output[SMART], "robots": TRACE.output[ROBOTS]}
    facts = {word: show(numbers, 2) for word, numbers in ours.items()}
    return Found(**_output(SMART), facts=facts)


def output_perform():
    facts = {"weights": show(TRACE.weights[PERFORM], 2)}
    return Found(**_output(PERFORM), facts=facts)


def similarity():
    cosine = cosine_similarity(ex.PLANE[SMART], ex.PLANE[COMPLEX])
    scores = {
        "self": TRACE.scores[SMART, SMART],
        "longer": TRACE.scores[SMART, COMPLEX],
    }
    share = own_largest(TRACE.scores, ties=True).mean()
    return Found(float(share), facts={"cosine": float(cosine), **scores})


def scaling_reason():
    factor = 50
    scores = scale_scores(dot_product_scores(factor * ex.PLANE, factor * ex.PLANE), 2)
    assert finite(plain_softmax(scores)) != "finite"
    return Found(None, facts={"factor": factor})


def softmax_proportional():
    scaled = TRACE.scaled_scores[ROBOTS]
    facts = {"proportion": show(scaled / scaled.sum(), 2)}
    return Found(softmax(scaled), facts=facts)


def formula():
    query, key, value = ex.draw(3, 5, 2)
    steps = softmax(query @ key.T / np.sqrt(2)) @ value
    return np.allclose(steps, scaled_dot_product_attention(query, key, value))


def context():
    full = TRACE.output[ROBOTS]
    pair = SelfAttention(IDENTITY, IDENTITY, IDENTITY)(ex.PLANE[[SMART, ROBOTS]])[1]
    texts = {"pair": show(pair, 2), "full": show(full, 2)}
    return Found(not np.allclose(pair, full), facts=texts)


checks(
    "post3",
    {
        "identity": lambda: all(
            np.array_equal(t, ex.PLANE) for t in (TRACE.query, TRACE.key, TRACE.value)
        ),
        "scores-robots": lambda: TRACE.scores[ROBOTS],
        "scaled-robots": lambda: TRACE.scaled_scores[ROBOTS],
        "softmax-zero": lambda: TRACE.weights[ROBOTS, SMART],
        "weights-sum": lambda: PRINTED_WEIGHTS.sum(),
        "output-robots": lambda: Found(**_output(ROBOTS)),
        "output-complex": lambda: Found(
            **_output(COMPLEX), facts={"second": TRACE.output[COMPLEX, 1]}
        ),
        "output-tasks": lambda: Found(**_output(TASKS)),
        "dimension": lambda: len([0.2, -0.4]),
        "flow-scores": lambda: dot_product_scores(ex.X, ex.X).size,
        "qkv-names": lambda: (
            scaled_dot_product_attention(IDENTITY, IDENTITY, IDENTITY).shape
        ),
        "more-score-more-weight": lambda: same_order(TRACE.scores, TRACE.weights),
        "tiny-gradients": lambda: gradients_with_scale(n_tokens=5, d_k=512),
        "softmax-range": lambda: are_probabilities(TRACE.weights),
    },
)
