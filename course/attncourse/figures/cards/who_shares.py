"""The figures of the cards on what several heads, layers or tokens share."""

import functools

import numpy as np

import attnconfig
from attnlib import rms_norm, rotary_embedding, scaled_dot_product_attention

from ..kit.controls import Check, Choice, Slider
from ..kit.tabled import Bars, Curves, Grid, tabled
from . import interval

HEADS, WIDTH, LAYERS, TOKENS = 8, 128, 32, 8192  # heads of queries


@tabled(
    controls={"kv_heads": Choice("Heads of keys and values", 2, (8, 4, 2, 1))},
    drawn=(
        Grid("Keys that each head reads", "reads", header="reads"),
        Bars("Cache of 8,192 tokens, 32 layers", "bytes", "sizes", "B"),
    ),
    title="Query heads that share keys, and the bytes of the cache",
    summary="Of 8 query heads {share} read the same keys: {sizes.1:B} of cache.",
    said=("{sizes.1:B} of cache", "{share} share"),
)
def gqa(kv_heads):
    """Return whose keys each query head reads, and the bytes of a cache."""
    reads = np.arange(HEADS) // (HEADS // kv_heads)
    return {
        "rows": [f"query {h}" for h in range(HEADS)],
        "columns": [f"kv {h}" if h < kv_heads else "" for h in range(HEADS)],
        "reads": np.arange(HEADS) == reads[:, None],
        "names": ["8 kv heads", "as chosen"],
        "sizes": [2 * 2 * LAYERS * WIDTH * TOKENS * n for n in (HEADS, kv_heads)],
        "share": HEADS // kv_heads,
    }


WAYS = ("made again in each step", "absorbed")
OWN = (WIDTH + 64) + WIDTH  # multiplications for a score, and to mix a value in


@tabled(
    controls={
        "way": Choice("Keys and values", WAYS[0], WAYS),
        "width": Slider("Numbers in the short row", 512, 64, 1024, 64),
    },
    drawn=(
        Grid("Which W meets which row", "meets", header="meets W"),
        Bars("Kept of a token, in each layer", "numbers", "kept", ","),
    ),
    title="A latent row: what is absorbed, and what is kept",
    summary="The short row keeps {kept.3:,} numbers, as much as {heads:.2f} heads of "
    "keys and values. With one query a head does {pair:,} multiplications for each "
    "token, {times:.1f} times as many as with keys and values that are kept.",
    said=(
        "{pair:,} multiplications a token, {times:.1f} times",
        "{kept.3:,} numbers",
        "as much as {heads:.2f} kv heads",
    ),
)
def mla(way, width):
    """Return which matrices meet which rows, and what is kept and multiplied."""
    absorbed, kept = way == "absorbed", [2 * n * WIDTH for n in (8, 2, 1)]
    pair = (width + 64) + width if absorbed else OWN + 2 * WIDTH * width
    meets = [
        [1, absorbed, 0, 0],
        [0, not absorbed, not absorbed, 0],
        [0, 0, absorbed, 1],
    ]
    return {
        "rows": ["the query", "each token kept", "the output"],
        "columns": ["Q", "UK", "UV", "O"],
        "meets": np.array(meets),
        "names": ["8 kv heads", "2 kv heads", "1 kv head", "latent row"],
        "kept": [*kept, width + 64],
        "heads": (width + 64) / (2 * WIDTH),
        "pair": pair,
        "times": pair / OWN,
    }


