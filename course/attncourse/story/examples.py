"""The worked examples of the course, as the posts give them."""

import numpy as np

from attnlib import SelfAttention


def three_words():
    """Return the three words of post 5 and its layer.

    Returns
    -------
    x : array, (3, 4)
        Three words, four numbers each.
    layer : SelfAttention
        The post's W_Q, W_K and W_V, each of shape (4, 4).

    Examples
    --------
    >>> x, layer = three_words()
    >>> x.shape, layer.w_query.shape
    ((3, 4), (4, 4))
    """
    x = [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
    w_query = [[1, 2, 0, 0], [0, 1, 3, 0], [1, 0, 0, 2], [0, 0, 2, 3]]
    w_key = [[2, 0, 1, 0], [0, 1, 0, 3], [1, 0, 2, 0], [0, 2, 0, 1]]
    w_value = [[0, 1, 0, 2], [2, 0, 2, 0], [0, 3, 1, 0], [1, 0, 0, 3]]
    weights = (np.array(w) / 10 for w in (w_query, w_key, w_value))
    return np.array(x, dtype=float), SelfAttention(*weights)


def plane_words():
    """Return the five two-dimensional words of post 3.

    Returns
    -------
    dict of str to array, (2,)
    """
    return {
        "Smart": np.array([1.0, 0.0]),
        "robots": np.array([0.0, 1.0]),
        "perform": np.array([1.0, 1.0]),
        "complex": np.array([2.0, 0.0]),
        "tasks": np.array([0.0, 2.0]),
    }


def book_words():
    """Return the three words of post 1, five numbers each.

    Returns
    -------
    dict of str to array, (5,)
    """
    return {
        "This": np.array([0.1, -0.3, 0.5, -0.2, 0.7]),
        "is": np.array([-0.6, 0.2, 0.9, -0.1, 0.3]),
        "book": np.array([0.8, -0.5, -0.4, 0.6, -0.9]),
    }


def three_tokens():
    """Return the query, key and value of post 4's three tokens.

    Returns
    -------
    query, key, value : array, (3, 2)
    """
    query = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    key = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    value = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
    return query, key, value
