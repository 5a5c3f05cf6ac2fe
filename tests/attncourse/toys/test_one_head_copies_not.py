"""One layer of one head, without a network, can't say what followed a word last time.

"A B … A" asks for B. Of the four sentences, the first and the last hold between them,
position by position, the words of the other two. One head's margin of B over C, times
the sum below its softmax, adds up over positions: so the margins of the four can't be
+, −, −, +, whatever the weights.
"""

import numpy as np
import pytest

from attnlib import dot_product_scores

A, B, C, D = range(4)
SENTENCES = ([A, B, D, C, A], [D, B, A, C, A], [A, C, D, B, A], [D, C, A, B, A])
FOLLOWS = (B, C, C, B)
WIDTH, D_K = 7, 3


def margins(heads, words, places):
    """B over C in the last row of each sentence, times the sums below all softmaxes."""
    readout = np.random.default_rng(1).standard_normal(WIDTH)  # column B minus column C
    for sentence in SENTENCES:
        rows = words[sentence] + places
        margin, sums = rows[-1] @ readout, 1.0
        for w_query, w_key, w_value in heads:
            powers = np.exp(dot_product_scores(rows[-1:] @ w_query, rows @ w_key))[0]
            margin += powers @ rows @ w_value @ readout / powers.sum()
            sums *= powers.sum()
        yield margin * sums


def unlike(n_heads, seed):
    """How far the outer two margins and the inner two are apart, over their size."""
    rng = np.random.default_rng(seed)
    words, places = rng.standard_normal((4, WIDTH)), rng.standard_normal((5, WIDTH))
    shapes = (WIDTH, D_K), (WIDTH, D_K), (WIDTH, WIDTH)
    heads = [[0.5 * rng.standard_normal(s) for s in shapes] for _ in range(n_heads)]
    first, second, third, last = found = [*margins(heads, words, places)]
    return abs(first + last - second - third) / np.abs(found).sum()


def test_the_sentences_ask_for_what_followed():
    for sentence, follows in zip(SENTENCES, FOLLOWS, strict=True):
        assert sentence[sentence.index(A) + 1] == follows
    outer, inner = np.sort(np.array(SENTENCES)[[[0, 3], [1, 2]]], axis=1)
    assert (outer == inner).all()


@pytest.mark.parametrize("seed", range(20))
def test_with_one_head_the_margins_balance(seed):
    assert unlike(n_heads=1, seed=seed) < 1e-12


def test_with_two_heads_they_need_not():
    assert max(unlike(n_heads=2, seed=seed) for seed in range(8)) > 0.01
