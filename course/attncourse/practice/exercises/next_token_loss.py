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


def _mean(x: np.ndarray) -> float:
    return x.sum() / max(x.size, 1)


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
        "shifted-too-far",
        "comparing each place with the token after the next",
        SHIFT,
        seen=lambda s: s.logits[..., :-2, :],
        targets=lambda s: s.token_ids[..., 2:],
    ),
    *(
        mistake("one-place-only", cause, MEAN, loss=step)
        for cause, step in (
            ("taking the loss of the last place", lambda s: s.each[..., -1].mean()),
            ("taking the loss of the first place", lambda s: s.each[..., 0].mean()),
            ("leaving out the last loss", lambda s: _mean(s.each[..., :-1])),
            ("leaving out the first loss", lambda s: _mean(s.each[..., 1:])),
            ("taking the largest loss", lambda s: s.each.max()),
            ("taking the median", lambda s: np.median(s.each)),
        )
    ),
    *(
        mistake("divided-by-all-places", cause, MEAN, loss=step)
        for cause, step in (
            (
                "dividing by the number of logits",
                lambda s: s.each.sum() / s.seen.size,
            ),
            (
                "dividing by the number of symbols",
                lambda s: s.each.sum() / s.seen.shape[-1],
            ),
            ("dividing by the number of texts", lambda s: s.each.sum(-1).mean()),
            (
                "dividing by the places of one text, with several texts",
                lambda s: s.each.sum() / s.each.shape[-1],
            ),
        )
    ),
    mistake(
        "accuracy-instead",
        "how often the likeliest symbol is the next token",
        PROBABILITY,
        each=lambda s: (s.seen.argmax(axis=-1) == s.targets) * 1.0,
    ),
    *(
        mistake("other-loss", cause, PROBABILITY, each=step)
        for cause, step in (
            (
                "1 less the probability",
                lambda s: 1 - np.exp(_picked(s, s.logs)),
            ),
            (
                "−p log p of the next token",
                lambda s: -np.exp(_picked(s, s.logs)) * _picked(s, s.logs),
            ),
            (
                "the entropy of what is predicted",
                lambda s: -np.sum(np.exp(s.logs) * s.logs, axis=-1),
            ),
            (
                "1 divided by the probability",
                lambda s: np.exp(-_picked(s, s.logs)),
            ),
            (
                "the square of 1 less the probability",
                lambda s: (1 - np.exp(_picked(s, s.logs))) ** 2,
            ),
        )
    ),
    mistake(
        "all-symbols-averaged",
        "averaging over all symbols",
        PROBABILITY,
        each=lambda s: -s.logs,
    ),
    *(
        mistake(
            "floor-under-logarithm",
            f"{eps:g} {how} the probability",
            "the small number that keeps probabilities above 0: a loss may be large",
            each=lambda s, eps=eps, join=join: (
                -np.log(join(np.exp(_picked(s, s.logs)), eps))
            ),
        )
        for eps in (
            1e-3,
            1e-4,
            1e-5,
            1e-6,
            1e-7,
            1e-8,
            1e-9,
            1e-10,
            1e-12,
            1e-15,
            1e-20,
        )
        for how, join in (("added to", np.add), ("as the least of", np.maximum))
    ),
    mistake(
        "softmax-twice",
        "softmax on top of softmax",
        "what cross-entropy is given: logits, on which it does a softmax itself",
        logs=lambda s: _logs(np.exp(_logs(s.seen))),
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
    mistake(
        "other-base",
        "a logarithm of base 10",
        "the base of the logarithm: it has to undo exp",
        loss=lambda s: s.each.mean() / np.log(10),
    ),
    mistake(
        "perplexity-instead",
        "the exponential of the loss",
        "the last step: what is asked is the mean itself",
        loss=lambda s: np.exp(s.each.mean()),
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
