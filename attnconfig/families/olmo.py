"""OLMo: norms without gains at first, then norms after the parts and QK-norm."""

from dataclasses import replace

from attnconfig.building import (
    LINEAR,
    alike,
    biased,
    block,
    decoder,
    every,
    experts,
    family,
    gated,
    grouped,
    heads,
    kinds,
    stack,
    windows,
)
from attnconfig.families.mosaic import clipped
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.part import PLAIN
from attnconfig.states import Delta
from attnconfig.turning import FULL, SWA, Turn


@family("olmo")
def olmo(c: Noted) -> Model:
    """Norms that learn nothing."""
    attention = grouped(c, not_said=clipped(c.get("clip_qkv")), **biased(c))
    layers = [block(attention, gated(c), norm=PLAIN)] * len(stack(c))
    return decoder(c, layers, norm=PLAIN)


@family("olmo2")
def olmo2(c: Noted) -> Model:
    """QK-norm before the split into heads."""
    return alike(c, grouped(c, eps=1e-5, qk_norm="width", **biased(c)), gated(c))


@family("olmo3")
def olmo3(c: Noted) -> Model:
    """Windows, and a stretch in the layers without one alone."""
    found = kinds(c, every(4), FULL, SWA)
    turn, d_k = Turn(500_000.0), heads(c)[2]
    attention = grouped(c, eps=1e-5, turn=turn, qk_norm="width", **biased(c))
    local = Turn(500_000.0, apart=True).read(c, d_k, SWA)
    layers = [
        block(
            replace(attention, window=w, rope=local if w else attention.rope), gated(c)
        )
        for w in windows(c, found, 4096)
    ]
    return decoder(c, layers)


@family("olmoe")
def olmoe(c: Noted) -> Model:
    """Experts in every layer."""
    clip = clipped(c.get("clip_qkv"))
    attention = grouped(c, eps=1e-5, qk_norm="width", not_said=clip, **biased(c))
    return alike(c, attention, experts(c, gated(c), n=64, used=8))


@family("flex_olmo")
def flex_olmo(c: Noted) -> Model:
    """Few experts, of which most are used."""
    attention = grouped(c, turn=Turn(500_000.0), qk_norm="width", **biased(c))
    return alike(c, attention, experts(c, gated(c), n=7, used=5))


@family("olmo_hybrid")
def olmo_hybrid(c: Noted) -> Model:
    """Three layers of Gated DeltaNet, and one of attention."""
    found = kinds(c, every(4, LINEAR), FULL, LINEAR)
    n = c.size("num_attention_heads")
    keys, values = (
        c.size("linear_num_key_heads", n),
        c.size("linear_num_value_heads", n),
    )
    d_k = c.size("linear_key_head_dim", int(0.75 * c.size("hidden_size") / keys))
    d_v = c.size("linear_value_head_dim", 2 * d_k)
    delta = Delta(keys, values, d_k, d_v, c.size("linear_conv_kernel_dim", 4))
    c.ignore(
        *("linear_a_log_min", "linear_a_log_max", "linear_dt_min", "linear_dt_max"),
        "linear_dt_init_floor",
        why="How decays were before training.",
        changes="nothing",
    )
    c.ignore("linear_allow_neg_eigval", why="Whether a step can be as large as 2.")
    full = grouped(c, qk_norm="width", **biased(c))
    layers = [block(full if kind == FULL else delta, gated(c)) for kind in found]
    return decoder(c, layers)
