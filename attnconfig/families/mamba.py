"""Mamba and Mamba-2, alone and beside attention: Jamba, Granite 4, Bamba, Falcon-H1."""

import math
from dataclasses import replace
from typing import NamedTuple

from attnconfig.building import (
    LINEAR,
    always,
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
from attnconfig.families.like_llama import scaled
from attnconfig.model import Layer, Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Part
from attnconfig.states import Mamba1, Mamba2
from attnconfig.turning import FULL, Turn

# Mamba and Mamba-2, with no attention at all; and Jamba, with some.


class Keys(NamedTuple):
    """The names that a family has for the sizes of Mamba-2."""

    heads: str
    d_head: str
    groups: str
    state: str
    kernel: str
    conv_bias: str


OWN = Keys(
    *("num_heads", "head_dim", "n_groups", "state_size", "conv_kernel", "use_conv_bias")
)
MAMBA = Keys(
    *("mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state"),
    *("mamba_d_conv", "mamba_conv_bias"),
)


@family("mamba", "falcon_mamba")
def mamba(c: Noted) -> Model:
    """``intermediate_size`` is the width inside, or ``expand`` times the model's."""
    inner, width = c.some("intermediate_size"), c.size("hidden_size")
    inner = inner or c.size("expand", 2) * width
    c.ignore("expand", why="intermediate_size says the width inside.")
    part = Mamba1(
        inner,
        c.size("state_size", 16),
        c.size("conv_kernel", 4),
        steps(c, "time_step_rank"),
        c.flag("use_conv_bias", True),
        c.flag("use_bias"),
    )
    for_training(c)
    return decoder(c, [Layer(RMS, part)] * len(stack(c)), tied=True)


def for_training(c: Noted) -> None:
    """Accept the lines that say how steps were before training."""
    names = ("scale", "min", "max", "init_scheme", "floor", "limit")
    why = "How steps were before training, or what limits them."
    c.ignore(*(f"time_step_{name}" for name in names), why=why)


def steps(c: Noted, key: str) -> int:
    """Read by way of how many numbers the step of a state is made."""
    said = c.get(key, "auto")
    return math.ceil(c.size("hidden_size") / 16) if said == "auto" else c.size(key)


@family("jamba")
def jamba(c: Noted) -> Model:
    """One layer in eight is attention; experts in every second layer."""
    period, offset = c.size("attn_layer_period", 8), c.count("attn_layer_offset", 4)
    found = kinds(c, lambda i: FULL if i % period == offset else LINEAR, FULL, LINEAR)
    c.only("mamba_inner_layernorms", True)
    c.ignore("sliding_window", why="Its program does not read it.")
    full = grouped(c, kv=8, turn=None)
    part = Mamba1(
        c.size("mamba_expand", 2) * c.size("hidden_size"),
        c.size("mamba_d_state", 16),
        c.size("mamba_d_conv", 4),
        steps(c, "mamba_dt_rank"),
        c.flag("mamba_conv_bias", True),
        c.flag("mamba_proj_bias"),
        norms=True,
    )
    step, first = c.size("expert_layer_period", 2), c.count("expert_layer_offset", 1)
    several = c.size("num_experts", 16) > 1
    some = [several and i % step == first for i in stack(c)]
    many = experts(c, gated(c), n=16, used=2) if any(some) else None
    c.ignore("num_experts_per_tok", why="Of the layers with experts.")
    layers = [
        block(full if kind == FULL else part, many if has else gated(c))
        for kind, has in zip(found, some, strict=True)
    ]
    return decoder(c, layers)


def mamba2(
    c: Noted,
    keys: Keys,
    default: tuple[int, int, int, int],
    inner: int | None = None,
    *,
    bias: bool = False,
    norm: bool = True,
) -> Mamba2:
    """Read Mamba-2's sizes; its heads have to make the width inside.

    ``default``: heads, their width, groups and state, where the file is silent.
    """
    n, d_head = c.size(keys.heads, default[0]), c.get(keys.d_head, default[1])
    d_head = (inner or 0) // n if d_head == "auto" else c.size(keys.d_head, default[1])
    if inner and n * d_head != inner:
        said = f"{n} heads of {d_head} do not make the {inner} numbers"
        raise Refusal(f"{keys.heads}: {said} of a recurrent layer.")
    for_training(c)
    return Mamba2(
        n,
        d_head,
        c.size(keys.groups, default[2]),
        c.size(keys.state, default[3]),
        c.size(keys.kernel, 4),
        c.flag(keys.conv_bias, True),
        bias=bias,
        norm=norm,
    )


@family("mamba2")
def mamba_2(c: Noted) -> Model:
    """States in heads."""
    inner = c.size("expand", 2) * c.size("hidden_size")
    part = mamba2(c, OWN, (128, 64, 8, 128), inner, bias=c.flag("use_bias"))
    why = "It changes no size."
    c.ignore("time_step_rank", "rms_norm", "norm_before_gate", why=why)
    return decoder(c, [Layer(RMS, part)] * len(stack(c)))


# Mamba-2 beside attention: Granite 4, Bamba, Falcon-H1.


def beside(c: Noted) -> Mamba2:
    """Mamba-2 as Bamba and Granite 4 name it."""
    inner = c.size("mamba_expand", 2) * c.size("hidden_size")
    default = (128, c.get("mamba_d_head", "auto"), 1, 256)
    if default[1] == "auto":
        default = (128, inner // c.size("mamba_n_heads", 128), 1, 256)
    return mamba2(c, MAMBA, default, inner, bias=c.flag("mamba_proj_bias"))


@family("granitemoehybrid")
def granitemoehybrid(c: Noted) -> Model:
    """Mamba-2 and attention by a list; experts, a shared network, or both."""
    found = kinds(c, always(LINEAR), FULL, LINEAR)
    turn = Turn() if c.get("position_embedding_type") == "rope" else None
    mixers: dict[str, Part] = {FULL: grouped(c, turn=turn, **scaled(c), **biased(c))}
    if LINEAR in found:
        mixers[LINEAR] = beside(c)
    why = "Of a kind of layer that this model has not."
    c.ignore(*MAMBA, "mamba_expand", "mamba_proj_bias", why=why)
    c.only("normalization_function", "rmsnorm")
    network = _network(c)
    return decoder(c, [block(mixers[kind], network) for kind in found])


def _network(c: Noted) -> Experts | Network | None:
    both = c.some("shared_intermediate_size", 1024)
    shared = Network(both, gated=True) if both else None
    why = "Of the experts, if there are any."
    c.ignore("intermediate_size", "num_experts_per_tok", why=why)
    if not c.some("num_experts", 8):
        return shared
    return experts(c, gated(c), n=8, used=2, shared=shared)


@family("bamba")
def bamba(c: Noted) -> Model:
    """Mamba-2, and attention in the layers of a list."""
    c.ignore("attn_rotary_emb", why="Its program reads partial_rotary_factor.")
    listed = c.get("attn_layer_indices") or []
    if not isinstance(listed, list):
        raise Refusal(f"attn_layer_indices = {listed!r}: this should be a list.")
    found = kinds(c, lambda i: FULL if i in listed else LINEAR, FULL, LINEAR)
    full = grouped(c, kv=8, turn=Turn(share=0.5), **biased(c))
    part, network = beside(c), gated(c, c.flag("mlp_bias"))
    layers = [block(full if kind == FULL else part, network) for kind in found]
    return decoder(c, layers)


@family("falcon_h1")
def falcon_h1(c: Noted) -> Model:
    """Attention and Mamba-2 side by side in each layer."""
    c.only("projectors_bias", False)
    c.only("mamba_proj_bias", False)
    c.only("mamba_use_mlp", True)
    why = "What rows are multiplied by, and where a norm stands."
    c.ignore("mamba_norm_before_gate", "mlp_multipliers", "ssm_multipliers", why=why)
    why = "Its program reads mamba_d_ssm and intermediate_size."
    c.ignore("mamba_expand", "mlp_expansion_factor", "time_step_rank", why=why)
    inner = c.size("mamba_d_ssm", 1024)
    head = inner // c.size("mamba_n_heads", 128)
    default = (128, head, 1, 256)
    part = mamba2(c, MAMBA, default, inner, norm=c.flag("mamba_rms_norm"))
    full = grouped(c, kv=8, **biased(c))
    times = c.number("key_multiplier", 1)
    full = replace(full, scale=full.d_k**-0.5 * times)
    layer = Layer(RMS, RMS, full, part, gated(c, c.flag("mlp_bias")))
    return decoder(c, [layer] * len(stack(c)))
