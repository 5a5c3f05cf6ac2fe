"""Every keyword of attention and every pair, in PyTorch's and in JAX's own words.

PyTorch's `flex_attention` takes a function that changes a score, which says soft caps
as well; all else is said to its `scaled_dot_product_attention`. JAX's
`dot_product_attention` knows neither soft caps nor offsets; every other keyword and
pair is tried. Run by `make parity`, which installs what it needs.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch.nn import functional
from torch.nn.attention.flex_attention import flex_attention

import attnlib
from tests.attnlib.keywords import ELSEWHERE, N_KEYS, N_QUERIES, draw
from tests.parity.in_torch import allow

BLOCKS = partial(attnlib.blockwise_attention, block_size=2)


def arrays_for(how):
    return draw(np.random.default_rng(20170612), **how)


def split(how):
    """Take apart what PyTorch calls the same, the soft cap, and who may see whom."""
    same = {name: how[name] for name in ("scale", "enable_gqa") if name in how}
    masks = {k: v for k, v in how.items() if k not in (*same, "softcap")}
    if "mask" in how:
        masks["mask"] = torch.asarray(how["mask"])
    return same, how.get("softcap"), masks


def check_both_ways(how, expected, arrays, **tolerance):
    for attend in (attnlib.scaled_dot_product_attention, BLOCKS):
        np.testing.assert_allclose(attend(*arrays, **how), expected, **tolerance)


FLEX = {name: how for name, how in ELSEWHERE.items() if "softcap" in how}
PLAIN = {name: how for name, how in ELSEWHERE.items() if "softcap" not in how}


@pytest.mark.parametrize("how", PLAIN.values(), ids=PLAIN)
def test_scaled_dot_product_attention(how):
    arrays = arrays_for(how)
    same, _, masks = split(how)
    if masks == {"is_causal": True}:
        same["is_causal"] = True
    elif masks:
        places = torch.arange(N_QUERIES)[:, None], torch.arange(N_KEYS)
        allowed = allow(*places, **masks).expand(N_QUERIES, N_KEYS)
        added = masks.get("mask", allowed)
        same["attn_mask"] = (
            allowed
            if added.dtype == torch.bool
            else torch.where(allowed, added, -torch.inf)
        )
    tensors = [torch.asarray(a)[None] for a in arrays]
    expected = functional.scaled_dot_product_attention(*tensors, **same)[0]
    check_both_ways(how, expected, arrays, rtol=1e-11, atol=1e-13)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("how", FLEX.values(), ids=FLEX)
def test_flex_attention(how):
    arrays = arrays_for(how)
    same, softcap, masks = split(how)
    added = masks.get("mask")
    is_added = added is not None and added.dtype != torch.bool

    def change(score, batch, head, query, key):
        score = softcap * torch.tanh(score / softcap)
        score = score + added[query, key] if is_added else score
        return torch.where(allow(query, key, **masks), score, -torch.inf)

    tensors = [torch.asarray(a)[None] for a in arrays]
    expected = flex_attention(*tensors, score_mod=change, **same)[0]
    check_both_ways(how, expected, arrays, rtol=1e-11, atol=1e-13)


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
    for name, how in ELSEWHERE.items()
    if not how.keys() & {"softcap", "query_offset"}
}


@pytest.mark.parametrize("how", IN_JAX.values(), ids=IN_JAX)
def test_dot_product_attention(how):
    *arrays, value = arrays_for(how)
    arrays += [
        np.concatenate([value, value[..., :1]], axis=-1)
    ]  # theirs wants d_v = d_k
    with jax.enable_x64(True):
        theirs = [jnp.moveaxis(jnp.asarray(a), 0, 1)[None] for a in arrays]
        expected = jax.nn.dot_product_attention(*theirs, **in_jax_words(**how))
    seen = attnlib.attention_weights(*arrays[:2], **how).any(axis=-1)
    assert seen.any()  # for who sees nothing, theirs is no number or a plain mean
    expected = np.where(seen[..., None], np.moveaxis(expected[0], 1, 0), 0)
    check_both_ways(how, expected, arrays, rtol=1e-5, atol=1e-6)
