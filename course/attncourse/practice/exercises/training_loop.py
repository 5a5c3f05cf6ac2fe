"""training_loop: steps downhill on the loss of the next word."""

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.attention import scaled_dot_product_attention
from attnlib.probabilities import softmax
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw texts, weights and numbers of steps."""
    n, d, v = (int(p) for p in rng.permutation([5, 7, 11]))
    sizes = {
        "one step": (n, d, v, 0.5, 1),
        "three steps": (n, d, v, 0.7, 3),
        "a long text": (13, d, v, 0.3, 4),
        "as many tokens as words": (7, 5, 7, 0.5, 2),
        "all sizes equal": (5, 5, 5, 0.4, 3),
    }
    return [
        case(
            label,
            axes=2,
            x=normal(rng, n, d),
            w_output=normal(rng, d, v),
            token_ids=rng.integers(0, v, n, np.intp),
            learning_rate=rate,
            n_steps=steps,
        )
        for label, (n, d, v, rate, steps) in sizes.items()
    ]


def error(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Differentiate the sum of −log p of the targets with respect to the logits."""
    return softmax(logits) - np.eye(logits.shape[-1])[targets]


def descend(s, n_steps: int | None = None, *, stale: bool = False) -> np.ndarray:
    """Take the steps; if stale, each with the gradient at the first weights."""
    w, first = s.w_output, s.w_output
    for _ in range(s.n_steps if n_steps is None else n_steps):
        gap = s.error(s.asked @ (first if stale else w), s.targets)
        w = w + s.length * s.share * s.asked.T @ gap
    return w


# What is read, whom it is compared with, the weight of a place; then the descent.
TRAINING: Steps = {
    "heads": lambda s: scaled_dot_product_attention(s.x, s.x, s.x, is_causal=True),
    "asked": lambda s: s.heads[:-1],
    "targets": lambda s: s.token_ids[1:],
    "share": lambda s: 1 / len(s.targets),
    "error": lambda s: error,
    "length": lambda s: -s.learning_rate,
    "result": lambda s: descend(s),
}


def training_loop(
    x: np.ndarray,
    w_output: np.ndarray,
    token_ids: np.ndarray,
    learning_rate: float,
    n_steps: int,
) -> np.ndarray:
    """Take n_steps steps down the gradient of the mean loss; return w_output then."""
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]
    for _ in range(n_steps):
        gap = error(asked @ w_output, token_ids[1:]) / len(asked)
        w_output = w_output - learning_rate * asked.T @ gap
    return w_output


def _by_steps(s, how, *, half: bool = False) -> np.ndarray:
    """Take the steps, with another gradient or another length in each."""
    w, old = s.w_output, 0.0 * s.w_output
    for i in range(s.n_steps):
        gradient = s.asked.T @ s.error(s.asked @ w, s.targets) * s.share
        step, length = how(gradient, i, old)
        w = w + s.length * length * ((step + old) / 2 if half and i else step)
        old = step
    return w


