"""Configurations of published models that the lessons speak of, as they are published.

Lines of training and of tokens are left out.
"""

LLAMA_3_8B = {
    **{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8},
    **{"intermediate_size": 14336, "vocab_size": 128256, "hidden_act": "silu"},
    **{"rope_theta": 500_000.0, "rms_norm_eps": 1e-5, "tie_word_embeddings": False},
}
MISTRAL_7B = {
    **{"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8},
    **{"intermediate_size": 14336, "vocab_size": 32000, "hidden_act": "silu"},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-5, "tie_word_embeddings": False},
    "sliding_window": 4096,
}
GEMMA_2_9B = {
    **{"model_type": "gemma2", "hidden_size": 3584, "num_hidden_layers": 42},
    **{"num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256},
    **{"intermediate_size": 14336, "vocab_size": 256000},
    **{"rope_theta": 10_000.0, "rms_norm_eps": 1e-6, "sliding_window": 4096},
    **{"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0},
    **{"query_pre_attn_scalar": 256, "hidden_activation": "gelu_pytorch_tanh"},
}
