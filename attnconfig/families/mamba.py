"""Mamba and Mamba-2, alone and beside attention: Jamba, Granite 4, Nemotron-H."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attnconfig.building import LINEAR, Which, kinds, stack, way
from attnconfig.families.recurrent import state_format
from attnconfig.heads import BIAS, MLP_BIAS, Heads, Says
from attnconfig.model import Layer
from attnconfig.networks import Mixture, Network, Wide
from attnconfig.noted import Noted, Refusal
from attnconfig.part import FLOAT32, RMS, Part, State, convolution, state
from attnconfig.turning import FULL, Turn
from attnconfig.weights import Weight, matrix

OTHER_KIND = "Of a kind of layer that this model has not."


# What families call Mamba-2's heads, their width, groups, state, convolution, its bias.
OWN = "num_heads head_dim n_groups state_size conv_kernel use_conv_bias"
BAMBA = """mamba_n_heads mamba_d_head mamba_n_groups mamba_d_state mamba_d_conv
  mamba_conv_bias"""
NEMOTRON = """mamba_num_heads mamba_head_dim n_groups ssm_state_size conv_kernel
  use_conv_bias"""


def for_training(c: Noted) -> None:
    """Accept the lines that say how steps were before training."""
    names = ("scale", "min", "max", "init_scheme", "floor", "limit")
    why = "How steps were before training, or what limits them."
    c.ignore(*(f"time_step_{name}" for name in names), why=why)


def mamba1(c: Noted, inner: int, names: str, *, norms: bool = False) -> State:
    """Mamba (Gu and Dao, 2023); ``norms``: of step, B and C, as Jamba has them.

    ``names``: state, convolution, by way of how many numbers the step is made, biases.
    """
    keys, d = names.split(), c.size("hidden_size")
    n, kernel = c.size(keys[0], 16), c.size(keys[1], 4)
    auto = c.get(keys[2], "auto") == "auto"
    rank = math.ceil(d / 16) if auto else c.size(keys[2])
    conv_bias, bias = c.flag(keys[3], True), c.flag(keys[4])
    learned = (
        *matrix("in", d, 2 * inner, bias),
        *convolution(inner, kernel, conv_bias),
        *matrix("step, B and C", inner, rank + 2 * n),
        *matrix("step", rank, inner, True),
        Weight("A", (inner, n)),
        Weight("D", (inner,)),
        *matrix("out", inner, d, bias),
    )
    of_steps = (Weight("norms of step, B and C", (rank + 2 * n,)),) * norms
    return state("Mamba", learned + of_steps, (inner, n), inner, kernel)


def mamba2(
    c: Noted,
    names: str,
    default: tuple[int, Any, int, int],
    inner: int | None = None,
    *,
    bias: bool = False,
    norm: bool = True,
    dtype: str = FLOAT32,
) -> State:
    """Mamba-2 (Dao and Gu, 2024); its heads have to make the width inside.

    ``default``: heads, their width (or "auto"), groups, state, for a silent file.
    """
    keys = names.split()
    n, width = c.size(keys[0], default[0]), c.get(keys[1], default[1])
    width = (inner or 0) // n if width == "auto" else c.size(keys[1], default[1])
    if inner and n * width != inner:
        said = f"{n} heads of {width} do not make the {inner} numbers"
        raise Refusal(f"{keys[0]}: {said} of a recurrent layer.")
    for_training(c)
    groups, size = c.size(keys[2], default[2]), c.size(keys[3], default[3])
    kernel, conv_bias = c.size(keys[4], 4), c.flag(keys[5], True)
    d, inner = c.size("hidden_size"), n * width
    mixed = inner + 2 * groups * size
    learned = (
        *matrix("in", d, inner + mixed + n, bias),
        *convolution(mixed, kernel, conv_bias),
        Weight("A, D and step", (3, n)),
        *(Weight("norm", (inner,)),) * norm,
        *matrix("out", inner, d, bias),
    )
    return state("Mamba-2", learned, (n, width, size), mixed, kernel, dtype)


@way
def bambas(c: Noted) -> State:
    """Mamba-2 as Bamba and Granite 4 name it."""
    inner = c.size("mamba_expand", 2) * c.size("hidden_size")
    bias = c.flag("mamba_proj_bias")
    return mamba2(c, BAMBA, (128, "auto", 1, 256), inner, bias=bias)


# Jamba: one layer in eight is attention, and every second has experts.


@way
def jambas_experts(c: Noted) -> list[bool]:
    """One layer in so many has experts, if there is more than one."""
    counted = EXPERTS(c)
    return counted if c.size("num_experts", 16) > 1 else [False] * len(counted)


EXPERTS = Which(
    step=("size", "expert_layer_period", 2), at=("count", "expert_layer_offset", 1)
)


@way
def jambas(c: Noted) -> State:
    """Mamba with norms of step, B and C."""
    names = "mamba_d_state mamba_d_conv mamba_dt_rank mamba_conv_bias mamba_proj_bias"
    inner = c.size("mamba_expand", 2) * c.size("hidden_size")
    return mamba1(c, inner, names, norms=True)


@way
def mamba(c: Noted) -> State:
    """``intermediate_size`` is the width inside, or ``expand`` times the model's."""
    names = "state_size conv_kernel time_step_rank use_conv_bias use_bias"
    inner, width = c.some("intermediate_size"), c.size("hidden_size")
    inner = inner or c.size("expand", 2) * width
    c.ignore("expand", why="intermediate_size says the width inside.")
    for_training(c)
    return mamba1(c, inner, names)


