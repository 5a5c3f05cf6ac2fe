"""Gemma 1 to 3: tied, wide heads, four norms a layer, windows, a cap."""

from collections.abc import Callable
from dataclasses import replace

from attnconfig.building import (
    biased,
    block,
    decoder,
    every,
    family,
    gated,
    grouped,
    heads,
    kinds,
    stack,
    windows,
)
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.turning import FULL, SWA, Turn


def query_scale(c: Noted) -> float:
    """Gemma divides by the root of a number of its own in place of d_k."""
    return float(c.number("query_pre_attn_scalar", 256) ** -0.5)


def cap(c: Noted, default: float | None) -> float | None:
    """Read the cap of the scores; null for none."""
    key = "attn_logit_softcapping"
    return None if c.get(key, default) is None else c.number(key, default or 1.0)


@family("gemma")
def gemma(c: Noted) -> Model:
    """Llama with wide heads."""
    attention = grouped(c, kv=16, d_k=256, **biased(c))
    return decoder(c, [block(attention, gated(c))] * len(stack(c)), tied=True)


def capped(c: Noted, norms: int, default: Callable[[int], str]) -> Model:
    """Cap the scores; give some layers a window."""
    found = kinds(c, default, FULL, SWA)
    seen = windows(c, found, 4096)
    c.ignore("sliding_window_size", why="Its program reads sliding_window.")
    attention = grouped(
        c, kv=4, d_k=256, scale=query_scale(c), softcap=cap(c, 50.0), **biased(c)
    )
    layers = [block(replace(attention, window=w), gated(c), norms=norms) for w in seen]
    return decoder(c, layers, tied=True)


@family("gemma2", sizes=(2304, 26, 8, 9216, 256000))
def gemma2(c: Noted) -> Model:
    """Every other layer has a window."""
    return capped(c, 4, every(2))


@family("vaultgemma")
def vaultgemma(c: Noted) -> Model:
    """Two norms a layer."""
    return capped(c, 2, every(2))


@family("gemma3_text", sizes=(2304, 26, 8, 9216, 262208))
def gemma3(c: Noted) -> Model:
    """One layer in six sees everything; the others turn faster, and not stretched."""
    pattern = c.some("sliding_window_pattern", 6)
    why = "Its program reads layer_types, or sliding_window_pattern."
    c.ignore("_sliding_window_pattern", why=why)
    c.only("use_bidirectional_attention", False)
    found = kinds(c, every(pattern), FULL, SWA)
    d_k = heads(c, 4, 256)[2]
    turns = {
        FULL: Turn(1_000_000.0).read(c, d_k, FULL),
        SWA: Turn(apart=True).read(c, d_k, SWA),
    }
    attention = grouped(
        c,
        kv=4,
        d_k=256,
        turn=None,
        qk_norm="head",
        scale=query_scale(c),
        softcap=cap(c, None),
        **biased(c),
    )
    layers = [
        block(replace(attention, window=w, rope=turns[kind]), gated(c), norms=4)
        for w, kind in zip(windows(c, found, 4096), found, strict=True)
    ]
    return decoder(c, layers, tied=True)
