"""next_token_loss: how unexpected each next token of a text was, on average."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, large, normal
from attncourse.practice.engine.exercise import Case, Exercise, mistake
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.probabilities import cross_entropy


def draw(rng: np.random.Generator) -> list[Case]:
    """One text and several, each with a score for every symbol at every place."""
    n, v, batch = (int(p) for p in rng.permutation([3, 5, 7]))
    shapes = {
        "a text": ((n,), v),
        "a long text": ((11,), v),
        "as many tokens as symbols": ((v,), v),
        "a batch of texts": ((batch, n), v),
        "a batch of squares": ((3, 3), 3),
    }
    cases = [
        case(
            label,
            axes=2,
            logits=2 * normal(rng, *text, size),
            token_ids=_ids(rng, text, size),
        )
        for label, (text, size) in shapes.items()
    ]
    scores, ids = 30 * large(rng, 5, 7), _ids(rng, (5,), 7)
    return [*cases, case("large", is_large=True, axes=2, logits=scores, token_ids=ids)]


def _ids(rng: np.random.Generator, text: tuple, size: int) -> np.ndarray:
    return rng.integers(0, size, text, np.intp)


def next_token_loss(logits: np.ndarray, token_ids: np.ndarray) -> np.ndarray:
    """Average −log softmax(logits)[next id]; the last place has no next."""
    return cross_entropy(logits[..., :-1, :], token_ids[..., 1:]).mean()


def _logs(x: np.ndarray, axis: int | tuple[int, ...] = -1) -> np.ndarray:
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _picked(s, logs: np.ndarray) -> np.ndarray:
    return np.take_along_axis(logs, s.targets[..., None], axis=-1)[..., 0]


RECIPE = {
    "seen": lambda s: s.logits[..., :-1, :],
    "targets": lambda s: s.token_ids[..., 1:],
    "logs": lambda s: _logs(s.seen),
    "each": lambda s: -_picked(s, s.logs),
    "loss": lambda s: s.each.mean(),
}

SHIFT = "which token row i of the logits is about: the one that comes next"
AXIS = "the axis of softmax: one place shares 1 among the symbols"
MEAN = "what is done with the losses of all places, in all texts: their mean is asked"
PROBABILITY = "what is averaged: −log of the probability that the next token was given"

MISTAKES = (
    mistake(
        "targets-not-shifted",
        "comparing each place with its own token",
        SHIFT,
        seen=lambda s: s.logits,
        targets=lambda s: s.token_ids,
    ),
    mistake(
        "targets-not-shifted",
        "comparing each place but the last with its own token",
        SHIFT,
        targets=lambda s: s.token_ids[..., :-1],
    ),
    mistake(
        "targets-not-shifted",
        "comparing each place but the first with its own token",
        SHIFT,
        seen=lambda s: s.logits[..., 1:, :],
    ),
    mistake(
        "shifted-backwards",
        "comparing each place with the token before it",
        SHIFT,
        seen=lambda s: s.logits[..., 1:, :],
        targets=lambda s: s.token_ids[..., :-1],
    ),
    mistake(
        "wraps-around",
        "asking the last place for the first token, as np.roll does",
        "the last place: nothing comes after it, so nothing is asked there",
        seen=lambda s: s.logits,
        targets=lambda s: np.roll(s.token_ids, -1, axis=-1),
    ),
    *(
        mistake("wrong-axis", f"a softmax along axis {axis}", AXIS, logs=step)
        for axis, step in (
            ("-2, that of the places", lambda s: _logs(s.seen, -2)),
            (
                "-2, that of the places, before the last is left out",
                lambda s: _logs(s.logits, -2)[..., :-1, :],
            ),
            ("0", lambda s: _logs(s.seen, 0)),
            ("1", lambda s: _logs(s.seen, 1)),
        )
    ),
    mistake(
        "normalised-over-everything",
        "one softmax over all places and symbols",
        AXIS,
        logs=lambda s: _logs(s.seen, (-2, -1)),
    ),
    mistake(
        "not-averaged",
        "adding up where the mean was asked",
        MEAN,
        loss=lambda s: s.each.sum(),
    ),
    mistake(
        "not-averaged",
        "a loss for each place",
        MEAN,
        loss=lambda s: s.each,
    ),
    mistake(
        "not-averaged",
        "a loss for each text",
        MEAN,
        loss=lambda s: s.each.mean(axis=-1) if s.each.ndim > 1 else s.each.mean(),
    ),
    mistake(
        "divided-by-all-places",
        "dividing by the number of tokens, the last included",
        "how many places are asked: one fewer than there are tokens",
        loss=lambda s: s.each.sum() / s.token_ids.size,
    ),
    mistake(
        "not-normalised",
        "the scores themselves in place of log-probabilities",
        PROBABILITY,
        logs=lambda s: s.seen,
    ),
    mistake(
        "softmax-without-log",
        "averaging the probabilities, with a minus",
        PROBABILITY,
        each=lambda s: -np.exp(_picked(s, s.logs)),
    ),
    mistake(
        "softmax-without-log",
        "averaging the probabilities",
        PROBABILITY,
        each=lambda s: np.exp(_picked(s, s.logs)),
    ),
    mistake(
        "log-of-the-mean",
        "the logarithm of the mean probability",
        "the order of logarithm and mean",
        loss=lambda s: -np.log(np.exp(-s.each).mean()),
    ),
    mistake(
        "sign-flipped",
        "a loss with the opposite sign",
        "the sign: the logarithm of a probability is never above 0, a loss never below",
        loss=lambda s: -s.each.mean(),
    ),
    mistake(
        "other-base",
        "a logarithm of base 2",
        "the base of the logarithm: it has to undo exp",
        loss=lambda s: s.each.mean() / np.log(2),
    ),
)

EXERCISES = (
    Exercise(
        "next_token_loss",
        next_token_loss,
        draw,
        RECIPE,
        MISTAKES,
        signs=(overflow,),
        returns=("loss",),
    ),
)
