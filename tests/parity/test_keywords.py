"""Every keyword of attention and every pair, in PyTorch's and in JAX's own words.

PyTorch's `flex_attention` takes a function that changes a score, which says all of
them. JAX's `dot_product_attention` knows neither soft caps nor offsets; every other
keyword and pair is tried. Run by `make parity`, which installs what it needs.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch.nn.attention.flex_attention import flex_attention

import attnlib
from tests.attnlib.keywords import CASES, N_KEYS, N_QUERIES, draw

BLOCKS = partial(attnlib.blockwise_attention, block_size=2)
both_ways = pytest.mark.parametrize(
    "attend", [attnlib.scaled_dot_product_attention, BLOCKS], ids=["at once", "blocks"]
)


def arrays_for(how):
    return draw(np.random.default_rng(20170612), **how)


def in_flex_words(
    mask=None,
    is_causal=False,
    softcap=None,
    window=None,
    query_offset=0,
    **same,
):
    """Say the keywords as a function of a score and its place."""
    left, right = window or (None, None)

    def change(score, batch, head, query, key):
        position = query + query_offset
        if softcap is not None:
            score = softcap * torch.tanh(score / softcap)
        allowed = key >= 0
        if mask is not None and mask.dtype == bool:
            allowed = allowed & torch.asarray(mask)[query, key]
        elif mask is not None:
            score = score + torch.asarray(mask)[query, key]
        if is_causal:
            allowed = allowed & (key <= position)
        if left is not None:
            allowed = allowed & (key >= position - left)
        if right is not None:
            allowed = allowed & (key <= position + right)
        return torch.where(allowed, score, -torch.inf)

    return {"score_mod": change, **same}


@both_ways
@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("how", CASES.values(), ids=CASES)
def test_flex_attention(attend, how):
    arrays = arrays_for(how)
    tensors = [torch.asarray(a)[None] for a in arrays]
    expected = flex_attention(*tensors, **in_flex_words(**how))[0]
    np.testing.assert_allclose(attend(*arrays, **how), expected, rtol=1e-11, atol=1e-13)


def in_jax_words(mask=None, is_causal=False, scale=None, window=None, enable_gqa=False):
    """Say the keywords that JAX has, as it says them: None is as far as there is."""
    how = {"is_causal": is_causal, "scale": scale}
    if mask is not None:
        how["mask" if mask.dtype == bool else "bias"] = jnp.asarray(mask)[None, None]
    if window is not None:
        far = max(N_QUERIES, N_KEYS)
        how["local_window_size"] = tuple(
            far if side is None else side for side in window
        )
    return how


IN_JAX = {
    name: how
    for name, how in CASES.items()
    if not how.keys() & {"softcap", "query_offset"}
}


@both_ways
@pytest.mark.parametrize("how", IN_JAX.values(), ids=IN_JAX)
def test_dot_product_attention(attend, how):
    *arrays, value = arrays_for(how)
    arrays += [
        np.concatenate([value, value[..., :1]], axis=-1)
    ]  # theirs wants d_v = d_k
    with jax.enable_x64(True):
        theirs = [jnp.moveaxis(jnp.asarray(a), 0, 1)[None] for a in arrays]
        expected = jax.nn.dot_product_attention(*theirs, **in_jax_words(**how))
    seen = attnlib.attention_weights(*arrays[:2], **how).any(axis=-1)
    assert seen.any()  # for who sees nothing, theirs is no number or a plain mean
    got, expected = attend(*arrays, **how), np.moveaxis(expected[0], 1, 0)
    np.testing.assert_allclose(got[seen], expected[seen], rtol=1e-5, atol=1e-6)
