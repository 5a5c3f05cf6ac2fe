"""A small decoder with hand-written gradients: the parameters, and how they are used.

The forward pass is that of `attnlib.Decoder`, taken apart, so that what each step read
is there when its gradient is due.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attncourse.toys.gradients import cross_entropy_vjp, feed_forward_vjp, rms_norm_vjp
from attncourse.toys.training import small_weight, weight_gradient
from attnlib import (
    Decoder,
    DecoderLayer,
    Embedding,
    MultiHeadAttention,
    Vocabulary,
    attention_vjp,
    cross_entropy,
    feed_forward,
    rms_norm,
    rotary_embedding,
    scaled_dot_product_attention,
)
from attnlib.heads import merge_heads, split_heads

from .stories import WORDS

N_LAYERS, N_HEADS, D_MODEL, D_FF = 2, 2, 32, 64
PROJECTIONS = ("w_query", "w_key", "w_value")
NETWORK = ("w_1", "b_1", "w_2", "b_2")


def first_parameters(seed):
    """Draw the parameters that training starts with, float32, by name."""
    rng = np.random.default_rng(seed)
    params = {"table": small_weight(rng, len(WORDS), D_MODEL)}
    for i in range(N_LAYERS):
        for name in (*PROJECTIONS, "w_output"):
            params[f"{name}_{i}"] = small_weight(rng, D_MODEL, D_MODEL)
        params[f"w_1_{i}"] = small_weight(rng, D_MODEL, D_FF)
        params[f"w_2_{i}"] = small_weight(rng, D_FF, D_MODEL)
        params |= {f"b_1_{i}": np.zeros(D_FF), f"b_2_{i}": np.zeros(D_MODEL)}
        params |= {f"gain_{j}_{i}": np.ones(D_MODEL) for j in (1, 2)}
    params["gain"] = np.ones(D_MODEL)
    return {name: array.astype(np.float32) for name, array in params.items()}


def as_decoder(params):
    """Build the `attnlib.Decoder` that has these parameters."""
    layers = []
    for i in range(N_LAYERS):
        own = {name[:-2]: x for name, x in params.items() if name.endswith(f"_{i}")}
        weights = [own.pop(name) for name in (*PROJECTIONS, "w_output")]
        attention = MultiHeadAttention(*weights, n_heads=N_HEADS)
        layers.append(DecoderLayer(attention, **own, rotary_base=10_000.0))
    embedding = Embedding(params["table"], Vocabulary(WORDS))
    return Decoder(embedding, layers, gain=params["gain"])


def next_words_of(texts):
    """Return what is read of texts, and the word that follows each."""
    return texts[:, :-1], texts[:, 1:]


def attend(query, key, value):
    """Attend to the words so far; return the heads side by side."""
    heads = scaled_dot_product_attention(query, key, value, is_causal=True)
    return merge_heads(heads)


def attend_back(query, key, value, grad):
    """Carry the gradient of what `attend` returns back to what it was given."""
    grad = split_heads(grad, N_HEADS)
    return attention_vjp(query, key, value, grad_output=grad, is_causal=True)


class Steps(NamedTuple):
    """The steps of a training that `attncourse.debugging` takes wrongly."""

    pairs: Callable = next_words_of
    attend: Callable = attend
    attend_back: Callable = attend_back


RIGHT = Steps()


def forward(params, seen, steps=RIGHT):
    """Return the logits, the rows before the last norm, and what each layer used."""
    x, kept = params["table"][seen], []
    for i in range(N_LAYERS):
        x, used = _layer(params, i, x, steps)
        kept.append(used)
    return rms_norm(x, params["gain"]) @ params["table"].T, x, kept


def loss_and_gradients(params, texts, steps=RIGHT):
    """Return the mean of −log p(next word), and each parameter's gradient.

    Parameters
    ----------
    params : dict of str to array
    texts : array of int, (n_texts, n_tokens)
    steps : Steps
    """
    seen, targets = steps.pairs(texts)
    logits, x, kept = forward(params, seen, steps)
    last = rms_norm(x, params["gain"])
    each = np.full(targets.shape, 1 / targets.size, x.dtype)
    grad = cross_entropy_vjp(logits, targets, each)
    grads = {"table": weight_gradient(grad, last)}
    grad, grads["gain"] = rms_norm_vjp(x, params["gain"], grad @ params["table"])
    for i in reversed(range(N_LAYERS)):
        grad = _layer_gradients(params, i, kept[i], grad, grads, steps)
    one_hot = np.eye(len(WORDS), dtype=x.dtype)[seen]
    grads["table"] += weight_gradient(one_hot, grad)
    return float(cross_entropy(logits, targets).mean()), grads


def _layer(params, i, x, steps):
    """Apply layer i; return its output, and what the gradients will need."""
    normal = rms_norm(x, params[f"gain_1_{i}"])
    query, key, value = (
        split_heads(normal @ params[f"{name}_{i}"], N_HEADS) for name in PROJECTIONS
    )
    turned = rotary_embedding(query), rotary_embedding(key), value
    heads = steps.attend(*turned)
    middle = x + heads @ params[f"w_output_{i}"]
    ready = rms_norm(middle, params[f"gain_2_{i}"])
    network = [params[f"{name}_{i}"] for name in NETWORK]
    used = x, normal, turned, heads, middle, ready
    return middle + feed_forward(ready, *network), used


def _layer_gradients(params, i, used, grad, grads, steps):
    """Add the gradients of layer i to ``grads``; return that of what it read."""
    x, normal, turned, heads, middle, ready = used
    network = [params[f"{name}_{i}"] for name in NETWORK]
    grad_ready, *back = feed_forward_vjp(ready, *network, grad_output=grad)
    grads |= {f"{name}_{i}": g for name, g in zip(NETWORK, back, strict=True)}
    gain = params[f"gain_2_{i}"]
    grad_middle, grads[f"gain_2_{i}"] = rms_norm_vjp(middle, gain, grad_ready)
    grad = grad + grad_middle
    grads[f"w_output_{i}"] = weight_gradient(heads, grad)
    grad_heads = grad @ params[f"w_output_{i}"].T
    query, key, value = steps.attend_back(*turned, grad_heads)
    back = _turned_back(query), _turned_back(key), value
    grad_normal = 0
    for name, each in zip(PROJECTIONS, map(merge_heads, back), strict=True):
        grads[f"{name}_{i}"] = weight_gradient(normal, each)
        grad_normal = grad_normal + each @ params[f"{name}_{i}"].T
    gain = params[f"gain_1_{i}"]
    grad_x, grads[f"gain_1_{i}"] = rms_norm_vjp(x, gain, grad_normal)
    return grad + grad_x


def _turned_back(grad):
    """Carry a gradient back through `rotary_embedding`: turn it the other way."""
    return rotary_embedding(grad, positions=-np.arange(grad.shape[-2]))
