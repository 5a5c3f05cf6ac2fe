"""Gradients of the norms, the feed-forward network and the loss: they train the toys.

Each function takes the inputs of the function of attnlib that it is named after, then
the gradient of a loss with respect to what that function returned. It returns a
gradient for every array, and None for an array that is None.
"""

import numpy as np

from attnlib import rms_norm, softmax


def rms_norm_vjp(x, gain, grad_output, *, eps=1e-5):
    r"""Carry a gradient back through `rms_norm`, to the rows and the gain.

    With the normalized rows :math:`n`, the divisor
    :math:`\rho = \sqrt{\mathrm{mean}(x^2) + eps}`, the gradient
    :math:`g` of the output and :math:`h = gain \cdot g`,

    .. math:: \nabla x = (h - n \, \mathrm{mean}(h n)) / \rho
    """
    normal = rms_norm(x, eps=eps)
    root = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)
    scaled = grad_output if gain is None else gain * grad_output
    shared = np.mean(scaled * normal, axis=-1, keepdims=True)
    grad_gain = None if gain is None else _sum_rows(grad_output * normal)
    return (scaled - normal * shared) / root, grad_gain


def feed_forward_vjp(x, w_1, b_1, w_2, b_2, grad_output):
    """Carry a gradient back through `feed_forward` with relu, to rows and weights."""
    before = x @ w_1 if b_1 is None else x @ w_1 + b_1
    grad_before = (grad_output @ w_2.T) * (before > 0)
    return (
        grad_before @ w_1.T,
        _outer(x, grad_before),
        None if b_1 is None else _sum_rows(grad_before),
        _outer(np.maximum(before, 0), grad_output),
        None if b_2 is None else _sum_rows(grad_output),
    )


def cross_entropy_vjp(logits, targets, grad_output):
    """Carry a gradient back through `cross_entropy`, to the logits.

    It is (softmax(logits) − one_hot(targets)) · grad_output. To minimize the mean of n
    losses, grad_output is 1/n for each.

    Examples
    --------
    >>> cross_entropy_vjp([[0.0, 0.0]], [1], [1.0])
    array([[ 0.5, -0.5]])
    """
    weights, targets = softmax(logits), np.asarray(targets)
    one_hot = targets[..., None] == np.arange(weights.shape[-1])
    grad = np.asarray(grad_output, weights.dtype)
    return (weights - one_hot) * grad[..., None]


def _outer(x, grad):
    """Compute xᵀ grad, summed over the batch: the gradient of w in x @ w."""
    x, grad = (a.reshape(-1, a.shape[-1]) for a in (x, grad))
    return x.T @ grad


def _sum_rows(grad):
    """Sum over all axes but the last."""
    return grad.sum(axis=tuple(range(grad.ndim - 1)))
