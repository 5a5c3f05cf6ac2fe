"""Ten trainings of each kind that rests on the start, and what each stretch breaks."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.toys import training

from . import measures
from .model import LENGTH, Echoer, train

PATH = Path(__file__).with_name("seeds.json")
ORDERS, N_SEEDS = ("sinusoids", "rotary"), 10
LENGTHS = (24, 48, 96, 192)
MODELS = {"plain": {}, "empty": {"empty": True}, "gated": {"gated": True}}
KINDS = ("on_start", "window", "start")
STRETCHES = ("none", "interpolation", "NTK", "YaRN")
interval = training.interval
# Turns within LENGTH: YaRN slows pairs that make fewer, keeps those that make more.
FEW, MANY = 0.25, 2


def stretched(kind, times, d_k=32, base=10_000.0):
    """Return the frequencies of rotary pairs, changed for texts so many times as long.

    Interpolation slows every pair. NTK raises the base, so that the slowest pair is
    slowed by that much and the fastest not at all. YaRN (without its temperature) keeps
    pairs that turn often within the trained length, and slows those that do not.

    Returns
    -------
    array, (d_k / 2,)
        In radians a token.

    References
    ----------
    Chen et al. (2023), equation 4; Peng et al. (2023), equations 16 and 23.
    """
    pairs = np.arange(0, d_k, 2)
    plain = base ** (-pairs / d_k)
    if kind == "none":
        return plain
    if kind == "interpolation":
        return plain / times
    if kind == "NTK":
        return (base * times ** (d_k / (d_k - 2))) ** (-pairs / d_k)
    turns = LENGTH * plain / (2 * np.pi)
    kept = np.clip((turns - FEW) / (MANY - FEW), 0, 1)
    return plain * kept + plain / times * (1 - kept)


def measure(order, kind, seed):
    """Train one model; return its weight on the start, and rises of the loss.

    Parameters
    ----------
    order : str
    kind : str
        One of `MODELS`.
    seed : int

    Returns
    -------
    dict
        ``on_start`` as `measures.measure` has it; ``window`` and ``start``: how much
        the loss rises with the last `measures.WINDOW` keys, and with the start beside
        them. A plain rotary model has ``right`` too: the share of
        echoes right, by stretch and length.
    """
    model = Echoer(order, seed=seed, **MODELS[kind])
    train(model, measures.N_STEPS, seed=seed)
    texts = measures.draw(LENGTH)
    weights = model.weights(texts[:, :-1])[..., 0][measures.not_echoes(texts)]
    losses = {k: measures.loss(model, texts, m) for k, m in measures.caches().items()}
    rises = {name: losses[name] - losses["everything"] for name in losses}
    found: dict[str, Any] = {
        "on_start": round(float(weights.mean()), 3),
        "window": round(rises["window"], 3),
        "start": round(rises["window and start"], 3),
    }
    if order == "rotary" and kind == "plain":
        found["right"] = {kind: _right(model, kind) for kind in STRETCHES}
    return found


def _right(model, kind):
    """Return the share of echoes right in texts of each length, stretched to fit."""
    found = []
    for n in LENGTHS:
        model.frequencies = stretched(kind, max(n / LENGTH, 1))
        found.append(measures.echoes_right(model, measures.draw(n)))
    model.frequencies = None
    return found


@cache
def load():
    """Read what was measured: for "sinusoids" and "rotary", each of `MODELS`."""
    return json.loads(PATH.read_text())
