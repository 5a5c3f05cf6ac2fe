"""Mamba-2 beside attention: Granite 4, Bamba, Falcon-H1."""

from dataclasses import replace

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
from attnconfig.families.granite import scaled
from attnconfig.families.mamba import MAMBA, mamba2
from attnconfig.model import Layer, Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Part
from attnconfig.states import Mamba2
from attnconfig.turning import FULL, Turn


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
