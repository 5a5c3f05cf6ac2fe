"""Families whose layers with a window, or with chunks, stand beside layers without."""

from dataclasses import replace

from attnconfig.attention import Window
from attnconfig.building import (
    CHUNK,
    biased,
    block,
    decoder,
    every,
    experts,
    family,
    gated,
    grouped,
    kinds,
    stack,
    windows,
)
from attnconfig.families.like_llama import scaled
from attnconfig.families.llama import LLAMA3, turning
from attnconfig.model import Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, SWA, Turn

# Llama 4: chunks with rotation, and every fourth layer neither.

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


# Families whose layers with a window stand beside layers without.

YARN = {
    "rope_type": "yarn",
    "factor": 32.0,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "truncate": False,
    "original_max_position_embeddings": 4096,
}


@family("gpt_oss")
def gpt_oss(c: Noted) -> Model:
    """Windows by turns, sinks, biases, experts with biases."""
    found = kinds(c, lambda i: FULL if i % 2 else SWA, FULL, SWA)
    turn = Turn(150_000.0, scaling=YARN)
    attention = grouped(c, kv=8, d_k=64, turn=turn, sinks=True, **biased(c, True))
    follows = experts(c, gated(c, True), n=128, used=4, router_bias=True)
    seen = windows(c, found, 128)
    return decoder(c, [block(replace(attention, window=w), follows) for w in seen])


@family("cwm")
def cwm(c: Noted) -> Model:
    """One layer in four sees everything, and the first."""
    found = kinds(c, lambda i: SWA if i % 4 else FULL, FULL, SWA)
    turn = Turn(1_000_000.0, scaling={**LLAMA3, "factor": 16.0}, beside=True)
    attention = grouped(c, kv=8, d_k=128, turn=turn)
    seen = windows(c, found, 8192)
    return decoder(c, [block(replace(attention, window=w), gated(c)) for w in seen])


@family("exaone4", "exaone4_5_text", sizes=(4096, 32, 32, 16384, 102400))
def exaone4(c: Noted) -> Model:
    """Layers that see everything do not turn, where others have a window."""
    pattern, last = c.get("sliding_window_pattern", 4), c.size("num_hidden_layers") - 1
    on = c.some("sliding_window", 4096)

    def default(i: int) -> str:
        if not on or (i == last and isinstance(pattern, str)):
            return FULL
        if isinstance(pattern, str):  # "LLLG"
            return FULL if pattern[i % len(pattern)] == "G" else SWA
        return every(c.count("sliding_window_pattern", 4) if pattern else 0)(i)

    found = kinds(c, default, FULL, SWA)
    attention = grouped(c, eps=1e-5, kv=32, qk_norm="head")
    still = replace(attention, rope=None) if SWA in found else attention
    layers = [
        block(replace(attention, window=w) if w else still, gated(c))
        for w in windows(c, found, 4096)
    ]
    return decoder(c, layers)


@family("granite_swa")
def granite_swa(c: Noted) -> Model:
    """Sinks, and a base for each layer."""
    found = kinds(c, lambda i: SWA if i % 4 else FULL, FULL, SWA)
    attention = grouped(c, kv=4, sinks=True, **scaled(c), **biased(c))
    bases = c.each("layer_rope_theta", len(found)) or [None] * len(found)
    layers = []
    for w, base in zip(windows(c, found, 128), bases, strict=True):
        rope = Turn(base).read(Noted({}), attention.d_k) if base else attention.rope
        layers.append(block(replace(attention, window=w, rope=rope), gated(c)))
    return decoder(c, layers, tied=True)
