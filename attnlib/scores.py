"""Scores: how well every query matches every key."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast, matmul_heads, namespace, transposed
from attnlib._checks import broadcast, require
from attnlib._types import A, Array, ArrayLike, Float


def cosine_similarity(
    a: Float[ArrayLike[A], "... d"], b: Float[ArrayLike[A], "... d"]
) -> Float[A, "..."]:
    """Compare directions: a·b / (‖a‖ ‖b‖), between −1 and 1.

    Parameters
    ----------
    a, b : array, (..., d)
        Vectors; leading dimensions broadcast.

    Returns
    -------
    array, (...)
        The cosine of the angle between a and b; 0 where either is the zero vector.

    Examples
    --------
    >>> float(cosine_similarity([1.0, 0.0], [3.0, 3.0]))
    0.7071067811865475
    >>> words = [[2.0, 1.0], [0.0, 3.0], [1.0, 1.0]]
    >>> cosine_similarity(words, [1.0, 0.0]).shape
    (3,)
    """
    operation = "cosine_similarity"
    dtype, (a, b) = as_floats(operation, a=a, b=b)
    rule = "a and b must be vectors (..., d) with the same d of at least 1"
    require(a.ndim > 0 and b.ndim > 0, operation, rule, a=a, b=b)
    require(a.shape[-1] == b.shape[-1] > 0, operation, rule, a=a, b=b)
    rule = "leading dimensions must broadcast"
    broadcast(operation, rule, tuple(a.shape), tuple(b.shape), a=a, b=b)
    xp = namespace(a)
    cosine = xp.sum(_unit(a) * _unit(b), axis=-1)
    return cast(xp.clip(cosine, min=-1.0, max=1.0), dtype)


def _unit(a: Array) -> Any:
    """Scale to length 1; the zero vector stays zero.

    Dividing by the largest entry first keeps the squares from over- and underflowing.
    """
    xp = namespace(a)
    a = a / _or_one(xp.max(xp.abs(a), axis=-1, keepdims=True))
    return a / xp.sqrt(_or_one(xp.sum(a * a, axis=-1, keepdims=True)))


def _or_one(x: Array) -> Any:
    xp = namespace(x)
    return xp.where(x == 0, xp.ones_like(x), x)


def dot_product_scores(
    query: Float[ArrayLike[A], "... n_queries d_k"],
    key: Float[ArrayLike[A], "... n_keys d_k"],
) -> Float[A, "... n_queries n_keys"]:
    """Score every query against every key: QKᵀ.

    Parameters
    ----------
    query : array, (..., n_queries, d_k)
    key : array, (..., n_keys, d_k)

    Returns
    -------
    array, (..., n_queries, n_keys)
        Row i holds the dot products of query i with every key.

    Examples
    --------
    >>> dot_product_scores([[1, 0], [0, 1], [1, 1]], [[1, 1], [1, 0]])
    array([[1., 1.],
           [1., 0.],
           [2., 1.]])
    """
    operation = "dot_product_scores"
    dtype, (query, key) = as_floats(operation, query=query, key=key)
    check.scores_shape(operation, query, key)
    return cast(dot_products(query, key), dtype)


def scale_scores(scores: Float[ArrayLike[A], "..."], d_k: float) -> Float[A, "..."]:
    """Undo the growth of dot products with their length: scores / √d_k.

    A dot product of two vectors of d_k independent numbers with mean 0 and variance 1
    has variance d_k. Dividing by √d_k brings the variance back to 1.

    Parameters
    ----------
    scores : array, any shape
    d_k : number
        The length of the queries and keys. Positive.

    Returns
    -------
    array, the shape of scores

    Examples
    --------
    >>> scale_scores([[112.0, 96.0]], 64)
    array([[14., 12.]])

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.1 and its footnote.
    """
    d_k = check.number("scale_scores", "d_k", d_k, positive=True)
    dtype, (scores,) = as_floats("scale_scores", scores=scores)
    return cast(scores / math.sqrt(d_k), dtype)


def dot_products(query: Array, key: Array) -> Any:
    """Do what `dot_product_scores` does, without checks; heads may share a key."""
    return matmul_heads(query, transposed(key))


def scaled_scores(
    query: Float[Array, "... n_queries d_k"],
    key: Float[Array, "... n_keys d_k"],
    scale: float,
    softcap: float | None,
) -> Any:
    """Compute scale · QKᵀ, limited smoothly to ±softcap: the scores before any mask."""
    scores = scale_by(dot_products(query, key), scale)
    if softcap is None:
        return scores
    with np.errstate(over="ignore"):  # with a tiny softcap: tanh(inf) is 1
        return softcap * namespace(scores).tanh(scores / softcap)


def scale_by(scores: Float[Array, "..."], scale: float) -> Any:
    """Multiply by a factor, in steps if it exceeds the dtype's largest number."""
    if abs(scale) > 1:  # a smaller one never exceeds it
        largest = float(namespace(scores).finfo(scores.dtype).max)
        while abs(scale) > largest:
            scores *= largest
            scale /= largest
    if scale != 1:
        scores *= scale  # in place, where the library can
    return scores
