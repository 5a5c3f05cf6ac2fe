"""next_token_loss: how unexpected each next token of a text was, on average."""

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.probabilities import cross_entropy
from named_mistakes.cases import case, large, normal
from named_mistakes.exercise import Case


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
    ids[1] = scores[0].argmin()  # whose probability is stored as 0
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


TABLE = """
SHIFT = which token row i of the logits is about: the one that comes next
MEAN = what is done with the losses of all places, in all texts: their mean is asked
PROBABILITY = what is averaged: −log of the probability that the next token was given
AXIS = the axis of softmax: one place shares 1 among the symbols

targets-not-shifted | {SHIFT}
    comparing each place with its own token = seen: logits, targets: token_ids
    comparing each place but the last with its own token = targets: token_ids[..., :-1]
    comparing each place but the first with its own token = seen: logits[..., 1:, :]

seen, targets | shifted-backwards | {SHIFT}
    comparing each place with the token before it =
        logits[..., 1:, :], token_ids[..., :-1]

seen, targets | shifted-too-far | {SHIFT}
    comparing each place with the token after the next =
        logits[..., :-2, :], token_ids[..., 2:]

seen, targets | texts-shifted | the axes of the shift: tokens lie on axis -2 of the
        logits and on axis -1 of the ids, texts before them
    leaving out the last text and the first in place of a token =
        logits[:-1], token_ids[1:]

loss | one-place-only | {MEAN}
    taking the loss of the last place = each[..., -1].mean()
    taking the loss of the first place = each[..., 0].mean()
    leaving out the last loss = _mean(each[..., :-1])
    leaving out the first loss = _mean(each[..., 1:])
    taking the largest loss = each.max()

loss | median-instead-of-mean | {MEAN}
    taking the median = np.median(each)

loss | every-place-with-every-token | what is picked: one number in each row, that of
        its
        own next token
    picking every next token in every row = -logs[..., targets].mean()
    picking every token of the text in every row = -logs[..., token_ids].mean()

loss | divided-by-all-places | {MEAN}
    dividing by the number of logits = each.sum() / seen.size
    dividing by the number of symbols = each.sum() / seen.shape[-1]
    dividing by the number of texts = each.sum(-1).mean()
    dividing by the places of one text, with several texts = each.sum() / each.shape[-1]

each | accuracy-instead | {PROBABILITY}
    how often the likeliest symbol is the next token =
        (seen.argmax(axis=-1) == targets) * 1.0

each | other-loss | {PROBABILITY}
    1 less the probability = 1 - np.exp(_picked(s, logs))
    −p log p of the next token = -np.exp(_picked(s, logs)) * _picked(s, logs)
    the entropy of what is predicted = -np.sum(np.exp(logs) * logs, axis=-1)
    1 divided by the probability = np.exp(-_picked(s, logs))
    the square of 1 less the probability = (1 - np.exp(_picked(s, logs))) ** 2

each | maximum-not-added | the logarithm of the sum: what was subtracted before exp
        comes back after log
    subtracting the largest logit and not adding it again =
        -_picked(s, logs) - seen.max(axis=-1)

each | all-symbols-averaged | {PROBABILITY}
    averaging over all symbols = -logs

each | floor-under-logarithm | the small number that keeps probabilities above 0: a loss
        may be large
    for n in 0.001, 0.0001, 1e-05, 1e-06, 1e-07, 1e-08, 1e-09, 1e-10, 1e-12, 1e-15,
        1e-20: {n} added to the probability = -np.log(np.exp(_picked(s, logs)) + {n})
    for n in 0.001, 0.0001, 1e-05, 1e-06, 1e-07, 1e-08, 1e-09, 1e-10, 1e-12, 1e-15,
        1e-20: {n} as the least of the probability =
        -np.log(np.maximum(np.exp(_picked(s, logs)), {n}))

logs | softmax-twice | what cross-entropy is given: logits, on which it does a softmax
        itself
    softmax on top of softmax = _logs(np.exp(_logs(seen)))

seen, targets | wraps-around | the last place: nothing comes after it, so nothing is
        asked there
    asking the last place for the first token, as np.roll does =
        logits, np.roll(token_ids, -1, axis=-1)

logs | wrong-axis | {AXIS}
    a softmax along axis -2, that of the places = _logs(seen, -2)
    a softmax along axis -2, that of the places, before the last is left out =
        _logs(logits, -2)[..., :-1, :]
    for axis in 0, 1: a softmax along axis {axis} = _logs(seen, {axis})

logs | normalized-over-everything | {AXIS}
    one softmax over all places and symbols = _logs(seen, (-2, -1))

loss | not-averaged | {MEAN}
    adding up where the mean was asked = each.sum()
    a loss for each place = each
    a loss for each text = each.mean(axis=-1) if each.ndim > 1 else each.mean()

loss | divided-by-all-places | how many places have a next token: one fewer than
        there are tokens
    dividing by the number of tokens, the last included = each.sum() / token_ids.size

logs | not-normalized | {PROBABILITY}
    the scores themselves in place of log-probabilities = seen

each | softmax-without-log | {PROBABILITY}
    averaging the probabilities, with a minus = -np.exp(_picked(s, logs))
    averaging the probabilities = np.exp(_picked(s, logs))

loss | log-of-the-mean | the order of logarithm and mean
    the logarithm of the mean probability = -np.log(np.exp(-each).mean())

loss | sign-flipped | the sign: the logarithm of a probability is never above 0, a loss
        never below
    a loss with the opposite sign = -each.mean()

loss | other-base | the base of the logarithm: it has to undo exp
    for n in 2, 10: a logarithm of base {n} = each.mean() / np.log({n})

loss | perplexity-instead | the last step: what is asked is the mean itself
    the exponential of the loss = np.exp(each.mean())
"""

EXERCISE = exercise(
    globals(), next_token_loss, RECIPE, signs=(overflow,), returns=("loss",)
)
