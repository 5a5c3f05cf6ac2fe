"""Nemotron: LayerNorms; and Nemotron-H, with one part a layer."""

from collections.abc import Callable
from dataclasses import replace

from attnconfig.building import (
    LINEAR,
    biased,
    block,
    decoder,
    experts,
    family,
    grouped,
    kinds,
    network,
    stack,
)
from attnconfig.families.mamba import Keys, mamba2
from attnconfig.families.qwen import state_format
from attnconfig.model import Layer, Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER, RMS, Part
from attnconfig.turning import FULL, Turn

KEYS = Keys(
    *("mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size"),
    *("conv_kernel", "use_conv_bias"),
)
LETTERS = {"M": LINEAR, "*": FULL, "-": "mlp", "E": "moe"}


@family("nemotron")
def nemotron(c: Noted) -> Model:
    """Half of the columns turns; two matrices."""
    attention = grouped(c, turn=Turn(share=0.5), **biased(c))
    follows = network(c, c.flag("mlp_bias"))
    layers = [block(attention, follows, norm=LAYER)] * len(stack(c))
    return decoder(c, layers, norm=LAYER)


@family("nemotron_h")
def nemotron_h(c: Noted) -> Model:
    """One part a layer: a letter each, or a word in layer_types (Nemotron 2 and 3)."""
    found = _kinds(c)
    c.only("tie_word_embeddings", False)
    c.only("attention_bias", False)
    c.only("use_bias", False)
    c.only("mamba_proj_bias", False)
    c.ignore("expand", "time_step_rank", "sliding_window", why="Not read.")
    c.ignore("moe_shared_expert_overlap", why="How it is run.", changes="nothing")
    made = {kind: PARTS[kind](c) for kind in set(found)}
    why = "Of a kind of layer that this model has not."
    of_parts = (
        "num_key_value_heads",
        "head_dim",
        "n_routed_experts",
        "n_shared_experts",
    )
    more = ("moe_intermediate_size", "moe_shared_expert_intermediate_size", "mlp_bias")
    c.ignore(*KEYS, *of_parts, *more, why=why)
    c.ignore("num_experts_per_tok", "intermediate_size", "moe_latent_size", why=why)
    return decoder(c, [Layer(RMS, made[kind]) for kind in found])


def _kinds(c: Noted) -> list[str]:
    pattern, n = c.get("hybrid_override_pattern"), len(stack(c))
    if c.get("layer_types"):
        return kinds(c, lambda i: FULL, FULL, LINEAR, "mlp", "moe")
    if not isinstance(pattern, str) or len(pattern) != n or set(pattern) - set(LETTERS):
        said = f"does not say what {n} layers are"
        raise Refusal(f"hybrid_override_pattern {pattern!r} {said}.")
    return [LETTERS[letter] for letter in pattern]


def _attention(c: Noted) -> Part:
    return grouped(c, kv=8, d_k=128, turn=None)


def _state(c: Noted) -> Part:
    part = mamba2(c, KEYS, (128, 64, 8, 128))
    return replace(part, state_dtype=state_format(c, "mamba_ssm_cache_dtype"))


def _network(c: Noted) -> Part:
    return Network(c.size("intermediate_size"), c.flag("mlp_bias"))


def _experts(c: Noted) -> Part:
    c.only("n_shared_experts", 1)
    wide = c.size("moe_intermediate_size", 7688)
    both = c.size("moe_shared_expert_intermediate_size", 7688)
    return experts(
        c,
        Network(wide),
        n=c.size("n_routed_experts", 8),
        used=2,
        shared=Network(both, c.flag("mlp_bias")),
        latent=c.some("moe_latent_size"),
    )


PARTS: dict[str, Callable[[Noted], Part]] = {
    FULL: _attention,
    LINEAR: _state,
    "mlp": _network,
    "moe": _experts,
}
