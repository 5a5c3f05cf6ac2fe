"""Words further ahead, guessed from the rows that the trained writer has made.

References
----------
Gloeckle, Youbi Idrissi, Rozière, Lopez-Paz, Synnaeve (2024), Better & Faster Large
Language Models via Multi-token Prediction. DeepSeek-AI (2024), DeepSeek-V3 Technical
Report, section 2.2. Li, Wei, Zhang, Zhang (2024), EAGLE: Speculative Sampling Requires
Rethinking Feature Uncertainty; and (2025), EAGLE-3: Scaling up Inference Acceleration
via Training-Time Test.
"""

from functools import cache

import numpy as np

from attnlib import rms_norm, softmax

from .model import forward
from .stored import parameters, writer
from .training import held_out_texts, training_texts

N_TEXTS = 600  # to learn from
N_DRAFTS = 4  # that a matrix learns to make of its own rows


def rows_and_words(ids, further=1):
    """Return what a layer for words further ahead may see, and what it is to guess.

    Returns
    -------
    rows : array, (n_texts, n, d_model)
        The writer's last row of each word.
    after : array, (n_texts, n, d_model)
        The row, in its table, of the word that comes next.
    wanted : array of int, (n_texts, n)
        The word that comes so much further.
    """
    return (
        _levels(ids)[-1][:, : -1 - further],
        parameters()["table"][ids[:, 1:-further]],
        ids[:, 1 + further :],
    )


def _beside(rows):
    """Put rows side by side, and a 1 behind them."""
    return np.concatenate([*rows, np.ones((*rows[0].shape[:-1], 1))], axis=-1)


def _matrix(seen, wanted):
    """Fit a matrix to rows, side by side, by least squares."""
    flat = _beside(seen).reshape(-1, 1 + sum(one.shape[-1] for one in seen))
    return np.linalg.lstsq(flat, wanted.reshape(len(flat), -1))[0]


def fitted(seen, wanted, new):
    """Fit a matrix to rows, side by side, by least squares; return its new guesses."""
    n_words = len(parameters()["table"])
    matrix = _matrix(seen, np.eye(n_words)[wanted])
    return (_beside(new) @ matrix).argmax(axis=-1)


def carried(further, own=False):
    """Guess words of new texts from rows that a matrix makes, each of the one before.

    Only the first row is the writer's: so drafts a layer that is given rows, not words.
    The words are the text's, as if all drafts before had been kept. With `own`, as in
    EAGLE-3, the first matrix sees what stands below and after each of the writer's
    layers, and the one for later words is fitted to rows of its own.
    """
    table, new = parameters()["table"], texts()[1]
    first, later = _own_matrices() if own else _matrices()
    rows = [row[:, : -1 - further] for row in _levels(new)[0 if own else -1 :]]
    for k in range(1, further + 1):
        word = table[new[:, k : k + rows[0].shape[1]]]
        rows = [_beside([*rows, word]) @ (first if k == 1 else later)]
    return (rows[0] @ table.T).argmax(axis=-1)


def _levels(ids):
    """Return the writer's rows of some texts, below its layers and after each."""
    return _levels_of(ids.tobytes(), ids.shape)


@cache
def _levels_of(ids, shape):
    """Compute them once: a card asks for those of the same texts a dozen times."""
    params = parameters()
    _, last, used = forward(params, np.frombuffer(ids, int).reshape(shape))
    return [*(one[0] for one in used), rms_norm(last, params["gain"])]


@cache
def _matrices():
    """Fit one matrix for every row that is made: to the writer's own rows."""
    rows, after, _ = rows_and_words(texts()[0])
    matrix = _matrix([rows[:, :-1], after[:, :-1]], rows[:, 1:])
    return matrix, matrix


@cache
def _own_matrices():
    """Fit a matrix for the first row that is made, and one for those made of such."""
    learn = texts()[0]
    *below, rows = _levels(learn)
    n = learn.shape[1] - 1 - N_DRAFTS
    word = [parameters()["table"][learn[:, k : k + n]] for k in range(N_DRAFTS + 1)]
    true = [rows[:, k : k + n] for k in range(N_DRAFTS + 1)]
    seen = [*(row[:, :n] for row in below), true[0], word[1]]
    first = _matrix(seen, true[1])
    later = _matrix([true[1], word[2]], true[2])
    for _ in range(3):  # rows of its own change with it, soon by next to nothing
        made = [_beside(seen) @ first]
        for k in range(2, N_DRAFTS):
            made.append(_beside([made[-1], word[k]]) @ later)
        pairs = [np.concatenate(made), np.concatenate(word[2:])]
        later = _matrix(pairs, np.concatenate(true[2:]))
    return first, later


@cache
def texts():
    """Return texts to learn from, and new ones."""
    return training_texts()[:N_TEXTS], held_out_texts()


@cache
def chances():
    """Return the writer's chance of each word after each token of the new texts."""
    return softmax(writer()(held_out_texts()))


def kept(guesses, further=1):
    """Return the share of guesses that the writer keeps, of each new text."""
    p = chances()[:, further:-1]
    return np.take_along_axis(p, guesses[..., None], axis=-1)[..., 0].mean(axis=1)
