"""Texts that repeat, and small models that learn to continue them.

A text is a run of random symbols, over and over. Nobody can know a symbol of the first
run: there the loss stays at log(N_SYMBOLS). After it, every symbol can be copied.
"""

import numpy as np

from attncourse.toys.gradients import cross_entropy_vjp, rms_norm_vjp
from attncourse.toys.training import Adam, small_weight, weight_gradient
from attnlib.attention import attention_weights, scaled_dot_product_attention
from attnlib.gradients import attention_vjp
from attnlib.heads import merge_heads, split_heads
from attnlib.norms import rms_norm
from attnlib.positions import sinusoidal_positional_encoding
from attnlib.probabilities import cross_entropy

N_SYMBOLS, LENGTH, RUNS = 20, 24, (5, 11)
PROJECTIONS = ("w_query", "w_key", "w_value")


def write_texts(n_rows, rng):
    """Draw a run of random symbols for each row and repeat it to the end.

    Returns
    -------
    texts : array of int, (n_rows, LENGTH)
    runs : array of int, (n_rows,)
        How many symbols are new before the text repeats: `RUNS` bounds them, ends
        included.
    """
    texts = rng.integers(N_SYMBOLS, size=(n_rows, LENGTH))
    runs = rng.integers(RUNS[0], RUNS[1] + 1, size=n_rows)
    return np.take_along_axis(texts, np.arange(LENGTH) % runs[:, None], axis=1), runs


class Copier:
    """Layers of causal attention, and nothing else.

    Parameters
    ----------
    n_layers : int
    d_model : int
    n_heads : int
        Of each layer; d_model has to be a multiple of it.
    seed : int
        Of the weights it starts with, float32.
    positions : bool
        Whether queries and keys are told their place.
    scale : float, optional
        What the scores are multiplied by; None means 1/√d_k.
    """

    def __init__(
        self, n_layers=2, d_model=64, *, n_heads=1, seed=0, positions=True, scale=None
    ):
        rng = np.random.default_rng(seed)
        self.params = {"symbol": rng.standard_normal((N_SYMBOLS, d_model))}
        for layer in range(n_layers):
            for name in (*PROJECTIONS, "w_output"):
                self.params[f"{name}_{layer}"] = small_weight(rng, d_model, d_model)
        self.params["w_symbol"] = small_weight(rng, d_model, N_SYMBOLS)
        self.params = {k: w.astype(np.float32) for k, w in self.params.items()}
        places = positions * sinusoidal_positional_encoding(LENGTH, d_model)
        self.n_layers, self.n_heads = n_layers, n_heads
        self.places = places.astype(np.float32)
        self.options = {"is_causal": True, "scale": scale}

    def layers(self, texts, change=None):
        """Return the stream before each layer, and after the last.

        Each is (..., n_tokens, d_model). ``change(layer, added)`` returns what is added
        to the stream in the place of what a layer's heads would add.
        """
        return self._forward(texts, change)[0]

    def _forward(self, texts, change=None):
        """Return the stream, as `layers` does, and what each layer used."""
        x = self.params["symbol"][texts]
        stream, used = [x], []
        for layer in range(self.n_layers):
            used.append(self._attend(x, layer))
            added = used[-1][-1] @ self.params[f"w_output_{layer}"]
            x = x + (added if change is None else change(layer, added))
            stream.append(x)
        return stream, used

    def _attend(self, x, layer):
        """Return x, what each projection reads, what they give, and the heads merged.

        Queries, keys and values are split: (..., n_heads, n_tokens, d_k).
        """
        inputs = self._inputs(rms_norm(x))
        split = [split_heads(one, self.n_heads) for one in self._project(inputs, layer)]
        split = self._turn(split, layer)
        heads = scaled_dot_product_attention(*split, **self._allowed(layer, x))
        return x, inputs, split, merge_heads(heads)

    def project(self, x, layer):
        """Return a layer's queries, keys and values, each (..., n_tokens, d_model)."""
        return self._project(self._inputs(rms_norm(x)), layer)

    def _project(self, inputs, layer):
        return [inputs[name] @ self.params[f"{name}_{layer}"] for name in PROJECTIONS]

    def _turn(self, split, layer, by=1):
        """Leave queries and keys as they are: here all are told their place."""
        return split

    def _allowed(self, layer, x):
        """Return what says whom a layer's queries see."""
        return self.options

    def _inputs(self, normal):
        """Tell queries and keys their place, and values only the symbol."""
        placed = normal + self.places[: normal.shape[-2]]
        return dict(zip(PROJECTIONS, (placed, placed, normal), strict=True))

    def weights(self, texts):
        """Return who attends to whom: for each head in turn (..., n_tokens, n_tokens).

        Those of layer 0 come first.
        """
        return self.scores_and_weights(texts)[1]

    def scores_and_weights(self, texts):
        """Return what a call and what `weights` returns, from one way forward."""
        stream, used = self._forward(texts)
        found = []
        for *_, (query, key, _), _ in used:
            weights = attention_weights(query, key, **self.options)
            found += [weights[..., i, :, :] for i in range(self.n_heads)]
        return self._score(stream), found

    def __call__(self, texts, *, change=None):
        """Return a score for each symbol to come next: (..., n_tokens, N_SYMBOLS)."""
        return self._score(self.layers(texts, change))

    def _score(self, stream):
        return rms_norm(stream[-1]) @ self.params["w_symbol"]

    def loss_and_gradients(self, texts):
        """Return the mean of −log p(next symbol), and each parameter's gradient."""
        seen, targets = texts[:, :-1], texts[:, 1:]
        stream, used = self._forward(seen)
        last = rms_norm(stream[-1])
        logits = last @ self.params["w_symbol"]
        each = np.full(targets.shape, 1 / targets.size, logits.dtype)
        grad = cross_entropy_vjp(logits, targets, each)
        grads = {"w_symbol": weight_gradient(last, grad)}
        grad = rms_norm_vjp(stream[-1], None, grad @ self.params["w_symbol"].T)[0]
        for layer in reversed(range(self.n_layers)):
            grad = grad + self._backwards(layer, used[layer], grad, grads)
        one_hot = np.eye(N_SYMBOLS, dtype=np.float32)[seen]
        grads["symbol"] = weight_gradient(one_hot, grad)
        return cross_entropy(logits, targets).mean(), grads

    def _backwards(self, layer, used, grad_output, grads):
        """Add this layer's gradients to ``grads``; return that of what it read."""
        x, inputs, split, heads = used
        name = f"w_output_{layer}"
        grads[name] = weight_gradient(heads, grad_output)
        grad_heads = split_heads(grad_output @ self.params[name].T, self.n_heads)
        allowed = self._allowed(layer, x)
        back = attention_vjp(*split, grad_output=grad_heads, **allowed)
        back = self._turn(back, layer, by=-1)
        grad_normal = 0
        for name, grad in zip(PROJECTIONS, map(merge_heads, back), strict=True):
            grads[f"{name}_{layer}"] = weight_gradient(inputs[name], grad)
            grad_normal = grad_normal + grad @ self.params[f"{name}_{layer}"].T
        return rms_norm_vjp(x, None, grad_normal)[0]


def train(model, n_steps, *, seed=0, n_rows=32, learning_rate=0.005):
    """Train on fresh texts; yield (step, loss) before each step and after the last."""
    rng, adam = np.random.default_rng(seed), Adam(model.params, learning_rate)
    for step in range(n_steps + 1):
        loss, gradients = model.loss_and_gradients(write_texts(n_rows, rng)[0])
        yield step, float(loss)
        if step < n_steps:
            adam.step(gradients)
