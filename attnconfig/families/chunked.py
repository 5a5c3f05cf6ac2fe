"""Llama 4: chunks with rotation, and every fourth layer neither."""

from dataclasses import replace

from attnconfig.attention import Window
from attnconfig.building import (
    CHUNK,
    biased,
    block,
    decoder,
    experts,
    family,
    gated,
    grouped,
    kinds,
    stack,
)
from attnconfig.families.llama import turning
from attnconfig.model import Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, Turn

SAID = "queries grow with their position in layers without rotation"


@family("llama4_text", sizes=(5120, 48, 40, 8192, 202048))
def llama4(c: Noted) -> Model:
    """Queries and keys are normalized after the rotation; experts in some layers."""
    c.only("nope_layer_interval", 4)
    turns = turning(c)
    found = kinds(c, lambda i: CHUNK if turns[i] else FULL, FULL, CHUNK)
    size = c.some("attention_chunk_size", 8192)
    if CHUNK in found and not size:
        raise Refusal("attention_chunk_size: the size of the chunks is not given.")
    normed = c.flag("use_qk_norm", True)
    attention = grouped(
        c,
        eps=1e-5,
        kv=8,
        d_k=128,
        turn=Turn(500_000.0, neighbors=True),
        not_said=SAID,
        **biased(c),
    )
    layers = []
    for kind, turned, network in zip(found, turns, _networks(c), strict=True):
        mixer = replace(
            attention,
            window=Window(size or 1, chunks=True) if kind == CHUNK else None,
            rope=attention.rope if turned else None,
            qk_norm="plain" if normed and turned else None,
            norm_after=normed and turned,
        )
        layers.append(block(mixer, network))
    return decoder(c, layers)


def _networks(c: Noted) -> list[Network | Experts]:
    """Experts, each as wide as the network would be, in some layers."""
    step, listed = c.size("interleave_moe_layer_step", 1), c.get("moe_layers")
    wide = Network(c.size("intermediate_size_mlp", 16384), gated=True)
    many = experts(c, gated(c), n=16, used=1, shared=gated(c))
    if not isinstance(listed, list | None):
        raise Refusal(f"moe_layers = {listed!r}: this should be a list of layers.")
    some = [(i + 1) % step == 0 if listed is None else i in listed for i in stack(c)]
    return [many if has else wide for has in some]
