"""A small configuration of each family, and each of its lines changed.

What is true of one is said by transformers' own class, built without memory.
"""

import torch
from transformers import AutoModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from attnconfig.families import FAMILIES
from tests.parity import built

# Sizes for the keys that a family's class has, small and different where they can be.
SMALL = {
    **{"hidden_size": 64, "n_embd": 64, "d_model": 64, "num_hidden_layers": 4},
    **{"n_layer": 4, "n_layers": 4, "num_layers": 4, "num_attention_heads": 4},
    **{"n_head": 4, "n_heads": 4, "num_heads": 4, "attention_heads": 4},
    **{"num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 96},
    **{"ffn_hidden_size": 96, "ffn_dim": 96, "intermediate_size_mlp": 96},
    **{"dense_intermediate_size": 80, "vocab_size": 128, "window_size": 16},
    **{"max_position_embeddings": 128, "n_positions": 128, "sliding_window": 16},
    **{"num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4},
    **{"moe_num_experts": 4, "num_experts_per_tok": 2, "num_experts_per_token": 2},
    **{"moe_k": 2, "moe_topk": 2, "moe_intermediate_size": 32},
    **{"expert_ffn_hidden_size": 32, "shared_expert_intermediate_size": 48},
    **{"shared_intermediate_size": 48, "moe_shared_expert_intermediate_size": 48},
    **{"n_group": 1, "topk_group": 1, "num_expert_group": 1, "zero_expert_num": 2},
    **{"num_dense_layers": 1, "first_k_dense_replace": 1, "max_window_layers": 2},
    **{"kv_lora_rank": 16, "q_lora_rank": 24, "qk_nope_head_dim": 16},
    **{"qk_rope_head_dim": 8, "v_head_dim": 16, "rotary_dim": 8},
    **{"index_n_heads": 2, "index_head_dim": 16, "index_topk": 4},
    **{"index_block_size": 4, "index_topk_blocks": 2},
    **{"mamba_n_heads": 4, "mamba_d_head": 32, "mamba_d_ssm": 128},
    **{"mamba_d_state": 8, "mamba_num_heads": 4, "mamba_head_dim": 16},
    **{"ssm_state_size": 8, "state_size": 8, "linear_num_key_heads": 2},
    **{"linear_num_value_heads": 4, "linear_key_head_dim": 8},
    **{"linear_value_head_dim": 8, "linear_num_heads": 4, "linear_head_dim": 16},
    **{"linear_attn_config": {}, "attn_layer_period": 2, "attn_layer_offset": 1},
    **{"laurel_rank": 8, "hidden_size_per_layer_input": 8, "global_head_dim": 32},
    **{"vocab_size_per_layer_input": 128, "num_kv_shared_layers": 0},
    **{"o_lora_rank": 8, "o_groups": 2, "word_embed_proj_dim": 64},
    **{"num_nextn_predict_layers": 0, "pad_token_id": 0, "bos_token_id": 1},
    **{"eos_token_id": 2},
}
HALF_FULL = ["linear_attention", "full_attention"] * 2
ALL_HEADS = {"num_key_value_heads": 4, "head_dim": 8}
# What a family has to be given so that its class can build it.
GIVEN = {
    **dict.fromkeys(
        ("deepseek_v2", "deepseek_v3", "deepseek_v32", "glm4_moe_lite", "glm_moe_dsa"),
        ALL_HEADS,
    ),
    **dict.fromkeys(("longcat_flash", "minicpm3", "axk1", "hy_v4"), ALL_HEADS),
    "bamba": {"attn_layer_indices": [1]},
    "bailing_hybrid": {**ALL_HEADS, "layer_types": HALF_FULL},
    "dbrx": {
        "attn_config": {"kv_n_heads": 2, "rope_theta": 10_000.0},
        "ffn_config": {
            **{"ffn_hidden_size": 96, "moe_num_experts": 4, "moe_top_k": 2},
            "hidden_size": 64,
        },
    },
    "deepseek_v4": {"compress_ratios": [0, 4, 128, 4], "num_key_value_heads": 1},
    "dots1": {"n_shared_experts": 1},
    "falcon": {"num_kv_heads": 4},
    "falcon_mamba": {"intermediate_size": 128, "time_step_rank": 4},
    "gpt_bigcode": {"num_key_value_heads": None},
    "gpt_neo": {
        "attention_types": [[["global", "local"], 2]],
        "intermediate_size": 96,
    },
    "granitemoehybrid": {"layer_types": ["mamba", "attention"] * 2},
    "helium": {"num_key_value_heads": 4},
    "jamba": {"mamba_dt_rank": 4},
    "kimi_linear": {**ALL_HEADS, "layer_types": HALF_FULL},
    "laguna": {"num_attention_heads_per_layer": [4, 4, 8, 4]},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 2},
    "lfm3": {"layer_types": ["conv", "full_attention", "sliding_attention", "conv"]},
    "mamba": {"intermediate_size": 128, "time_step_rank": 4},
    "mamba2": {"num_heads": 4, "head_dim": 32, "n_groups": 1},
    "minimax": {"sliding_window": None},
    "minimax_m3_vl_text": {
        "layer_types": ["full_attention", "minimax_m3_sparse"] * 2,
        "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"],
    },
    "nemotron_h": {
        **{"hybrid_override_pattern": "M*E-", "n_groups": 2, "num_hidden_layers": 4},
    },
}
# Lines that are no size, or whose values other tests try.
SKIP = {
    *("model_type", "architectures", "transformers_version", "rope_parameters"),
    *("dtype", "torch_dtype", "vocab_size", "id2label", "label2id", "layer_types"),
    *("layers_block_type", "mlp_layer_types", "return_dict", "output_attentions"),
    *("use_cache", "_name_or_path", "quantization_config", "is_encoder_decoder"),
    *("chunk_size_feed_forward", "per_layer_config", "problem_type"),
    *("output_hidden_states", "attention_types", "attention_layers"),
    *("activation_sparsity_pattern", "attn_config", "ffn_config"),
}
NAMES = sorted(name for name in FAMILIES if name in CONFIG_MAPPING)
NAMES = [name for name in NAMES if not FAMILIES[name][0].refused]