@way
def mamba_2(c: Noted) -> State:
    """States in heads."""
    inner = c.size("expand", 2) * c.size("hidden_size")
    return mamba2(c, OWN, (128, 64, 8, 128), inner, bias=c.flag("use_bias"))


@way
def granitemoehybrid(c: Noted) -> list[Layer]:
    """Mamba-2 and attention by a list; experts, a shared network, or both."""
    found = kinds(c, {}, LINEAR, FULL, LINEAR)
    turn = Turn() if c.get("position_embedding_type") == "rope" else None
    scale = Says("attention_multiplier", 1.0)
    mixers: dict[str, Part] = {FULL: Heads(turn=turn, bias=BIAS, scale=scale).one(c)}
    if LINEAR in found:
        mixers[LINEAR] = bambas(c)
    c.ignore(*BAMBA.split(), "mamba_expand", "mamba_proj_bias", why=OTHER_KIND)
    why = "Of the experts, if there are any."
    c.ignore("intermediate_size", "num_experts_per_tok", why=why)
    shared = Says("shared_intermediate_size", 1024)
    both = c.some(*shared)
    network: Part | None = Network(both, gated=True) if both else None
    if c.some("num_experts", 8):
        network = Mixture(8, 2, Wide(), shared_width=shared).one(c)
    return [Layer(RMS, RMS, mixers[kind], network) for kind in found]


@way
def falcon_h1(c: Noted) -> list[Layer]:
    """Attention and Mamba-2 side by side in each layer."""
    full, inner = Heads(kv=8, bias=BIAS).one(c), c.size("mamba_d_ssm", 1024)
    default = (128, inner // c.size("mamba_n_heads", 128), 1, 256)
    part = mamba2(c, BAMBA, default, inner, norm=c.flag("mamba_rms_norm"))
    full = full.but(scale=full.facts.scale * c.number("key_multiplier", 1))
    layer = Layer(RMS, RMS, full, part, Wide(bias=MLP_BIAS).one(c))
    return [layer] * len(stack(c))


# Nemotron-H: one part a layer.

LETTERS = {"M": LINEAR, "*": FULL, "-": "mlp", "E": "moe"}


def _kinds(c: Noted) -> list[str]:
    """Read a letter for each layer, or a word in layer_types (Nemotron 2 and 3)."""
    pattern, n = c.get("hybrid_override_pattern"), len(stack(c))
    if c.get("layer_types"):
        return kinds(c, {}, FULL, FULL, LINEAR, "mlp", "moe")
    if not isinstance(pattern, str) or len(pattern) != n or set(pattern) - set(LETTERS):
        said = f"does not say what {n} layers are"
        raise Refusal(f"hybrid_override_pattern {pattern!r} {said}.")
    return [LETTERS[letter] for letter in pattern]


def _state(c: Noted) -> Part:
    dtype = state_format(c, "mamba_ssm_cache_dtype")
    return mamba2(c, NEMOTRON, (128, 64, 8, 128), dtype=dtype)


def _experts(c: Noted) -> Part:
    c.only("n_shared_experts", 1)
    both = c.size("moe_shared_expert_intermediate_size", 7688)
    one = Wide(gated=False, key="moe_intermediate_size", default=7688)
    return replace(
        Mixture(8, 2, one).one(c),
        shared=Network(both, c.flag("mlp_bias")),
        latent=c.some("moe_latent_size"),
    )


PARTS: dict[str, Callable[[Noted], Part]] = {
    FULL: Heads(kv=8, d_k=128, turn=None).one,
    LINEAR: _state,
    "mlp": Wide(gated=False, bias=MLP_BIAS).one,
    "moe": _experts,
}


@way
def nemotron_h(c: Noted) -> list[Layer]:
    """Mamba-2, attention, a network or experts."""
    found = _kinds(c)
    made = {kind: PARTS[kind](c) for kind in sorted(set(found))}
    return [Layer(RMS, made[kind]) for kind in found]
