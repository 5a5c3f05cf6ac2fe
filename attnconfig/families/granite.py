"""Granite: scores are multiplied by a line of the file."""

from typing import TypedDict

from attnconfig.building import (
    alike,
    biased,
    experts,
    family,
    gated,
    grouped,
)
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted


class Scaled(TypedDict):
    """What scores are multiplied by."""

    scale: float


def scaled(c: Noted) -> Scaled:
    """Read what scores are multiplied by."""
    return {"scale": c.number("attention_multiplier", 1.0)}


@family("granite")
def granite(c: Noted) -> Model:
    """Llama with multipliers."""
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, gated(c, c.flag("mlp_bias")))


@family("granitemoe")
def granitemoe(c: Noted) -> Model:
    """Experts in every layer."""
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2))


@family("granitemoeshared")
def granitemoeshared(c: Noted) -> Model:
    """And a network that every token uses."""
    both = c.some("shared_intermediate_size")
    shared = Network(both, gated=True) if both else None
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2, shared=shared))