def fields(name):
    """Return what a family's class has, by name, with its own values."""
    return CONFIG_MAPPING[name]().to_dict()


def small(name):
    """Return the small configuration of a family."""
    kind, has = CONFIG_MAPPING[name], fields(name)
    aliases = getattr(kind, "attribute_map", {})
    sizes = {k: v for k, v in SMALL.items() if k in has or k in aliases}
    lines = {"model_type": name, **sizes, **GIVEN.get(name, {})}
    twice = [key for key, other in aliases.items() if other in lines]
    return {key: value for key, value in lines.items() if key not in twice}


def others(value):
    """Return other values of a line."""
    if isinstance(value, bool):
        return [not value]
    if value is None:
        return [True, 2]
    if isinstance(value, int):
        return [0, 2 * value]
    if isinstance(value, float):
        return [0.0, 2 * value + 1]
    return [None] if isinstance(value, list | dict) else []


def changes(name):
    """Yield the small configuration with each line changed: key, value, lines."""
    lines = small(name)
    for key, value in fields(name).items():
        if key not in SKIP and not key.endswith(("token_id", "token_index")):
            for other in others(lines.get(key, value)):
                yield key, other, lines | {key: other}


def writes(name):
    """Say whether transformers has a class of this family that writes."""
    return name in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES


def true_parameters(lines):
    """Count what transformers' class learns; None if it cannot build the model."""
    try:
        if writes(lines["model_type"]):
            model = built.build(lines)
            model.tie_weights()
            return built.n_parameters(model)
        return _with_an_output(lines)
    except Exception:  # each class has its own errors, and any will do
        return None


def _with_an_output(lines):
    """Count those of a part of a larger model, and of its output, which is not tied."""
    said = built.settings({**lines, "tie_word_embeddings": None})
    with torch.device("meta"):
        model = AutoModel.from_config(said)
    tied = lines.get("tie_word_embeddings", False)
    output = 0 if tied else said.vocab_size * said.hidden_size
    return built.n_parameters(model) + output
