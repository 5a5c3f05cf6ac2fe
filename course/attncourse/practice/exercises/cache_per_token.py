"""cache_per_token: the bytes that one token adds to a cache, from a configuration."""

from __future__ import annotations

from typing import Any

import numpy as np

from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside

HEADS, KEY_HEADS, WIDTH = "num_attention_heads", "num_key_value_heads", "head_dim"
NULL = {KEY_HEADS: None, WIDTH: None}


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw configurations with both of the lines that may be missing, one, and none."""
    both = (KEY_HEADS, WIDTH)
    return [
        Case("every line", {"config": _config(rng), "n_bytes": 2}),
        Case("four bytes a number", {"config": _config(rng), "n_bytes": 4}),
        Case("one byte a number", {"config": _config(rng), "n_bytes": 1}),
        Case("no shared heads", {"config": _config(rng, KEY_HEADS), "n_bytes": 2}),
        Case("no head_dim", {"config": _config(rng, WIDTH), "n_bytes": 2}),
        Case("neither line", {"config": _config(rng, *both), "n_bytes": 4}),
        Case("null for both", {"config": _config(rng) | NULL, "n_bytes": 2}),
    ]


def _config(rng: np.random.Generator, *missing: str) -> dict[str, int]:
    """Draw a configuration in which no two products agree by chance."""
    n_kv = int(rng.choice([3, 5, 7]))
    n_heads = n_kv * int(rng.choice([4, 6, 9]))
    lines = {
        "hidden_size": n_heads * int(rng.choice([52, 68, 76])),
        "num_hidden_layers": int(rng.choice([22, 26, 34])),
        HEADS: n_heads,
        KEY_HEADS: n_kv,
        WIDTH: int(rng.choice([80, 88, 96])),
        "max_position_embeddings": 8192,
    }
    return {name: x for name, x in lines.items() if name not in missing}


def cache_per_token(config: dict[str, Any], n_bytes: int) -> int:
    """Count a key and a value for each head that has keys, in each layer."""
    n_heads = config[HEADS]
    n_kv = config.get(KEY_HEADS) or n_heads
    width = config.get(WIDTH) or config["hidden_size"] // n_heads
    return config["num_hidden_layers"] * 2 * n_kv * width * n_bytes


CACHE: Steps = {
    "n_heads": lambda s: s.config[HEADS],
    "hidden": lambda s: s.config["hidden_size"],
    "n_kv": lambda s: s.config.get(KEY_HEADS) or s.n_heads,
    "width": lambda s: s.config.get(WIDTH) or s.hidden // s.n_heads,
    "row": lambda s: s.n_kv * s.width,
    "rows": lambda s: 2 * s.row,
    "n_layers": lambda s: s.config["num_hidden_layers"],
    "size": lambda s: s.n_bytes,
    "total": lambda s: s.n_layers * s.rows * s.size,
}
MISTAKES = read_beside(__file__, globals(), CACHE)

EXERCISES = (
    Exercise(
        "cache_per_token", cache_per_token, draw, CACHE, MISTAKES, returns=("total",)
    ),
)
