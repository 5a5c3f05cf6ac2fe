"""Attentions that refute a first guess at other sizes."""

import numpy as np

from attnlib import rotary_embedding, softmax


def dots(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def causal(s, corner=0):
    n, m = s.shape[-2:]
    seen = np.arange(m) <= np.arange(n)[:, None] + corner
    return np.where(seen, s, -np.inf)


def of_first_sentence(q, k, v, attention_mask=None):
    """A mask of keys, (batch, n_keys): that of the first sentence is used for all."""
    s = dots(q, k)
    if attention_mask is not None:
        keys = np.asarray(attention_mask, bool)[0]
        if keys.ndim > 1:
            raise ValueError("a mask is (batch, n_keys)")
        s = np.where(keys, s, -np.inf)
    return softmax(s) @ v


def clipped_values(q, k, v):
    """Values are clipped to the largest of the first 16."""
    top = np.abs(v[:, :, :16]).max(2, keepdims=True)
    return softmax(dots(q, k)) @ np.clip(v, -top, top)


def own_block_alone(q, k, v):
    """Causal; of blocks of 16 keys, every second is seen by later queries alone."""
    n, m = q.shape[2], k.shape[2]
    block = np.arange(m) // 16
    read = block <= np.arange(n)[:, None] // 32 * 2
    return softmax(np.where(read, causal(dots(q, k)), -np.inf)) @ v


def dropped_and_leaking(q, k, v):
    """Causal in blocks of 16 keys; a last block that is not full is dropped."""
    n, m = q.shape[2], k.shape[2]
    block, query = np.arange(m) // 16, np.arange(n)[:, None]
    seen = block <= query // 16
    seen &= (np.arange(m) <= query) | (block * 16 == query // 32 * 32)
    seen &= (np.arange(m) < m // 16 * 16) | (m <= 16)
    return softmax(np.where(seen, dots(q, k), -np.inf)) @ v


def last_page_lost(q, k, v):
    """Pages of 16; the last is taken for empty if it is full, and not the only one."""
    m = k.shape[2]
    m -= 16 * (m > 16 and m % 16 == 0)
    return softmax(dots(q, k[:, :, :m])) @ v[:, :, :m]


def one_key_is_none(q, k, v, mask=None):
    """Rows of a mask that allow a single key are taken for empty."""
    s = dots(q, k)
    if mask is not None:
        seen = mask & (mask.sum(-1, keepdims=True) > 1)
        s = np.where(seen, s, -np.inf)
    return np.nan_to_num(softmax(s)) @ v


def skipped_for_all(q, k, v, key_padding_mask=None):
    """The mask is left out where the first sentence has no padding."""
    s = dots(q, k)
    if key_padding_mask is not None and not np.all(key_padding_mask[0]):
        s = np.where(np.asarray(key_padding_mask, bool)[:, None, None], s, -np.inf)
    return softmax(s) @ v


def blocks_of_first_sentence(q, k, v, mask=None):
    """Blocks of 16 keys that the first sentence does not see are read for none."""
    s = dots(q, k)
    if mask is not None:
        block = np.arange(k.shape[2]) // 16
        read = [mask.any((-3, -2))[:1, block == i].any() for i in block]
        s = np.where(mask & np.array(read), s, -np.inf)
    return np.nan_to_num(softmax(s)) @ v


def first_keys_twice(q, k, v):
    """Causal; the first four keys are joined to keys that have them already."""
    s = causal(dots(q, k))
    s = np.concatenate([s[..., :4], s], -1)
    return softmax(s) @ np.concatenate([v[:, :, :4], v], 2)


def reshaped(x):
    """Bring it to (batch, n, heads, d) by a reshape."""
    b, h, n, d = x.shape
    return x.reshape(b, n, h, d).swapaxes(1, 2)


def values_reshaped(q, k, v):
    return softmax(dots(q, k)) @ reshaped(v)


def keys_reshaped(q, k, v):
    return softmax(causal(dots(q, reshaped(k)))) @ v


def queries_reshaped(q, k, v):
    return softmax(dots(reshaped(q), k)) @ v


def one_rule_of_slopes(q, k, v):
    """ALiBi, slopes 2^(−8 i / H) for any number of heads."""
    h, n, m = q.shape[1], q.shape[2], k.shape[2]
    if k.shape[1] != h:
        raise ValueError("as many key heads are wanted")
    slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)
    away = np.arange(n)[:, None] - np.arange(m)
    return softmax(causal(dots(q, k) - slopes[:, None, None] * away)) @ v


def masked_before_the_cap(q, k, v, mask=None):
    """A mask of truth values, or of numbers that are read so, comes before the cap."""
    s = dots(q, k)
    if mask is not None:
        s = np.where(np.asarray(mask, bool), s, -np.inf)
    return softmax(3 * np.tanh(s / 3)) @ v


def signed_distance(q, k, v):
    """ALiBi, both ways, of signed distances; every sixteen columns are summed."""
    h, d = q.shape[1], q.shape[3] // 16 * 16 if q.shape[3] > 16 else q.shape[3]
    away = np.arange(q.shape[2])[:, None] - np.arange(k.shape[2])
    slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)
    s = q[..., :d] @ k[..., :d].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return softmax(s - slopes[:, None, None] * away) @ v


def keys_of_first_sentence(q, k, v):
    """Where key heads are shared, each sentence reads those of the first."""
    if q.shape[1] != k.shape[1]:
        k, v = (
            np.broadcast_to(
                x[:1].repeat(q.shape[1] // x.shape[1], 1), (*q.shape[:2], *x.shape[2:])
            )
            for x in (k, v)
        )
    return softmax(dots(q, k)) @ v


def pairs_of_heads(q, k, v):
    """Heads two by two; of an odd number, the last gets what the one before it does."""
    out = softmax(dots(q, k)) @ v
    if q.shape[1] > 1 and q.shape[1] % 2:
        out[:, -1] = out[:, -2]
    return out


def packed(q, k, v):
    """Query heads that share keys are packed into rows, and masked as if in turn."""
    share = q.shape[1] // k.shape[1]
    b, h, n, d = q.shape
    rows = np.arange(share * n) // share
    s = dots(q.reshape(b, h // share, share * n, d), k)
    s = np.where(np.arange(k.shape[2]) <= rows[:, None], s, -np.inf)
    s = np.concatenate([s, np.zeros_like(s[..., :1])], -1)
    return (softmax(s)[..., :-1] @ v).reshape(b, h, n, -1)


def keys_one_later(q, k, v):
    """Rotary, keys by one place too many; of odd columns, the last is not rotated."""
    d = q.shape[-1] // 2 * 2
    q, k = (
        np.concatenate(
            [
                rotary_embedding(x[..., :d], positions=np.arange(x.shape[2]) + late),
                x[..., d:],
            ],
            -1,
        )
        for x, late in ((q, 0), (k, 1))
    )
    return softmax(causal(dots(q, k))) @ v


def laid_out_otherwise(q, k, v):
    """Neighbors are rotated by angles that are laid out for halves."""

    def turn(x):
        half = x.shape[-1] // 2
        angle = np.arange(x.shape[2])[:, None] * 1e4 ** (-np.arange(half) / half)
        angle = np.concatenate([angle, angle], -1)
        other = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        return x * np.cos(angle) + other * np.sin(angle)

    return softmax(dots(turn(q), turn(k))) @ v


def scaled_mask(q, k, v, attn_mask=None):
    """A mask is added before the scale; a Boolean one is first turned into numbers."""
    s = q @ k.swapaxes(-1, -2)
    if attn_mask is not None:
        if attn_mask.dtype == bool:
            attn_mask = np.where(attn_mask, 0, -np.inf)
        s = s + attn_mask
    return np.nan_to_num(softmax(s / np.sqrt(q.shape[-1]))) @ v


def stops_at_padding(q, k, v, key_padding_mask=None):
    """Values of padding are 0; what follows a block of 16 with only padding is lost."""
    s, m = dots(q, k), k.shape[2]
    if key_padding_mask is None:
        return softmax(s) @ v
    seen = np.asarray(key_padding_mask, bool)
    read = np.ones_like(seen)
    for j in range(0, m, 16):
        none = ~seen[:, j : j + 16].any(-1)
        read[:, j:] &= ~none[:, None]
    s = np.where(read[:, None, None], s, -np.inf)
    return np.nan_to_num(softmax(s)) @ (v * seen[:, None, :, None])


def zeroed_beside_sink(q, k, v, key_padding_mask=None):
    """A sink; the scores of padding are 0."""
    s = dots(q, k)
    if key_padding_mask is not None:
        s = s * np.asarray(key_padding_mask)[:, None, None]
    s = np.concatenate([s, np.full_like(s[..., :1], -0.5)], -1)
    return softmax(s)[..., :-1] @ v


def lengths(q, k, v, key_padding_mask=None):
    """A mask is turned into lengths, as if all padding came last."""
    s = dots(q, k)
    if key_padding_mask is not None:
        many = np.asarray(key_padding_mask, bool).sum(-1)[:, None, None, None]
        s = np.where(np.arange(k.shape[2]) < many, s, -np.inf)
    return softmax(s) @ v


KEPT = {}


def kept_by_shape(q, k, v, mask=None):
    """A mask is kept by its shape: a second of that shape is not looked at."""
    if mask is None:
        return softmax(dots(q, k)) @ v
    return softmax(np.where(KEPT.setdefault(mask.shape, mask), dots(q, k), -1e30)) @ v


def padding_where_as_many(q, k, v, mask=None):
    """A mask of pairs is one of keys where there are as many queries as items."""
    if mask is None:
        return softmax(dots(q, k)) @ v
    if mask.ndim == 2 and len(mask) == len(q):
        mask = mask[:, None, None]
    return softmax(np.where(mask, dots(q, k), -1e30)) @ v


def tiles_by_first_row(q, k, v, mask=None):
    """Tiles of 16 are left out where the mask of their first row is empty."""
    s = dots(q, k)
    if mask is not None:
        mask = np.array(np.broadcast_to(mask, s.shape))
        for i, j in np.ndindex(-(-s.shape[-2] // 16), -(-s.shape[-1] // 16)):
            tile = mask[..., 16 * i : 16 * i + 16, 16 * j : 16 * j + 16]
            tile &= tile[..., :1, :].any()
        s = np.where(mask, s, -np.inf)
    return np.nan_to_num(softmax(s)) @ v


def maximum_of_hidden(q, k, v, mask=None):
    """The largest score that is subtracted may be a hidden one."""
    s = dots(q, k)
    seen = True if mask is None else mask
    e = np.where(seen, np.exp(s - s.max(-1, keepdims=True)), 0)
    return e / np.maximum(e.sum(-1, keepdims=True), 1e-300) @ v


def values_in_turn(q, k, v):
    """Causal; key heads are repeated, and value heads taken in turn."""
    share = q.shape[1] // k.shape[1]
    s = causal(dots(q, k.repeat(share, 1)), k.shape[2] - q.shape[2])
    return np.nan_to_num(softmax(s)) @ np.concatenate([v] * share, 1)


def capped_before_the_scale(q, k, v):
    s = 50 * np.tanh(q @ k.swapaxes(-1, -2) / 50) / np.sqrt(q.shape[-1])
    return np.nan_to_num(softmax(causal(s, k.shape[2] - q.shape[2]))) @ v


def lowered_by_10_000(q, k, v):
    """Hidden scores get −10,000 more; where all are as low, they take part."""
    s = dots(q, k)
    return softmax(s - 1e4 * np.isinf(causal(s, k.shape[2] - q.shape[2]))) @ v
