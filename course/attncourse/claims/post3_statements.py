"""Post 3: what the slides say around their example."""

# ruff: noqa: D103 (what each checker recomputes is said in claims.toml)

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
from .post3 import COMPLEX, IDENTITY, ROBOTS, SMART, TRACE
from .registry import Found, check


@check("post3-dimension")
def dimension():
    return len([0.2, -0.4])


@check("post3-flow-scores")
def flow_scores():
    return dot_product_scores(ex.X, ex.X).size


@check("post3-qkv-names")
def qkv_names():
    return scaled_dot_product_attention(IDENTITY, IDENTITY, IDENTITY).shape


@check("post3-similarity")
def similarity():
    cosine = cosine_similarity(ex.PLANE[SMART], ex.PLANE[COMPLEX])
    scores = {
        "self": TRACE.scores[SMART, SMART],
        "longer": TRACE.scores[SMART, COMPLEX],
    }
    share = own_largest(TRACE.scores, ties=True).mean()
    return Found(float(share), facts={"cosine": float(cosine), **scores})


@check("post3-more-score-more-weight")
def more_score_more_weight():
    return same_order(TRACE.scores, TRACE.weights)


@check("post3-tiny-gradients")
def tiny_gradients():
    return gradients_with_scale(n_tokens=5, d_k=512)


@check("post3-scaling-reason")
def scaling_reason():
    factor = 50
    scores = scale_scores(dot_product_scores(factor * ex.PLANE, factor * ex.PLANE), 2)
    assert finite(plain_softmax(scores)) != "finite"
    return Found(None, facts={"factor": factor})


@check("post3-softmax-proportional")
def softmax_proportional():
    scaled = TRACE.scaled_scores[ROBOTS]
    facts = {"proportion": show(scaled / scaled.sum(), 2)}
    return Found(softmax(scaled), facts=facts)


@check("post3-softmax-range")
def softmax_range():
    return are_probabilities(TRACE.weights)


@check("post3-formula")
def formula():
    query, key, value = ex.draw(3, 5, 2)
    steps = softmax(query @ key.T / np.sqrt(2)) @ value
    return np.allclose(steps, scaled_dot_product_attention(query, key, value))


@check("post3-context")
def context():
    full = TRACE.output[ROBOTS]
    pair = SelfAttention(IDENTITY, IDENTITY, IDENTITY)(ex.PLANE[[SMART, ROBOTS]])[1]
    texts = {"pair": show(pair, 2), "full": show(full, 2)}
    return Found(not np.allclose(pair, full), facts=texts)
