"""Measures of a layer that learned echoes: on longer texts, and without its sink."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from attncourse.toys.echoes.model import LENGTH, Echoer, is_echo, train, write_texts
from attnlib import cross_entropy, sliding_window_mask

PATH = Path(__file__).with_suffix(".json")
ORDERS, SEEDS, N_STEPS = ("sinusoids", "alibi", "rotary"), (0, 1, 2), 600
LENGTHS = (24, 48, 96, 192)
WINDOW = 8  # keys that a sliding cache holds, the query's own among them
WINDOWS = range(1, LENGTH)
EXAMPLE, PLACE = 14, LENGTH - 2  # the test text, and its letter, that a figure shows
SIGNS = "^!!!abcdefghijklmnop"  # how symbols are printed: three echo signs look alike


def measure(order, seed):
    """Train one model and measure it on texts that it was not trained on.

    Returns
    -------
    dict
        ``right``: for texts of each of `LENGTHS`, the share of echoes that the model
        says right. The rest is of texts of `LENGTH`, at places that a window does not
        reach the start from, and after ordinary symbols only. ``on_start``: the mean
        weight on the start. ``loss``: the mean of −log p of what comes next, with
        different keys in the cache. ``by_window``: the same for each of `WINDOWS`.
        ``scores``: of one letter of one text, up to a number added to all.
    """
    model = train(Echoer(order, seed=seed), N_STEPS, seed=seed)
    right = {str(n): echoes_right(model, draw(n)) for n in LENGTHS}
    texts = draw(LENGTH)
    weights = model.weights(texts[:, :-1])[..., 0][not_echoes(texts)]
    losses = {kept: loss(model, texts, mask) for kept, mask in caches().items()}
    return {
        "right": right,
        "on_start": round(float(weights.mean()), 3),
        "loss": losses,
        "by_window": by_window(model, texts),
        "scores": scores(model, texts[EXAMPLE]),
    }


def draw(length):
    """Draw 200 texts for tests, always the same."""
    return write_texts(200, np.random.default_rng(1000), length)


def echoes_right(model, texts):
    """Return the share of echoes that the model says right."""
    right = model(texts[:, :-1]).argmax(axis=-1) == texts[:, 1:]
    return round(float(right[is_echo(texts[:, :-1])].mean()), 3)


def caches(width=WINDOW):
    """Name the keys that a cache may hold: masks (LENGTH − 1, LENGTH − 1)."""
    window = sliding_window_mask(LENGTH - 1, window=(width - 1, 0))
    start, second = window.copy(), window.copy()
    start[:, 0], second[:, 1] = True, True
    return {
        "everything": np.ones_like(window),
        "window": window,
        "window and start": start,
        "window and second": second,
    }


def loss(model, texts, mask):
    """Return the mean of −log p of what comes after ordinary symbols."""
    losses = cross_entropy(model(texts[:, :-1], mask), texts[:, 1:])
    return round(float(losses[not_echoes(texts)].mean()), 3)


def by_window(model, texts):
    """Return the loss with each cache of `caches` but the first, at every width."""
    masks = [caches(width) for width in WINDOWS]
    kept = [name for name in masks[0] if name != "everything"]
    return {name: [loss(model, texts, mask[name]) for mask in masks] for name in kept}


def example():
    """Return the text up to the letter that a figure shows, as signs."""
    return [SIGNS[symbol] for symbol in draw(LENGTH)[EXAMPLE, : PLACE + 1]]


def scores(model, text):
    """Return the scores of the letter at `PLACE` for all keys up to its own."""
    row = model.weights(text[None, :-1])[0, PLACE, : PLACE + 1]
    return np.log(row).round(3).tolist()


def not_echoes(texts):
    """Mark ordinary symbols so far along that a window no longer reaches the start."""
    far = np.arange(LENGTH - 1) >= WINDOW + 1
    return ~is_echo(texts[:, :-1]) & far


@cache
def load():
    """Read what was measured: for each of `ORDERS` a list, one for each of `SEEDS`."""
    return json.loads(PATH.read_text())
