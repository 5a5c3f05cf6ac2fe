"""Training of the toys: first weights, gradients, Adam; and what is told of it."""

import json
import re

import numpy as np

# Student's t, 95%, by how many numbers there are.
STUDENT = {
    5: 2.776,
    8: 2.365,
    10: 2.262,
    12: 2.201,
    20: 2.093,
    40: 2.023,
    100: 1.984,
    200: 1.972,
}


def interval(found):
    """Return the means over the first axis, and half their 95% intervals."""
    half = STUDENT[len(found)] * np.std(found, axis=0, ddof=1) / len(found) ** 0.5
    return np.mean(found, axis=0), half


def as_lines(found):
    """Write what was measured as JSON, with a line for each list of numbers."""
    text = json.dumps(found, indent=1)
    return re.sub(r"\[[^][{}]*\]", lambda one: " ".join(one[0].split()), text) + "\n"


def small_weight(rng, n_in, n_out):
    """Random weights that keep the spread of what they multiply."""
    return rng.standard_normal((n_in, n_out)) / np.sqrt(n_in)


def weight_gradient(x, grad):
    """Return xᵀ grad, summed over the batch: the gradient of w in x @ w."""
    x, grad = (a.reshape(-1, a.shape[-1]) for a in (x, grad))
    # Column after column in memory: in the page, a product adds up one at a time.
    return x.T @ np.asfortranarray(grad)


class Adam:
    """Step along a mean of past gradients, over the root of a mean of their squares.

    Both are running means; each step is about as long as the learning rate.

    References
    ----------
    Kingma and Ba (2015), Adam: a method for stochastic optimization, algorithm 1.
    """

    def __init__(self, params, learning_rate=0.01, beta_1=0.9, beta_2=0.999):
        self.params, self.learning_rate, self.n = params, learning_rate, 0
        self.betas = beta_1, beta_2
        self.means = dict.fromkeys(params, (0.0, 0.0))

    def step(self, gradients):
        """Change the parameters in place, given the gradient of each."""
        self.n += 1
        for name, grad in gradients.items():
            pairs = zip(self.means[name], self.betas, (grad, grad**2), strict=True)
            self.means[name] = tuple(b * m + (1 - b) * g for m, b, g in pairs)
            pairs = zip(self.means[name], self.betas, strict=True)
            mean, square = (m / (1 - b**self.n) for m, b in pairs)
            self.params[name] -= self.learning_rate * mean / (np.sqrt(square) + 1e-8)