def _from_all_places(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    gap = softmax(logits)
    gap[:, targets] -= 1
    return gap


TABLE = """
from attnlib.probabilities import cross_entropy

SEES = whom a row may look at: its own token, and all that come before it
DIVISOR = what the scores are divided by
SHIFT = which token row i is about: the one that comes next
MEAN = the loss: the mean over all places that have a next token
GRADIENT = the gradient of the loss: probabilities, less 1 at the target
LOOP = what changes from one step to the next: the weights, and so the gradient

heads | mask-forgotten | whom a row may look at: with the text's own future in view, it
        can cheat
    attention without a causal mask = scaled_dot_product_attention(x, x, x)
    attention without a causal mask, among all tokens but the last =
        scaled_dot_product_attention(*[x[:-1]] * 3)[[*range(len(x) - 1), -1]]

heads | mask-after-softmax | the step at which the mask comes in: softmax should share
        among the rest
    setting weights to 0 after softmax =
        np.tril(softmax(x @ x.T / x.shape[-1] ** 0.5)) @ x

heads | hides-itself | {SEES}
    hiding each token from itself =
        scaled_dot_product_attention(x, x, x, mask=np.tri(len(x), k=-1, dtype=bool))

heads | looks-ahead | {SEES}
    a mask the wrong way round =
        scaled_dot_product_attention(x, x, x, mask=np.tri(len(x), dtype=bool).T)
    hiding what should be seen and showing what should be hidden =
        scaled_dot_product_attention(x, x, x, mask=~np.tri(len(x), dtype=bool))
    a mask that lets each token see one ahead =
        scaled_dot_product_attention(x, x, x, mask=np.tri(len(x), k=1, dtype=bool))

heads | score-zero-instead-of-minus-infinity | the weight that a hidden score still
        gets: whose exponential is 0?
    giving hidden pairs a score of 0 =
        softmax(np.tril(x @ x.T / x.shape[-1] ** 0.5)) @ x

heads | missing-scale | {DIVISOR}
    leaving the scores unscaled =
        scaled_dot_product_attention(x, x, x, is_causal=True, scale=1.0)

heads | scaled-by-d_k | {DIVISOR}
    dividing by d_model itself =
        scaled_dot_product_attention(x, x, x, is_causal=True, scale=1 / x.shape[-1])

heads | attention-forgotten | what the logits are made from: what attention puts out
    using x where the output of attention was expected = x

targets-not-shifted | {SHIFT}
    leaving out the first row, not the last = asked: heads[1:]
    comparing each place with its own token = targets: token_ids[:-1]

share | gradient-not-averaged | {MEAN}
    adding the gradients up where their mean was expected = 1.0

share | averaged-over-everything | {MEAN}
    dividing by the number of logits = 1 / (len(targets) * w_output.shape[1])
    dividing by the number of tokens, the last included = 1 / len(token_ids)

error | wrong-axis | the axis of softmax: one place shares 1 among the words
    a softmax along axis 0 =
        lambda logits, at: softmax(logits, 0) - np.eye(logits.shape[-1])[at]
    one softmax over all places =
        lambda logits, at: softmax(logits.reshape(-1)).reshape(logits.shape)
            - np.eye(logits.shape[-1])[at]

error | softmax-missing | {GRADIENT}
    logits in place of probabilities =
        lambda logits, at: logits - np.eye(logits.shape[-1])[at]

error | target-not-subtracted | {GRADIENT}
    probabilities alone = lambda logits, at: softmax(logits)
    taking 1 from the columns of all targets, at every place = _from_all_places
    adding 1 at the target =
        lambda logits, at: softmax(logits) + np.eye(logits.shape[-1])[at]
    probabilities at the target alone =
        lambda logits, at: error(logits, at) * np.eye(logits.shape[-1])[at]

length | uphill | the sign of a step: the gradient points to where the loss rises
    adding the gradient = learning_rate

length | learning-rate-ignored | where `learning_rate` is used
    steps as long as the gradient = -1.0

length | learning-rate-changed | how long a step is: the learning rate times the
        gradient
    dividing by the learning rate = -1 / learning_rate
    dividing the learning rate by the number of steps = -learning_rate / n_steps
    using the learning rate twice = -(learning_rate**2)
    steps of twice the length = -2 * learning_rate

result | gradient-computed-once | {LOOP}
    taking every step with the first gradient = descend(s, stale=True)

result | gradients-collected | {LOOP}
    steps along the sum of all gradients so far =
        _by_steps(s, lambda g, i, old: (g + old, 1.0))
    steps along the mean of a gradient and the one before =
        _by_steps(s, lambda g, i, old: (g, 1.0), half=True)

result | learning-rate-changed | how long a step is: the learning rate times the
        gradient, in every step
    for n in 0.5, 0.9, 0.95: a learning rate that becomes {n} of itself in each step =
        _by_steps(s, lambda g, i, old: (g, {n}**i))
    a learning rate divided by the number of the step =
        _by_steps(s, lambda g, i, old: (g, 1 / (i + 1)))
    gradients that are brought to length 1 =
        _by_steps(s, lambda g, i, old: (g / np.linalg.norm(g), 1.0))

result | gradient-averaged | the shape of the gradient: as many numbers as there are
        weights, divided by the number of places | written: .mean()
    one mean of all numbers of the gradient, which is 0 = w_output

result | weights-not-returned | what is returned: the weights after all steps
    returning the loss of the last step =
        np.mean(cross_entropy(asked @ descend(s, n_steps - 1), targets))
    returning the gradient = asked.T @ error(asked @ w_output, targets) * share
    returning the change of the weights = descend(s) - w_output
    returning the logits = asked @ descend(s)
    returning the weights as they were = w_output

result | wrong-number-of-steps | how often the loop runs
    one step = descend(s, 1)
    one step too many = descend(s, n_steps + 1)
    one step too few = descend(s, n_steps - 1)

targets, asked | targets-not-shifted | {SHIFT}
    comparing all places with their own tokens = token_ids, heads

targets, asked | wraps-around | the last place: nothing comes after it, so nothing is
        asked there
    asking the last place for the first token = np.roll(token_ids, -1), heads
"""


EXERCISE = exercise(
    globals(), training_loop, TRAINING, returns=("w_output",), patience=10
)
