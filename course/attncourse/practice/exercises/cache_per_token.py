"""cache_per_token: the bytes that one token adds to a cache, from a configuration."""

from typing import Any

import numpy as np

from attncourse.practice.exercise import exercise
from named_mistakes.exercise import Case, Steps

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
TABLE = """
SHARED = whose keys and values are kept: those of num_key_value_heads heads
ABSENT = what a file means that has no num_key_value_heads: no heads share
WIDE = how wide a head is: head_dim says so, and only where it is absent do the heads
        divide hidden_size among them
KEPT = what is kept for each head: a key and a value
LAYERS = how many layers keep keys and values of their own
UNIT = what is asked: bytes, n_bytes of them for a number
ONE = what is asked: the bytes that one token adds

n_kv | grouping-ignored | {SHARED}
    counting all query heads = n_heads

n_kv | group-size-instead | {SHARED}
    counting the query heads that share one head of keys =
        n_heads // (config.get(KEY_HEADS) or n_heads)

n_kv | other-default | {ABSENT}
    one head of keys where the file names none = config.get(KEY_HEADS) or 1
    8 heads of keys where the file names none, as Mistral's program has it =
        config.get(KEY_HEADS) or 8

n_kv | heads-forgotten | {SHARED}
    a single head = 1

width | head-dim-ignored | {WIDE}
    dividing hidden_size by the query heads, whatever head_dim says = hidden // n_heads

width | divided-by-key-heads | {WIDE}
    dividing hidden_size by the heads of keys where head_dim is absent =
        config.get(WIDTH) or hidden // n_kv

width | other-default | {WIDE}
    for n in 64, 128, 256: a width of {n} where head_dim is absent =
        config.get(WIDTH) or {n}
    a width of 128, whatever the file says = 128
    hidden_size where head_dim is absent = config.get(WIDTH) or hidden

width | head-dim-ignored | {WIDE}
    hidden_size for the width of one head = hidden

row | head-dim-ignored | {SHARED}, each head_dim wide
    hidden_size numbers for a key, and as many for a value = hidden

row | added-instead-of-multiplied | how many numbers n_kv heads of one width hold
    adding the heads and their width up = n_kv + width

rows | one-of-two | {KEPT}
    keys without values, or values without keys = row
    a query as well as a key and a value, of as many heads = 3 * row
    the queries as well, a row of them for each query head = 2 * row + n_heads * width

rows | counted-twice | {KEPT}
    two keys and two values = 4 * row

n_layers | layers-forgotten | {LAYERS}
    one layer = 1

n_layers | layers-off-by-one | {LAYERS}
    one layer too few = config["num_hidden_layers"] - 1
    one layer too many = config["num_hidden_layers"] + 1

size | numbers-instead-of-bytes | {UNIT}
    counting numbers = 1

size | bytes-written-down | {UNIT}
    two bytes a number, whatever n_bytes is = 2
    four bytes a number, whatever n_bytes is = 4

size | bits-instead-of-bytes | {UNIT}
    counting bits = 8 * n_bytes
    taking n_bytes for bits = n_bytes / 8
    taking n_bytes for bits = n_bytes // 8

total | whole-text-instead | {ONE}
    the cache of the longest text =
        n_layers * rows * size * config["max_position_embeddings"]

total | other-unit | what is asked: bytes
    kibibytes = n_layers * rows * size / 1024
    kibibytes, cut off = n_layers * rows * size // 1024
    kilobytes = n_layers * rows * size / 1000
"""

EXERCISE = exercise(globals(), cache_per_token, CACHE, returns=("total",))
