"""Attention, worked out: self-attention in small functions, named as in the papers.

Every function takes array-likes with any number of leading batch dimensions: lists,
NumPy, PyTorch, JAX and CuPy arrays. Rows are vectors; weights are used as x @ w.
Bad input raises a ValueError that names the operation, the rule and what was received.
"""

# ruff: noqa: I001, RUF022 (names follow the order of the lessons)

from attnlib.vocabulary import Vocabulary, tokenize
from attnlib.embeddings import Embedding
from attnlib.scores import cosine_similarity, dot_product_scores, scale_scores
from attnlib.probabilities import cross_entropy, softmax
from attnlib.attention import attention_weights, scaled_dot_product_attention
from attnlib.masks import causal_mask, padding_mask, sliding_window_mask
from attnlib.self_attention import SelfAttention
from attnlib.trace import AttentionTrace
from attnlib.multi_head import MultiHeadAttention
from attnlib.positions import alibi_bias, sinusoidal_positional_encoding
from attnlib.norms import layer_norm, rms_norm
from attnlib.mlp import feed_forward, gated_feed_forward, gelu, relu, silu
from attnlib.encoder import Encoder, EncoderLayer
from attnlib.gradients import attention_vjp, softmax_vjp
from attnlib.blockwise import blockwise_attention
from attnlib.rotary import apply_rotary, rotary_embedding
from attnlib.rotary_scaling import rotary_frequencies
from attnlib.cache import KVCache
from attnlib.decoder import Decoder, DecoderLayer
from attnlib.generation import generate, token_probabilities
from attnlib.heads import merge_heads, split_heads
from attnlib.projections import project

__version__ = "0.1.0"

# fmt: off
__all__ = [
    "tokenize", "Vocabulary", "Embedding",
    "cosine_similarity", "dot_product_scores", "scale_scores", "softmax",
    "attention_weights", "scaled_dot_product_attention", "causal_mask", "padding_mask",
    "SelfAttention", "AttentionTrace", "MultiHeadAttention",
    "sinusoidal_positional_encoding", "layer_norm", "relu", "gelu", "feed_forward",
    "EncoderLayer", "Encoder",
    "softmax_vjp", "attention_vjp", "blockwise_attention",
    "rotary_embedding", "apply_rotary", "alibi_bias", "sliding_window_mask", "rms_norm",
    "KVCache", "DecoderLayer", "Decoder", "generate", "cross_entropy",
    "project", "split_heads", "merge_heads", "token_probabilities",
    "silu", "gated_feed_forward", "rotary_frequencies",
]
