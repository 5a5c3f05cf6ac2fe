"""A layer's attention as typed values."""

import dataclasses
import importlib
import math
import operator
import pkgutil

import pytest

import attnconfig
from attnconfig import read
from tests.attnconfig.published import config, small

KINDS = ["sliding_attention", "full_attention"] * 2
LINEAR = {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}
GPT2 = {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 97}
MPT = {"model_type": "mpt", "d_model": 64, "n_layers": 2, "n_heads": 4, "vocab_size": 9}


def facts(lines, layer=0):
    return read(lines).layers[layer].facts


M3 = small("minimax_m3", head_dim=16, moe_intermediate_size=8, rotary_dim=8)
M3["layer_types"] = ["full_attention"] * 3 + ["minimax_m3_sparse"]


@pytest.mark.parametrize(
    ("lines", "layer", "name", "expected"),
    [
        (config("Gemma 2 9B"), 0, "window", (4095, 0)),
        (config("Gemma 2 9B"), 1, "window", None),
        (config("DeepSeek-V4-Flash"), 0, "window", (127, 0)),
        (config("Gemma 2 9B"), 0, "softcap", 50.0),
        (config("Gemma 2 9B"), 0, "scale", 1 / 16),
        (config("Llama 4 Scout"), 0, "chunk", 8192),
        (config("Llama 4 Scout"), 3, "position", None),
        (config("gpt-oss 20B"), 0, "sinks", True),
        (config("gpt-oss 20B"), 0, "alignment", "end"),
        (config("Llama 3 8B"), 0, "kv_heads", 8),
        (config("DeepSeek V3"), 0, "latent", 512),
        (config("DeepSeek-V3.2"), 0, "chosen", 2048),
        (config("Gemma-4 E2B"), 34, "keys_of", 11),
        (config("MiMo-V2-Flash"), 1, "d_v", 128),
        (config("MPT 7B"), 0, "position", "alibi"),
        (config("Qwen3 Next 80B A3B"), 3, "output_gate", True),
        (config("Hunyuan 7B"), 0, "norm_after", True),
        (small("qwen3", head_dim=16), 0, "norm_eps", 1e-6),
        (small("qwen3", head_dim=16, rms_norm_eps=1e-4), 0, "norm_eps", 1e-4),
        (small("cohere", use_qk_norm=True), 0, "qk_norm", "heads"),
        (small("cohere", use_qk_norm=False), 0, "qk_norm", None),
        (small("falcon", alibi=True), 0, "position", "alibi"),
        (GPT2 | {"scale_attn_by_inverse_layer_idx": True}, 1, "scale", 1 / 8),
        (GPT2 | {"scale_attn_weights": False}, 0, "scale", 1.0),
        (MPT | {"attn_config": {"softmax_scale": 0.3}}, 0, "scale", 0.3),
        (small("granite", attention_multiplier=0.5), 0, "scale", 0.5),
        (small("llama", rope_theta=777.0), 0, "rotary.base", 777.0),
        (small("llama"), 0, "rotary.base", 10_000.0),
        (small("llama", rope_parameters={"rope_theta": 5.0}), 0, "rotary.base", 5.0),
        (small("gpt_neox", rope_theta=777.0), 0, "rotary.base", 10_000.0),
        (small("gpt_neox", rotary_emb_base=777), 0, "rotary.base", 777.0),
        (small("apertus", rope_theta=777.0), 0, "rotary.base", 12e6),
        (small("apertus", rope_theta=777.0, **LINEAR), 0, "rotary.base", 777.0),
        (
            small("gptj", rope_theta=7.0, rotary_dim=4, **LINEAR),
            0,
            "rotary.base",
            10_000.0,
        ),
        (small("gptj", rotary_dim=4, **LINEAR), 0, "rotary.stretch", None),
        (small("gptj", rotary_dim=4), 0, "rotary.columns", 4),
        (small("stablelm"), 0, "rotary.columns", 4),
        (small("stablelm", partial_rotary_factor=0.5), 0, "rotary.columns", 8),
        (small("gpt_neox", rotary_pct=0.5), 0, "rotary.columns", 8),
        (small("glm", head_dim=16), 0, "rotary.pairs", "neighbors"),
        (small("llama"), 0, "rotary.pairs", "halves"),
        (small("llama", **LINEAR), 0, "rotary.stretch", "linear"),
        (small("olmo3", layer_types=KINDS, **LINEAR), 0, "rotary.stretch", None),
        (small("olmo3", layer_types=KINDS, **LINEAR), 1, "rotary.stretch", "linear"),
        (small("gemma3_text", layer_types=KINDS, **LINEAR), 0, "rotary.stretch", None),
        (
            small("gemma3_text", layer_types=KINDS, rope_local_base_freq=5.0),
            *(0, "rotary.base", 5.0),
        ),
        (config("gpt-oss 20B"), 0, "rotary.stretch", "yarn"),
        (config("Gemma-4 E2B"), 5, "rotary.stretch", "proportional"),
        (small("exaone4", sliding_window_pattern=8), 3, "window", (4095, 0)),
        (small("exaone4", sliding_window_pattern="LLLL"), 3, "window", None),
        (small("gemma3_text", _sliding_window_pattern=2), 1, "window", (4095, 0)),
        (small("gpt_bigcode", scale_attn_weights=False), 0, "scale", 1.0),
        (small("llama4_text"), 0, "chunk", 8192),
        (M3, 0, "rotary.columns", 16),
        (M3, 3, "norm_eps", 1e-6),  # of layers with chosen blocks as well
        (M3 | {"partial_rotary_factor": 0.5}, 0, "rotary.columns", 8),
    ],
)
def test_a_fact(lines, layer, name, expected):
    assert operator.attrgetter(name)(facts(lines, layer)) == expected


