"""Lesson 14's live figure: bytes of a cache, by heads, tokens and window."""

from typing import NamedTuple

import traitlets

from ..kit.panel import Panel, View, choice
from . import still

LAYERS, QUERY_HEADS, HEAD_DIM, BYTES = 32, 32, 128, 2  # a model of eight billion
TOKENS = {f"{2**p:,}": 2**p for p in range(10, 18)}
HEADS = (1, 2, 4, 8, 16, 32)
WINDOWS = {"none": 0, "1,024": 1024, "4,096": 4096, "16,384": 16384}


class CacheSizeView(View, beside=__file__):
    """What each control can say, and which of it each says now, by its place."""

    tokens = traitlets.Int().tag(sync=True)
    heads = traitlets.Int().tag(sync=True)
    window = traitlets.Int().tag(sync=True)
    token_counts = traitlets.List().tag(sync=True)
    head_counts = traitlets.List().tag(sync=True)
    windows = traitlets.List().tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)


class CacheSize(NamedTuple):
    """Tokens that are kept, bytes for each token, bytes in all, and without savings."""

    kept: int
    per_token: int
    total: int
    full: int


def panel(tokens=32_768, heads=8, window="none"):
    """Return the live figure of lesson 14.

    Parameters
    ----------
    tokens : int
        Length of the text: a power of two from 1,024 to 131,072.
    heads : int
        Heads of keys and values that the 32 query heads share: 1, 2, 4, 8, 16 or 32.
    window : str
        How many tokens back a query sees: "none", "1,024", "4,096" or "16,384".

    Returns
    -------
    Panel
        ``compute()`` gives the `CacheSize`.

    Raises
    ------
    ValueError
        If a value is not one of those.
    """
    _check("tokens", tokens, list(TOKENS.values()))
    _check("heads", heads, list(HEADS))
    _check("window", window, list(WINDOWS))
    label = f"{tokens:,}"
    controls = {
        "tokens": choice("Tokens", list(TOKENS), label),
        "heads": choice("Heads of keys and values", list(HEADS), heads),
        "window": choice("Window", list(WINDOWS), window),
    }
    view = CacheSizeView(
        tokens=list(TOKENS).index(label),
        heads=HEADS.index(heads),
        window=list(WINDOWS).index(window),
        token_counts=list(TOKENS.values()),
        head_counts=list(HEADS),
        windows=list(WINDOWS.values()),
        sizes={
            "layers": LAYERS,
            "queryHeads": QUERY_HEADS,
            "headDim": HEAD_DIM,
            "bytes": BYTES,
        },
    )
    size = _size(label, heads, window)
    told = f"{heads} heads, {size.kept:,} tokens"
    return Panel(
        view,
        controls,
        still=lambda: still.bars(size.full, size.total, told),
        compute=_size,
    )


def _check(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"cache_size: {name} must be one of {allowed}, got {value!r}")


def _size(tokens, heads, window):
    n_tokens = TOKENS[tokens]
    kept = min(n_tokens, WINDOWS[window] or n_tokens)
    per_token = 2 * LAYERS * heads * HEAD_DIM * BYTES  # keys and values
    full = 2 * LAYERS * QUERY_HEADS * HEAD_DIM * BYTES * n_tokens
    return CacheSize(kept, per_token, kept * per_token, full)
