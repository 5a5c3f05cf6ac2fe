"""Texts in which some symbols echo, and one layer of attention that learns them.

A text begins with `START`. After an ordinary symbol comes one of its two followers, or
an echo sign. After an echo sign comes the symbol before it once more: to know it, the
layer has to look one place back. Everywhere else there is almost nothing to look for.
"""

import numpy as np

from attncourse.toys.gradients import cross_entropy_vjp, rms_norm_vjp
from attncourse.toys.training import Adam, small_weight, weight_gradient
from attnlib import (
    alibi_bias,
    apply_rotary,
    attention_vjp,
    attention_weights,
    rms_norm,
    rotary_embedding,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)

N_SYMBOLS, N_ECHOES, START, LENGTH = 20, 3, 0, 24
ORDINARY = np.arange(1 + N_ECHOES, N_SYMBOLS)
PROJECTIONS = ("w_query", "w_key", "w_value")


def is_echo(texts):
    """Tell which symbols are echo signs."""
    return (texts > START) & (texts <= N_ECHOES)


def write_texts(n_rows, rng, length=LENGTH):
    """Draw texts: array of int, (n_rows, length)."""
    texts = np.full((n_rows, length), START)
    texts[:, 1] = rng.choice(ORDINARY, n_rows)
    for i in range(2, length):
        now, steps = texts[:, i - 1], rng.choice([1, 5], n_rows)
        follower = ORDINARY[(now - ORDINARY[0] + steps) % len(ORDINARY)]
        sign = rng.integers(1, N_ECHOES + 1, n_rows)
        new = np.where(rng.random(n_rows) < 0.25, sign, follower)
        # No sign stands at once after an echo, or texts would only echo.
        again = is_echo(texts[:, i - 2])
        texts[:, i] = np.where(
            is_echo(now), texts[:, i - 2], np.where(again, follower, new)
        )
    return texts