# Its own lists count layers from 1.
KIMI = small("kimi_linear")
KIMI["linear_attn_config"] = {"full_attn_layers": [2], "kda_layers": [1, 3, 4]}


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        (config("DeepSeek V3"), "latent_attention latent_attention"),
        (KIMI, "linear_attention latent_attention linear_attention linear_attention"),
        (small("falcon_h1"), "hybrid"),
        (config("Gemma 2 9B"), "sliding_attention full_attention"),
    ],
)
def test_the_kind_of_a_layer(lines, kinds):
    assert [one.kind for one in read(lines).layers][
        : len(kinds.split())
    ] == kinds.split()


def test_layers_that_do_not_turn():
    layers = read(config("SmolLM3 3B")).layers
    still = [i for i, layer in enumerate(layers[:8]) if layer.facts.rotary is None]
    assert still == [3, 7]
    assert facts(config("Granite 4 Tiny"), 5).rotary is None
    said = config("Granite 4 Tiny", position_embedding_type="rope")
    assert facts(said, 5).rotary


@pytest.mark.parametrize("factor", [40, 2, None])
def test_deepseek_raises_the_scale_where_yarn_stretches(factor):
    yarn = {"type": "yarn", "factor": factor, "mscale_all_dim": 1.0, "mscale": 1.0}
    plain, raised = config("DeepSeek V3"), config("DeepSeek V3", rope_scaling=yarn)
    assert facts(plain).scale == 192**-0.5
    assert facts(raised).scale == pytest.approx(
        192**-0.5 * (0.1 * math.log(factor or 1) + 1) ** 2
    )


@pytest.mark.parametrize(
    "lines",
    [
        small("ministral3"),
        small("olmo", clip_qkv=8.0),
        MPT | {"attn_config": {"clip_qkv": 8.0}},
        small("falcon", alibi=True),
        config("DeepSeek-V4-Flash"),
    ],
)
def test_what_no_fact_can_say_is_said_in_words(lines):
    assert facts(lines).not_said


def test_layers_without_softmax_attention_have_no_facts():
    layers = read(config("Qwen3 Next 80B A3B")).layers
    assert layers[0].facts is None
    assert layers[0].name.startswith("Gated DeltaNet, MoE 10 of 512")


def test_facts_can_be_printed_and_stored():
    found = facts(config("gpt-oss 20B"))
    assert "window (127, 0), sinks, position rotary" in str(found)
    assert "yarn × 32" in str(found)
    assert found.plain()["rotary"]["scaling"]["factor"] == 32.0


def test_what_is_read_cannot_be_changed():
    """Layers are counted by what they are: a change would lose them."""
    modules = pkgutil.walk_packages(attnconfig.__path__, "attnconfig.")
    found = {
        thing
        for module in modules
        if not module.name.endswith("__main__")
        for thing in vars(importlib.import_module(module.name)).values()
        if isinstance(thing, type) and dataclasses.is_dataclass(thing)
    }
    assert len(found) > 20
    assert [one for one in found if not one.__dataclass_params__.frozen] == []
