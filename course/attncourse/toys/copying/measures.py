"""Measures of a model that copies: at each step of training, and where it looks."""

from copy import deepcopy
from functools import cache
from types import SimpleNamespace

import numpy as np

from attncourse.toys.copying import LENGTH, Copier, train, write_texts
from attnlib.probabilities import cross_entropy

STEPS = tuple(range(0, 161, 10))


def measure(model, texts, runs, *, change=None):
    """Return the loss on new symbols, the loss on repeated ones, and the share right.

    The first symbol of the second run counts as neither: it repeats, and nothing has
    yet shown that it would. The share right is of repeated symbols.
    """
    return _right(model(texts[:, :-1], change=change), texts, runs)


def _right(logits, texts, runs):
    targets = texts[:, 1:]
    place, losses = np.arange(1, LENGTH), cross_entropy(logits, targets)
    new, repeated = place < runs[:, None], place > runs[:, None]
    right = (logits.argmax(axis=-1) == targets)[repeated].mean()
    return float(losses[new].mean()), float(losses[repeated].mean()), float(right)


def cut(layer):
    """Make the ``change`` that cuts a layer's head off: what it adds becomes 0."""
    return lambda i, added: 0 * added if i == layer else added


def disturb(layer, seed=0):
    """Make the ``change`` that is the control of `cut`: as large, but at random.

    To each row that the layer's head adds, a random one of the same length is added.
    """

    def change(i, added):
        if i != layer:
            return added
        noise = np.random.default_rng(seed).standard_normal(added.shape)
        lengths = [np.linalg.norm(x, axis=-1, keepdims=True) for x in (added, noise)]
        return added + noise * (lengths[0] / lengths[1]).astype(added.dtype)

    return change


def looks(model, texts, runs):
    """Return how often each head looks where copying needs it to.

    Returns
    -------
    before, after : list of float, one for each head, those of layer 0 first
        In the first run, the share of symbols whose largest weight lies on the symbol
        just before. After it, the share whose largest weight lies on a place that
        followed this one an exact number of runs ago.
    """
    return _looks(model.weights(texts[:, :-1]), runs)


def _looks(weights, runs):
    place, run = np.arange(LENGTH - 1), runs[:, None]
    again = place >= run
    first = ~again & (place > 0)
    largest = [w.argmax(axis=-1) for w in weights]
    before = [(at == place - 1)[first].mean() for at in largest]
    back = [place + 1 - at for at in largest]
    after = [((b > 0) & (b % run == 0))[again].mean() for b in back]
    return [float(x) for x in before], [float(x) for x in after]


@cache
def history(n_layers, seed=0, *, positions=True, scale=None):
    """Train a `Copier` and keep it as it was after each of `STEPS`.

    Returns
    -------
    dict of int to SimpleNamespace
        After each number of steps: the ``model``; and for 100 texts that it was not
        trained on the loss on ``new`` and on ``repeated`` symbols, the share ``right``
        of `measure`, and ``before`` and ``after`` of `looks`.
    """
    model = Copier(n_layers, seed=seed, positions=positions, scale=scale)
    test, found = write_texts(100, np.random.default_rng(1000)), {}
    for step, _ in train(model, STEPS[-1], seed=seed):
        if step in STEPS:
            names = ("new", "repeated", "right", "before", "after")
            logits, weights = model.scores_and_weights(test[0][:, :-1])
            measured = (*_right(logits, *test), *_looks(weights, test[1]))
            now = dict(zip(names, measured, strict=True))
            found[step] = SimpleNamespace(model=deepcopy(model), **now)
    return found
