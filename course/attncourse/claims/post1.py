"""Post 1: “This is book”."""

import numpy as np

from attncourse import story
from attnlib import (
    Encoder,
    MultiHeadAttention,
    SelfAttention,
    cosine_similarity,
    dot_product_scores,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
    tokenize,
)

from . import posts as ex
from .measures import (
    are_probabilities,
    distinct_outputs,
    gradients_with_scale,
    outcome,
    own_largest,
    prefers,
    show,
)
from .registry import Found, checks

# ruff: noqa: D103 (each function is the checker of the claim of its name)


RAW_SCORES = dot_product_scores(ex.THIS_IS_BOOK, ex.THIS_IS_BOOK)


def randn():
    draws = np.array([ex.draw(3, 5, seed=seed) for seed in range(100)])
    off = np.abs(draws - ex.THIS_IS_BOOK).max(axis=(1, 2))
    return Found(None, facts={"draws": 100, "nearest": off.min()})


def curly_quotes():
    facts = {
        "shown": outcome(compile, "print(f”{(3, 5)}”)", "post 1", "exec"),
        "straight": outcome(compile, 'print(f"{(3, 5)}")', "post 1", "exec"),
    }
    return Found(None, facts=facts)


def rows_are_words():
    weights = ex.draw(3, 5, 7)  # query, key and value at once
    whole = ex.THIS_IS_BOOK @ weights
    return all(np.allclose(whole[:, i], ex.THIS_IS_BOOK[i] @ weights) for i in range(3))


def self_largest():
    examples = {
        "post1": RAW_SCORES,
        "post3": dot_product_scores(ex.PLANE, ex.PLANE),
        "post4": dot_product_scores(ex.QUERY, ex.KEY),
        "post5": ex.LAYER.trace(ex.X).scores,
    }
    wins = {name: int(own_largest(s).sum()) for name, s in examples.items()}
    return Found(None, facts=wins)


def diagonal_matrix():
    off_diagonal = RAW_SCORES - np.diag(np.diagonal(RAW_SCORES))
    largest = np.abs(off_diagonal).max()
    return Found(bool(largest == 0), facts={"largest": largest})


def this_book():
    cosine = cosine_similarity(ex.THIS_IS_BOOK[0], ex.THIS_IS_BOOK[2])
    dots = {"dot": RAW_SCORES[0, 2], "nearer": RAW_SCORES[0, 1]}
    return Found(None, facts={"cosine": float(cosine), **dots})


def softmax_range():
    weights = softmax(scale_scores(RAW_SCORES, 5))
    facts = {
        "smallest": weights.min(),
        "largest": weights.max(),
        "total": weights[0].sum(),
    }
    return Found(are_probabilities(weights), facts=facts)


def softmax_rows():
    from scipy.special import softmax as scipy_softmax  # not there in a page

    rows = np.array([scipy_softmax(row) for row in RAW_SCORES])
    sums = {"whole": scipy_softmax(RAW_SCORES).sum(), "rows": rows.sum()}
    return Found(np.allclose(rows, softmax(RAW_SCORES, axis=-1)), facts=sums)


def sum_of_three():
    layer = SelfAttention(*ex.draw(3, 5, 5))
    trace = layer.trace(ex.THIS_IS_BOOK)
    by_hand = sum(trace.weights[0, j] * trace.value[j] for j in range(3))
    return np.allclose(by_hand, trace.output[0])


def unique():
    layer = SelfAttention(*ex.draw(3, 5, 5))
    repeated = "The dog saw the cat"
    silent = story.find()(story.embed(story.sentence("hungry")))[[0, 2]]
    assert np.allclose(silent[0], silent[1])
    facts = {
        "alike": show(silent[0], 2),
        "repeated": repeated,
        "words": len(tokenize(repeated)),
        "distinct": distinct_outputs(repeated, layer),
    }
    sentence = "He took the hat and examined it carefully"
    return Found(distinct_outputs(sentence, layer), facts=facts)


def it_hat():
    words = tokenize("He took the hat and examined it carefully")
    share = prefers(words, "it", "hat", "He", draws=2000)
    return Found(None, facts={"share": share, "draws": 2000})


def head_shape():
    query, key, value = ex.draw(3, 3, 64)
    return scaled_dot_product_attention(query, key, value).shape


def heads_width():
    heads = ex.draw(8, 3, 64)
    return np.concatenate(list(heads), axis=-1).shape[-1]


def encoder_width():
    encoder = Encoder.random(1, 512, 8, 64, rng=np.random.default_rng(0))
    return encoder(ex.draw(3, 512)).shape


def output_weights():
    w_query, w_key, w_value, w_output = ex.draw(4, 15, 15)
    x, columns = ex.draw(3, 15, seed=1), np.split(np.arange(15), 5)
    heads = [
        SelfAttention(w_query[:, c], w_key[:, c], w_value[:, c])(x) for c in columns
    ]
    layer = MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=5)
    return np.allclose(np.concatenate(heads, axis=-1) @ w_output, layer(x))


checks(
    "post1",
    {
        "input-shape": lambda: ex.THIS_IS_BOOK.shape,
        "stable-gradients": lambda: gradients_with_scale(n_tokens=3, d_k=64),
    },
)
