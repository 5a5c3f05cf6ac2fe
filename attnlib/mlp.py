"""The feed-forward network: a multilayer perceptron applied to each row separately."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import is_jax_array

from attnlib import _checks as check
from attnlib._arrays import as_floats, cast, device_of, namespace
from attnlib._checks import require
from attnlib._types import A, Array, ArrayLike, Float
from attnlib.projections import linear, random_weight


def relu(x: Float[ArrayLike[A], "..."]) -> Float[A, "..."]:
    """Set negative numbers to 0: max(0, x).

    Examples
    --------
    >>> relu([-2.0, 3.0])
    array([0., 3.])
    """
    dtype, (x,) = as_floats("relu", x=x)
    xp = namespace(x)
    return cast(xp.maximum(x, xp.zeros_like(x)), dtype)


def gelu(x: Float[ArrayLike[A], "..."]) -> Float[A, "..."]:
    """Weight x by the probability that a standard normal number is below it: x · Φ(x).

    This is the exact form, Φ(x) = erfc(−x / √2) / 2, not the approximation with tanh.
    It is precise in both tails.

    Examples
    --------
    >>> gelu([-1.0, 0.0, 1.0]).round(4)
    array([-0.1587,  0.    ,  0.8413])

    References
    ----------
    Hendrycks and Gimpel (2016), Gaussian Error Linear Units.
    """
    dtype, (x,) = as_floats("gelu", x=x)
    finite = without_minus_infinity(x)
    return cast(finite * erfc(x / -math.sqrt(2)) / 2, dtype)


def silu(x: Float[ArrayLike[A], "..."]) -> Float[A, "..."]:
    """Multiply x by its logistic function: x · σ(x), with σ(x) = 1 / (1 + e⁻ˣ).

    Also called swish.

    Examples
    --------
    >>> silu([-1.0, 0.0, 1.0]).round(4)
    array([-0.2689,  0.    ,  0.7311])
    """
    dtype, (x,) = as_floats("silu", x=x)
    xp = namespace(x)
    small = xp.exp(-xp.abs(x))  # at most 1, where e⁻ˣ might overflow
    logistic = xp.where(x < 0, small, 1.0) / (1 + small)
    return cast(without_minus_infinity(x) * logistic, dtype)


def without_minus_infinity(x: Any) -> Any:
    """Replace −∞ with 0: its product with a factor of 0 would be NaN."""
    return namespace(x).where(x == -math.inf, 0.0, x)


def erfc(x: Array) -> Any:
    """Call the library's own erfc, or math.erfc for each number if it has none."""
    xp = namespace(x)
    if is_jax_array(x):
        from jax.scipy import special  # type: ignore[import-not-found, unused-ignore]

        return special.erfc(x)
    if hasattr(xp, "erfc"):
        return xp.erfc(x)
    numbers = [math.erfc(float(number)) for number in xp.reshape(x, (-1,))]
    return xp.reshape(xp.asarray(numbers, dtype=x.dtype, device=device_of(x)), x.shape)


def feed_forward(
    x: Float[ArrayLike[A], "... n_tokens d_model"],
    w_1: Float[ArrayLike[A], "d_model d_ff"],
    b_1: Float[ArrayLike[A], " d_ff"] | None,
    w_2: Float[ArrayLike[A], "d_ff d_out"],
    b_2: Float[ArrayLike[A], " d_out"] | None,
    *,
    activation: Callable[[Array], Array] = relu,
) -> Float[A, "... n_tokens d_out"]:
    """Transform every row by itself: activation(xW₁ + b₁)W₂ + b₂.

    Parameters
    ----------
    x : array, (..., n_tokens, d_model)
    w_1 : array, (d_model, d_ff)
    b_1 : array, (d_ff,), or None
    w_2 : array, (d_ff, d_out)
        In an encoder d_out is d_model.
    b_2 : array, (d_out,), or None
    activation : callable
        Acts on each number; `relu` in the paper.

    Returns
    -------
    array, (..., n_tokens, d_out)

    Examples
    --------
    >>> import numpy as np
    >>> x, w_1, w_2 = np.ones((5, 4)), np.ones((4, 16)), np.ones((16, 4))
    >>> feed_forward(x, w_1, np.zeros(16), w_2, np.zeros(4)).shape
    (5, 4)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, equation 2.
    """
    operation = "feed_forward"
    dtype, (x, *network) = as_floats(
        operation, ("b_1", "b_2"), x=x, w_1=w_1, b_1=b_1, w_2=w_2, b_2=b_2
    )
    w_1, b_1, w_2, b_2 = network
    check_feed_forward(operation, w_1, b_1, w_2, b_2, activation)
    check.product(operation, x, w_1=w_1)
    return cast(linear(activation(linear(x, w_1, b_1)), w_2, b_2), dtype)


