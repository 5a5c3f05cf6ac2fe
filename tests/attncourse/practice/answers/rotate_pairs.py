"""Right and wrong answers for rotate_pairs, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def turn(x):
    half = x.shape[-1] // 2
    rates = 10_000 ** (-np.arange(half) / half)
    angle = np.arange(x.shape[-2])[:, None] * rates
    pairs = x[..., :half] + 1j * x[..., half:]
    turned = pairs * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


@wrong("pairs-interleaved")
def turn_neighbors(x):
    """What many programs do: pairs of neighbors, as complex numbers."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] * 10_000 ** (-np.arange(half) / half)
    turned = np.ascontiguousarray(x).view(complex) * np.exp(1j * angle)
    return turned.view(float)


@wrong("half-overwritten")
def overwritten(x):
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] / 1e4 ** (np.arange(half) / half)
    out = x.copy()
    out[..., :half] = out[..., :half] * np.cos(angle) - out[..., half:] * np.sin(angle)
    out[..., half:] = out[..., :half] * np.sin(angle) + out[..., half:] * np.cos(angle)
    return out
