"""Cohere's Command: one LayerNorm for attention and network side by side."""

from dataclasses import replace

from attnconfig.building import (
    biased,
    block,
    decoder,
    every,
    experts,
    family,
    gated,
    grouped,
    kinds,
    side_by_side,
    stack,
    windows,
)
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.part import LAYER_NO_BIAS, RMS
from attnconfig.turning import FULL, SWA, Turn


@family("cohere")
def cohere(c: Noted) -> Model:
    """Rotated neighbors; QK-norm in the larger one."""
    normed = c.flag("use_qk_norm")
    turn = Turn(500_000.0, neighbors=True)
    attention = grouped(
        c, eps=1e-5, turn=turn, qk_norm="heads" if normed else None, **biased(c)
    )
    layers = [block(attention, gated(c), norm=LAYER_NO_BIAS, norms=1)] * len(stack(c))
    return decoder(c, layers, tied=True, norm=LAYER_NO_BIAS)


@family("cohere2")
def cohere2(c: Noted) -> Model:
    """Only layers with a window turn."""
    c.only("use_gated_activation", True)
    c.only("use_qk_norm", False)
    c.only("use_parallel_block", True)
    found = kinds(c, every(c.some("sliding_window_pattern", 4)), FULL, SWA)
    c.ignore(
        *("layer_switch", "order_of_interleaved_layers", "use_parallel_embedding"),
        "position_embedding_type",
        why="Its program reads sliding_window_pattern or layer_types.",
    )
    attention = grouped(c, turn=Turn(neighbors=True), **biased(c))
    still = replace(attention, rope=None)
    layers = [
        block(
            replace(attention, window=w) if w else still,
            gated(c),
            norm=LAYER_NO_BIAS,
            norms=1,
        )
        for w in windows(c, found, 4096)
    ]
    return decoder(c, layers, tied=True, norm=LAYER_NO_BIAS)


@family("cohere2_moe")
def cohere2_moe(c: Noted) -> Model:
    """Experts after the first layers, whose windows have a pattern of their own."""
    first = c.count("first_k_dense_replace", 0)
    before = c.size("prefix_dense_sliding_window_pattern", 1)
    after = c.size("sliding_window_pattern", 4)
    found = kinds(
        c,
        lambda i: every(before)(i) if i < first else every(after)(i - first),
        *(FULL, SWA),
    )
    norm = RMS if c.get("rms_norm_eps") else LAYER_NO_BIAS
    said = c.each("mlp_layer_types", len(found))
    ff = c.maybe("prefix_dense_intermediate_size") or c.size("intermediate_size")
    shared = side_by_side(c, gated(c), None, "num_shared_experts")
    many = experts(c, gated(c), n=8, used=2, shared=shared)
    c.ignore(
        *("shared_expert_combination_strategy", "expert_selection_fn"),
        why="How experts are chosen, and their outputs put together.",
    )
    attention = grouped(
        c, d_k=128, turn=Turn(neighbors=True, scaled=False), **biased(c)
    )
    layers = []
    for i, w in enumerate(windows(c, found, 4096)):
        has = said[i] == "sparse" if said else i >= first
        mixer = replace(attention, window=w, rope=attention.rope if w else None)
        follows = many if has else Network(ff, gated=True)
        layers.append(block(mixer, follows, norm=norm, norms=1))
    return decoder(c, layers, tied=True, norm=norm)
