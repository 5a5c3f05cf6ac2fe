"""All exercises by name, in the order of the lessons."""

from importlib import import_module

from attncourse.practice import exercises
from named_mistakes.exercise import Exercise

# Each is a module of `exercises/`.
NAMES = (
    *("look_up", "cosine_similarity"),
    *("project", "score_matrix", "dot_product_scores"),
    *("scale_scores", "softmax", "log_softmax"),
    *("weighted_sum", "outside_range", "attention"),
    *("split_heads", "merge_heads", "multi_head_attention"),
    *("positional_encoding", "shift_matrix"),
    *("causal_mask", "masked_attention"),
    *("two_layers", "feed_forward", "masked_multi_head_attention", "layer_norm"),
    "encoder_layer",
    *("attention_gradient", "next_token_loss"),
    *("sample_with_temperature", "append_to_cache", "training_loop"),
    *("head_effect", "one_pass_attention"),
    *("cache_per_token", "grouped_attention", "window_mask"),
    *("rotate_pairs", "rotary_attention", "capped_attention"),
)
EXERCISES: dict[str, Exercise] = {
    name: import_module(f"{exercises.__name__}.{name}").EXERCISE for name in NAMES
}


def named(name: str) -> Exercise:
    """Return the exercise of this name.

    Raises
    ------
    ValueError
        If there is none, with the names that there are.
    """
    if not isinstance(name, str) or name not in EXERCISES:
        names = ", ".join(EXERCISES)
        raise ValueError(f"check: name must be one of {names}; got {name!r}")
    return EXERCISES[name]
