"""The models that the figure offers, by the lines of their files that say anything."""

from attncourse.real_model.configuration.described import (
    GEMMA_2_9B,
    LLAMA_3_8B,
    MISTRAL_7B,
)

GPT_2 = {
    **{"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12},
    **{"n_positions": 1024, "vocab_size": 50257, "activation_function": "gelu_new"},
}
GEMMA_3_1B = {
    **{"model_type": "gemma3_text", "hidden_size": 1152, "num_hidden_layers": 26},
    **{"num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256},
    **{"intermediate_size": 6912, "vocab_size": 262144, "rope_theta": 1_000_000},
    **{"sliding_window": 512, "sliding_window_pattern": 6},
    **{"rope_local_base_freq": 10_000, "query_pre_attn_scalar": 256},
}
GPT_OSS_20B = {
    **{"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24},
    **{"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64},
    **{"intermediate_size": 2880, "vocab_size": 201088, "attention_bias": True},
    **{"num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128},
    **{"rope_theta": 150_000, "tie_word_embeddings": False},
    "rope_scaling": {
        **{"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0},
        **{"original_max_position_embeddings": 4096, "truncate": False},
    },
}
DEEPSEEK_V3 = {
    **{"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61},
    **{"num_attention_heads": 128, "intermediate_size": 18432, "vocab_size": 129280},
    **{"kv_lora_rank": 512, "q_lora_rank": 1536, "v_head_dim": 128},
    **{"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "n_routed_experts": 256},
    **{"n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3},
    **{"moe_intermediate_size": 2048, "num_nextn_predict_layers": 1},
    **{"tie_word_embeddings": False, "rope_theta": 10_000},
    "rope_scaling": {
        **{"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1},
        **{"mscale": 1.0, "mscale_all_dim": 1.0},
        "original_max_position_embeddings": 4096,
    },
}
QWEN3_NEXT = {
    **{"model_type": "qwen3_next", "hidden_size": 2048, "num_hidden_layers": 48},
    **{"num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256},
    **{"intermediate_size": 5120, "vocab_size": 151936, "rope_theta": 10_000_000},
    **{"num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512},
    **{"shared_expert_intermediate_size": 512, "full_attention_interval": 4},
    **{"linear_num_key_heads": 16, "linear_num_value_heads": 32},
    **{"linear_key_head_dim": 128, "linear_value_head_dim": 128},
    **{"linear_conv_kernel_dim": 4, "partial_rotary_factor": 0.25},
    "tie_word_embeddings": False,
}
JAMBA = {
    **{"model_type": "jamba", "hidden_size": 4096, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 65536},
    **{"intermediate_size": 14336, "num_experts": 16, "num_experts_per_tok": 2},
    **{"attn_layer_period": 8, "attn_layer_offset": 4, "expert_layer_period": 2},
    **{"expert_layer_offset": 1, "mamba_d_state": 16, "mamba_d_conv": 4},
    **{"mamba_expand": 2, "mamba_dt_rank": 256, "tie_word_embeddings": False},
}
GEMMA_4_26B = {
    "model_type": "gemma4",
    "text_config": {
        **{"model_type": "gemma4_text", "hidden_size": 2816, "intermediate_size": 2112},
        **{"num_attention_heads": 16, "num_key_value_heads": 8},
        **{"num_global_key_value_heads": 2, "sliding_window": 1024},
        **{"attention_k_eq_v": True, "hidden_size_per_layer_input": 0},
        **{"enable_moe_block": True, "moe_intermediate_size": 704},
        **{"num_experts": 128, "top_k_experts": 8},
    },
    "tie_word_embeddings": True,
}
DEEPSEEK_V4_FLASH = {
    **{"model_type": "deepseek_v4", "hidden_size": 4096, "num_hidden_layers": 43},
    **{"num_attention_heads": 64, "moe_intermediate_size": 2048, "vocab_size": 129280},
    "compress_ratios": [0, 0, *[4, 128] * 20, 4, 0],
    "rope_scaling": {
        **{"type": "yarn", "factor": 16, "beta_fast": 32, "beta_slow": 1},
        "original_max_position_embeddings": 65536,
    },
}
MODELS = {
    "Gemma 4 26B": GEMMA_4_26B,
    "DeepSeek V4 Flash": DEEPSEEK_V4_FLASH,
    "GPT-2": GPT_2,
    "Llama 3 8B": LLAMA_3_8B,
    "Mistral 7B": MISTRAL_7B,
    "Gemma 2 9B": GEMMA_2_9B,
    "Gemma 3 1B": GEMMA_3_1B,
    "gpt-oss 20B": GPT_OSS_20B,
    "DeepSeek V3": DEEPSEEK_V3,
    "Qwen3 Next 80B": QWEN3_NEXT,
    "Jamba": JAMBA,
    "Llama 3, with a line that nobody knows": LLAMA_3_8B | {"n_registers": 4},
}