def gated_feed_forward(
    x: Float[ArrayLike[A], "... n_tokens d_model"],
    w_gate: Float[ArrayLike[A], "d_model d_ff"],
    w_up: Float[ArrayLike[A], "d_model d_ff"],
    w_down: Float[ArrayLike[A], "d_ff d_out"],
    *,
    activation: Callable[[Array], Array] = silu,
) -> Float[A, "... n_tokens d_out"]:
    """Transform every row by itself: (activation(xW_gate) · xW_up) W_down.

    The first factor is a gate: it decides how much of each hidden number passes.

    Parameters
    ----------
    x : array, (..., n_tokens, d_model)
    w_gate, w_up : array, (d_model, d_ff)
    w_down : array, (d_ff, d_out)
    activation : callable
        Acts on each number; with `silu` the network is called SwiGLU, with `gelu`
        GEGLU.

    Returns
    -------
    array, (..., n_tokens, d_out)

    Examples
    --------
    >>> import numpy as np
    >>> x, w_in, w_down = np.ones((5, 4)), np.ones((4, 16)), np.ones((16, 4))
    >>> gated_feed_forward(x, w_in, w_in, w_down).shape
    (5, 4)

    References
    ----------
    Shazeer (2020), GLU Variants Improve Transformer, equation 6.
    """
    operation = "gated_feed_forward"
    inputs = {"x": x, "w_gate": w_gate, "w_up": w_up, "w_down": w_down}
    dtype, (x, w_gate, w_up, w_down) = as_floats(operation, **inputs)
    check.weight(operation, w_gate=w_gate, w_down=w_down)
    check.shape(operation, tuple(w_gate.shape), w_up=w_up)
    rule = "w_down must have as many rows as w_gate has columns, d_ff"
    fits = w_gate.shape[1] == w_down.shape[0]
    require(fits, operation, rule, w_gate=w_gate, w_down=w_down)
    check.function(operation, "activation", activation)
    check.product(operation, x, w_gate=w_gate)
    return cast((activation(x @ w_gate) * (x @ w_up)) @ w_down, dtype)


def transform(layer: Any, x: Array) -> Any:
    """Do what `feed_forward` does, without checks, with the network of a layer."""
    hidden = linear(x, layer.w_1, layer.b_1)
    if getattr(layer, "w_gate", None) is None:
        hidden = layer.activation(hidden)
    else:
        hidden = layer.activation(x @ layer.w_gate) * hidden
    return linear(hidden, layer.w_2, layer.b_2)


def random_network(rng: np.random.Generator, d_model: int, d_ff: int) -> list[Any]:
    """Return w_1, b_1, w_2, b_2: weights of variance 1/(number of rows), biases 0."""
    w_1, w_2 = random_weight(rng, d_model, d_ff), random_weight(rng, d_ff, d_model)
    return [w_1, np.zeros(d_ff), w_2, np.zeros(d_model)]


def check_network(operation: str, layer: Any) -> None:
    """Check that a layer's feed-forward network maps d_model to d_model."""
    network = layer.w_1, layer.b_1, layer.w_2, layer.b_2
    check_feed_forward(operation, *network, layer.activation)
    rule = f"w_1 must map from, and w_2 back to, rows of d_model = {layer.d_model}"
    fits = layer.w_1.shape[0] == layer.w_2.shape[1] == layer.d_model
    require(fits, operation, rule, w_1=layer.w_1, w_2=layer.w_2)
    gate = getattr(layer, "w_gate", None)
    check.shape(operation, tuple(layer.w_1.shape), w_gate=gate)


def check_feed_forward(
    operation: str, w_1: Array, b_1: Any, w_2: Array, b_2: Any, activation: Any
) -> None:
    """Check that two weights, their biases and an activation make a network."""
    check.weight(operation, w_1=w_1, w_2=w_2)
    rule = "w_2 must have as many rows as w_1 has columns, d_ff"
    require(w_1.shape[1] == w_2.shape[0], operation, rule, w_1=w_1, w_2=w_2)
    check.shape(operation, (w_1.shape[1],), b_1=b_1)
    check.shape(operation, (w_2.shape[1],), b_2=b_2)
    check.function(operation, "activation", activation)
