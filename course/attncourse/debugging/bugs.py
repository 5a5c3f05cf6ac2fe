"""The ten bugs: what each program is made of, and the line that mends it.

Of each, the wrong line stands in this file: put the right one in its place, and the bug
is gone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attncourse.toys.writer.model import N_HEADS, RIGHT, Steps
from attncourse.toys.writer.stories import WORDS
from attnlib import attention_vjp, causal_mask, softmax, softmax_vjp
from attnlib import scaled_dot_product_attention as attention
from attnlib.heads import merge_heads, split_heads

from .program import Parts, attend, padded

N_KEPT = 10


def same_words(texts):
    """Ask for the word that was just read."""
    return texts[:, :-1], texts[:, :-1]


def see_all(query, key, value, mask=None):
    """Attend to all keys, those of later words among them."""
    offset = key.shape[-2] - query.shape[-2]
    how = {"mask": mask, "is_causal": False, "query_offset": offset}
    return merge_heads(attention(query, key, value, **how))


def see_all_back(query, key, value, grad):
    """Carry a gradient back through `see_all`."""
    return attention_vjp(query, key, value, grad_output=split_heads(grad, N_HEADS))


def reshaped(query, key, value, mask=None):
    """Put the heads side by side by a reshape alone."""
    offset = key.shape[-2] - query.shape[-2]
    heads = attention(query, key, value, mask=mask, is_causal=True, query_offset=offset)
    *batch, n_heads, n, d_k = heads.shape
    return heads.reshape(*batch, n, n_heads * d_k)


def reshaped_back(query, key, value, grad):
    """Carry a gradient back through `reshaped`."""
    grad = grad.reshape(query.shape)
    return attention_vjp(query, key, value, grad_output=grad, is_causal=True)


def over_queries(query, key, value, mask=None):
    """Let each key share out 1 among the queries."""
    return merge_heads(shares(query, key, mask) @ value)


def shares(query, key, mask=None):
    """Return what each key gives to each query."""
    offset = key.shape[-2] - query.shape[-2]
    seen = causal_mask(query.shape[-2], key.shape[-2], query_offset=offset)
    seen = seen if mask is None else seen & mask
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    return softmax(np.where(seen, scores, -np.inf), axis=-2)


def over_queries_back(query, key, value, grad):
    """Carry a gradient back through `over_queries`."""
    grad, each = split_heads(grad, N_HEADS), shares(query, key)
    back = softmax_vjp(each, grad @ np.swapaxes(value, -1, -2), axis=-2)
    back = back / np.asarray(query.shape[-1] ** 0.5, query.dtype)
    turned, weights = np.swapaxes(back, -1, -2), np.swapaxes(each, -1, -2)
    return back @ key, turned @ query, weights @ grad


def twice(query, key, value, mask=None):
    """Divide by the root of d_k here, and once more in the call."""
    query = query / query.shape[-1] ** 0.5
    return attend(query, key, value, mask)


def from_the_start(n_before, n_new):
    """Let the words of each call begin at 0."""
    return np.arange(n_new)


def padded_unseen(texts):
    """Fill texts up, and tell nobody."""
    return padded(texts)[0], None


@dataclass(frozen=True)
class Bug:
    """A bug in one of the two programs, or in the attention that both use.

    Attributes
    ----------
    where : str
        In which program it stands: "training", "writing" or "both".
    wrong, right : str
        The line as it is, and as it is to be.
    training : attncourse.toys.writer.model.Steps
    writing : attncourse.debugging.program.Parts
    """

    where: str
    wrong: str
    right: str
    training: Steps = RIGHT
    writing: Parts = Parts()  # noqa: RUF009

    @property
    def is_trained(self):
        """Whether the weights come out otherwise."""
        return self.training != RIGHT


def _shared(wrong: str, right: str, forward: Callable, back: Callable):
    steps = RIGHT._replace(attend=forward, attend_back=back)
    return Bug("both", wrong, right, steps, Parts(attend=forward))


def _writing(wrong, right, **parts):
    return Bug("writing", wrong, right, writing=Parts(**parts))


BUGS = {
    "target": Bug(
        "training",
        "texts[:, :-1], texts[:, :-1]",
        "texts[:, :-1], texts[:, 1:]",
        RIGHT._replace(pairs=same_words),
    ),
    "mask": _shared(
        '"is_causal": False',
        '"is_causal": True',
        see_all,
        see_all_back,
    ),
    "heads": _shared(
        "heads.reshape(*batch, n, n_heads * d_k)",
        "merge_heads(heads)",
        reshaped,
        reshaped_back,
    ),
    "axis": _shared(
        "softmax(np.where(seen, scores, -np.inf), axis=-2)",
        "softmax(np.where(seen, scores, -np.inf), axis=-1)",
        over_queries,
        over_queries_back,
    ),
    "scale": _writing(
        "query = query / query.shape[-1] ** 0.5",
        "query = query",
        attend=twice,
    ),
    "restart": _writing(
        "return np.arange(n_new)",
        "return n_before + np.arange(n_new)",
        places=from_the_start,
    ),
    "eviction": _writing("N_KEPT = 10", "N_KEPT = None", n_kept=N_KEPT),
    "padding": _writing(
        "padded(texts)[0], None", "padded(texts)", padded=padded_unseen
    ),
    "words": _writing(
        "words=tuple(sorted(WORDS))", "words=WORDS", words=tuple(sorted(WORDS))
    ),
    "stale": _writing("is_fresh=False", "is_fresh=True", is_fresh=False),
}
