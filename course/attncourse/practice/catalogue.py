"""All exercises by name, in the order of the lessons."""

from __future__ import annotations

from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.exercises import (
    attention,
    attention_gradient,
    causal_mask,
    cosine_similarity,
    dot_product_scores,
    encoder_layer,
    feed_forward,
    grouped_attention,
    layer_norm,
    log_softmax,
    look_up,
    masked_attention,
    masked_multi_head_attention,
    merge_heads,
    multi_head_attention,
    next_token_loss,
    outside_range,
    positional_encoding,
    project,
    rotate_pairs,
    scale_scores,
    score_matrix,
    shift_matrix,
    softmax,
    split_heads,
    weighted_sum,
    window_mask,
)

THEMES = (
    look_up,
    cosine_similarity,
    project,
    score_matrix,
    dot_product_scores,
    scale_scores,
    softmax,
    log_softmax,
    weighted_sum,
    outside_range,
    attention,
    split_heads,
    merge_heads,
    multi_head_attention,
    positional_encoding,
    shift_matrix,
    causal_mask,
    masked_attention,
    feed_forward,
    masked_multi_head_attention,
    layer_norm,
    encoder_layer,
    attention_gradient,
    next_token_loss,
    grouped_attention,
    window_mask,
    rotate_pairs,
)
EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise for theme in THEMES for exercise in theme.EXERCISES
}