GEMMA = {"model_type": "gemma4_text", "hidden_size": 1024, "num_hidden_layers": 4}
GEMMA |= {"num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 128}
GEMMA |= {"vocab_size": 1000, "intermediate_size": 4096}
GEMMA |= {"layer_types": ["full_attention"] * 4}
GEMMA |= {"num_global_key_value_heads": 2, "global_head_dim": 128}


@tabled(
    controls={
        "sharing": Slider("Layers that use an earlier cache", 0, 0, 3, 1),
        "same": Check("K = V: one matrix makes both", default=False),
    },
    drawn=Bars("Kept of a token by each layer", "bytes", "rows", ","),
    title="What four layers keep, if they share",
    summary="{total:,} bytes a token in all, and {weights:,} parameters.",
    said=("{total:,} bytes a token", "{weights:,} parameters"),
)
def k_is_v(sharing, same):
    """Return what four layers keep of a token, and what the model weighs."""
    lines = {"num_kv_shared_layers": sharing, "attention_k_eq_v": same}
    model = attnconfig.read(GEMMA | lines)
    rows = [2 * sum(kept.row for kept in layer.kept) for layer in model.layers]
    return {
        "names": [f"layer {i + 1}" for i in range(4)],
        "rows": rows,
        "total": model.cache_bytes(1),
        "weights": model.n_parameters,
    }


SHARES = {"0": 0.0, "¼": 0.25, "½": 0.5, "¾": 0.75, "all": 1.0}


@functools.cache
def _alike(share, draws=40, n=32, d=64):
    """Return the mean cosine of two tokens after each of eight layers, and ±."""
    rng, found = np.random.default_rng(14), []
    x, first = rng.standard_normal((draws, n, d)), None
    for _ in range(9):
        unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
        pairs = (unit @ np.swapaxes(unit, -1, -2))[:, *np.triu_indices(n, 1)]
        found.append(pairs.mean(axis=1))
        w = rng.standard_normal((4, draws, d, d)) / d**0.5
        query, key, value = rms_norm(x) @ w[:3]
        first = value if first is None else first
        mixed = rms_norm((1 - share) * value + share * first)  # always as long
        x = x + scaled_dot_product_attention(query, key, mixed, is_causal=True) @ w[3]
    return interval(np.transpose(found))


@tabled(
    controls={"share": Choice("Share of the first layer's values", 0.5, SHARES)},
    drawn=Curves(
        "How alike two tokens are (cosine)",
        "layers",
        "layers passed",
        {"mixed": "now", "none": "none"},
    ),
    title="How alike tokens become, and what the first values do about it",
    summary="After eight random layers two tokens have a cosine of {now.8:.2f} ± "
    "{half:.2f} (40 draws); without the first values {none.8:.2f}.",
    said=("cosine {now.8:.2f}", "without the first values {none.8:.2f}"),
)
def value_residual(share):
    """Return the same, beside no share of the first values."""
    (now, half), (none, _) = _alike(share), _alike(0.0)
    return {"layers": np.arange(9), "now": now, "none": none, "half": half[-1]}


@tabled(
    controls={
        "offset": Slider("query_offset", 5, 0, 5, 1),
        "turned": Check("Query turned by its own position", default=True),
    },
    drawn=Grid("Which of six rows of the cache it sees", "seen", lit="wrong"),
    title="A token alone, and where it is told that it stands",
    summary={
        "right": "Its output is that of the whole text.",
        "off": "Its output is off by {off:.2f}, and no error says so.",
    },
    said={"right": "The output is right", "off": "Off by {off:.2f}"},
)
def cache_rows(offset, turned):
    """Return what the sixth token reads of a cache, told that it stands somewhere."""
    x = np.random.default_rng(14).standard_normal((6, 4))
    keys = rotary_embedding(x)

    def read(position, offset):
        asks = rotary_embedding(x[5:], positions=[position])
        how = {"window": (2, 0), "query_offset": offset}
        return scaled_dot_product_attention(asks, keys, x, **how)

    off = abs(read(5 if turned else 0, offset) - read(5, 5)).max().round(3)
    places = np.arange(6)
    seen = (places <= offset) & (places >= offset - 2)
    return {
        "rows": ["the sixth token"],
        "columns": places + 1,
        "seen": [seen],
        "wrong": [seen & (places < 3)],
        "off": float(off),
        "case": "off" if off else "right",
    }
