"""Mistral and Mixtral: grouped heads with a window in every layer, or none."""

from dataclasses import replace

from attnconfig.building import (
    alike,
    block,
    decoder,
    experts,
    family,
    gated,
    grouped,
    kinds,
    window,
    windows,
)
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.turning import FULL, SWA, Turn


@family("mistral", sizes=(4096, 32, 32, 14336, 32000))
def mistral(c: Noted) -> Model:
    """Llama with a window."""
    return alike(c, grouped(c, kv=8, window=window(c, 4096)), gated(c))


@family("mixtral")
def mixtral(c: Noted) -> Model:
    """Experts in every layer, as wide as the network would be."""
    attention = grouped(c, kv=8, turn=Turn(1_000_000.0), window=window(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2))


@family("ministral")
def ministral(c: Noted) -> Model:
    """Layers with a window beside layers without."""
    on = c.some("sliding_window", 4096)
    found = kinds(c, lambda i: SWA if on else FULL, FULL, SWA)
    attention = grouped(c, kv=8)
    seen = windows(c, found, 4096)
    return decoder(c, [block(replace(attention, window=w), gated(c)) for w in seen])


@family("ministral3", sizes=(4096, 34, 32, 14336, 131072))
def ministral3(c: Noted) -> Model:
    """Queries that grow with their position."""
    said = "queries also grow with their position"
    turn, seen = Turn(1_000_000.0), window(c)
    attention = grouped(c, kv=8, d_k=128, turn=turn, window=seen, not_said=said)
    return alike(c, attention, gated(c))
