"""Train the writer from its first parameters: a minute on an ordinary laptop."""

from functools import cache

import numpy as np

from attncourse.toys.training import Adam

from .model import RIGHT, first_parameters, loss_and_gradients
from .stories import write_texts

N_STEPS, N_TEXTS, N_TOKENS, LEARNING_RATE = 800, 16, 48, 0.01
WARM_UP = 50  # steps in which the learning rate rises


def train(n_steps=N_STEPS, *, seed=0, steps=RIGHT):
    """Train on fresh texts; yield the loss and the parameters before each step.

    The parameters are changed in place. After the last step nothing is yielded, and
    what was yielded before has them as they are then.

    Parameters
    ----------
    n_steps : int
        Fewer than `N_STEPS` are the first ones of a whole training.
    seed : int
        Of the first parameters and of the texts.
    steps : attncourse.toys.writer.model.Steps
    """
    params, texts = first_parameters(seed), np.random.default_rng(seed)
    adam = Adam(params)
    for step in range(n_steps):
        batch = write_texts(N_TEXTS, N_TOKENS, texts)
        loss, gradients = loss_and_gradients(params, batch, steps)
        yield loss, params
        adam.learning_rate = learning_rate(step)
        adam.step(gradients)


def trained(**how):
    """Train to the end; return the parameters, and the loss before each step."""
    losses, params = zip(*train(**how), strict=True)
    return params[-1], list(losses)


def learning_rate(step):
    """Rise to `LEARNING_RATE`, then fall along half a wave, nearly to 0."""
    rise = min(1, (step + 1) / WARM_UP)
    return LEARNING_RATE * rise * (1.01 + np.cos(np.pi * step / N_STEPS)) / 2.01


@cache
def training_texts(n_steps=N_STEPS, *, seed=0):
    """Draw all texts of a training again: (n_steps · N_TEXTS, N_TOKENS)."""
    return write_texts(n_steps * N_TEXTS, N_TOKENS, np.random.default_rng(seed))


def held_out_texts(n_texts=200):
    """Draw texts that no training has seen: (n_texts, N_TOKENS)."""
    return write_texts(n_texts, N_TOKENS, np.random.default_rng(1000))