class Echoer:
    """One layer of causal attention with one head.

    Parameters
    ----------
    order : str
        How the head is told the order: "sinusoids", "alibi" or "rotary".
    d_model : int
    seed : int
    empty : bool
        Whether every query may look at an empty key as well, with score 0 and value 0.
    gated : bool
        Whether each token multiplies what its query brings by a gate of its own, the
        sigmoid of a projection (Qiu et al. 2025).
    """

    def __init__(
        self, order="sinusoids", d_model=32, *, seed=0, empty=False, gated=False
    ):
        rng = np.random.default_rng(seed)
        self.order, self.d_model, self.empty = order, d_model, empty
        self.frequencies = None  # of rotary pairs, other than the trained ones
        self.params = {"symbol": rng.standard_normal((N_SYMBOLS, d_model))}
        for name in (*PROJECTIONS, "w_output"):
            self.params[name] = small_weight(rng, d_model, d_model)
        self.params["w_symbol"] = small_weight(rng, d_model, N_SYMBOLS)
        if gated:
            self.params["w_gate"] = small_weight(rng, d_model, d_model)

    def project(self, x):
        """Return what is projected, and queries, keys and values."""
        normal = rms_norm(x)
        placed = normal
        if self.order == "sinusoids":
            n = x.shape[-2]
            placed = normal + sinusoidal_positional_encoding(n, self.d_model)
        inputs = dict(zip(PROJECTIONS, (placed, placed, normal), strict=True))
        query, key, value = (inputs[name] @ self.params[name] for name in PROJECTIONS)
        if self.order == "rotary":
            query, key = self._turn(query), self._turn(key)
        if self.empty:
            key, value = (_zero_first(array) for array in (key, value))
        return inputs, (query, key, value)

    def _turn(self, rows):
        if self.frequencies is None:
            return rotary_embedding(rows)
        angles = np.arange(rows.shape[-2])[:, None] * self.frequencies
        return apply_rotary(rows, np.cos(angles), np.sin(angles))

    def how(self, n, mask=None):
        """Return the keywords of attention: causal, perhaps with a mask."""
        if self.order == "alibi":
            bias = alibi_bias(8, n)[0]  # the steepest of eight heads' slopes
            mask = bias if mask is None else np.where(mask, bias, -np.inf)
        if not self.empty:
            return {"is_causal": True, "mask": mask}
        mask = np.ones((n, n), dtype=bool) if mask is None else mask
        first = np.ones((n, 1), dtype=bool) if mask.dtype == bool else np.zeros((n, 1))
        # The empty key stands before the first token, so that every query sees it.
        return {"is_causal": True, "query_offset": 1, "mask": np.hstack([first, mask])}

    def weights(self, texts, mask=None):
        """Return who attends to whom: (..., n_tokens, n_tokens)."""
        query, key, _ = self.project(self.params["symbol"][texts])[1]
        found = attention_weights(query, key, **self.how(texts.shape[-1], mask))
        return found[..., 1:] if self.empty else found

    def __call__(self, texts, mask=None):
        """Return a score for each symbol to come next: (..., n_tokens, N_SYMBOLS)."""
        x = self.params["symbol"][texts]
        how = self.how(texts.shape[-1], mask)
        inputs, projected = self.project(x)
        heads = scaled_dot_product_attention(*projected, **how)
        heads = self.gate(inputs["w_value"]) * heads
        return rms_norm(x + heads @ self.params["w_output"]) @ self.params["w_symbol"]

    def gate(self, normal):
        """Return what each column of the head's output is multiplied by."""
        if "w_gate" not in self.params:
            return np.ones(1)
        return 1 / (1 + np.exp(-normal @ self.params["w_gate"]))

    def gradients(self, texts):
        """Return each parameter's gradient of the mean of −log p(next symbol)."""
        seen, targets = texts[:, :-1], texts[:, 1:]
        x, w = self.params["symbol"][seen], self.params
        how = self.how(seen.shape[-1])
        inputs, projected = self.project(x)
        heads = scaled_dot_product_attention(*projected, **how)
        gate = self.gate(inputs["w_value"])
        after = x + (gate * heads) @ w["w_output"]
        last = rms_norm(after)
        each = np.full(targets.shape, 1 / targets.size)
        grad = cross_entropy_vjp(last @ w["w_symbol"], targets, each)
        grads = {"w_symbol": weight_gradient(last, grad)}
        grad = rms_norm_vjp(after, None, grad @ w["w_symbol"].T)[0]
        grads["w_output"] = weight_gradient(gate * heads, grad)
        grad_gated = grad @ w["w_output"].T
        back = attention_vjp(*projected, gate * grad_gated, **how)
        if self.empty:
            back = (back[0], back[1][..., 1:, :], back[2][..., 1:, :])
        if self.order == "rotary":  # turn the gradients of queries and keys back
            places = -np.arange(seen.shape[-1])
            turned = (rotary_embedding(g, positions=places) for g in back[:2])
            back = (*turned, back[2])
        grad_normal = 0
        for name, g in zip(PROJECTIONS, back, strict=True):
            grads[name] = weight_gradient(inputs[name], g)
            grad_normal = grad_normal + g @ w[name].T
        if "w_gate" in w:
            slope = grad_gated * heads * gate * (1 - gate)
            grads["w_gate"] = weight_gradient(inputs["w_value"], slope)
            grad_normal = grad_normal + slope @ w["w_gate"].T
        grad = grad + rms_norm_vjp(x, None, grad_normal)[0]
        grads["symbol"] = weight_gradient(np.eye(N_SYMBOLS)[seen], grad)
        return grads


def _zero_first(rows):
    """Put a row of zeros before the first."""
    return np.concatenate([np.zeros_like(rows[..., :1, :]), rows], axis=-2)


def train(model, n_steps, *, seed=0, n_rows=32, learning_rate=0.005):
    """Train on fresh texts, in place; return the model."""
    rng, adam = np.random.default_rng(seed), Adam(model.params, learning_rate)
    for _ in range(n_steps):
        adam.step(model.gradients(write_texts(n_rows, rng)))
    return model
