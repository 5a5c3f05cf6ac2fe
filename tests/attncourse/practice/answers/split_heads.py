"""Right and wrong answers for split_heads, in several styles."""

import numpy as np

from attnlib.heads import split_heads
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def split_by_slices(x, n_heads):
    d_head = x.shape[-1] // n_heads
    parts = [x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)]
    return np.stack(parts, axis=-3)


@right
def split_by_lists(x, n_heads):
    if x.ndim > 2:
        return [split_by_lists(one, n_heads) for one in x]
    return np.split(x, n_heads, axis=1)


@right
def split_by_einsum(x, n_heads):
    *batch, n, d_model = x.shape
    cut = x.reshape(*batch, n, n_heads, d_model // n_heads)
    return np.einsum("...nhd->...hnd", cut)


@right
def split_in_float32(x, n_heads):
    return split_by_einsum(x.astype("f4"), n_heads)


@wrong("heads-without-transpose")
def cut(x, n_heads):
    """(..., n, n_heads, d_head): only the first half of the work."""
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)


@wrong("heads-without-transpose")
def straight_reshape(x, n_heads):
    *batch, n, d_model = x.shape
    return np.reshape(x, (*batch, n_heads, n, d_model // n_heads))


@wrong("heads-without-transpose")
def straight_by_counting(x, n_heads):
    *batch, n, d_model = x.shape
    out = np.empty((*batch, n_heads, n, d_model // n_heads))
    for index in np.ndindex(*batch):
        out[index].flat = x[index].flat
    return out


@wrong("heads-without-transpose")
def classic(x, n_heads):
    """The line that most posts print: right for no array that has a batch."""
    return x.reshape(n_heads, -1, x.shape[-1] // n_heads)


@wrong("sizes-swapped")
def too_many_heads(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], -1, n_heads), -2, -3)


right(split_heads)
wrong("wrong-axis")(
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -2),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -3),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), 0, 1),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), 1, 2),
    lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-1)),
    lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-2), axis=-3),
    lambda x, n_heads: np.stack([x[..., h::n_heads] for h in range(n_heads)], -3),
    lambda x, n_heads: np.moveaxis(
        x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads), -1, -3
    ),
)


@wrong("heads-without-transpose")
def turned_and_reshaped(x, n_heads):
    n, d_k = x.shape[-2], x.shape[-1] // n_heads
    return np.swapaxes(x, -1, -2).reshape(*x.shape[:-2], n_heads, n, d_k)
