"""Every keyword of attention alone, every pair of them, and all at once."""

import itertools

import numpy as np

N_QUERIES, N_KEYS = 5, 7
KEYWORDS = {
    "softcap": {"softcap": 1.5},
    "left": {"window": (2, None)},
    "both sides": {"window": (1, 2)},
    "itself": {"window": (0, 0)},
    "offset": {"query_offset": 2},
    "negative offset": {"query_offset": -1},
    "causal": {"is_causal": True},
    "scale": {"scale": 0.7},
    "allowed": {"mask": np.random.default_rng(1).random((N_QUERIES, N_KEYS)) < 0.7},
    "added": {"mask": np.random.default_rng(2).normal(size=(N_QUERIES, N_KEYS))},
    "shared heads": {"enable_gqa": True},
    "sinks": {"sinks": np.random.default_rng(3).normal(size=6)},
}
PAIRS = {
    f"{a}, {b}": KEYWORDS[a] | KEYWORDS[b]
    for a, b in itertools.combinations(KEYWORDS, 2)
    if not KEYWORDS[a].keys() & KEYWORDS[b].keys()
}
TOGETHER = {"is_causal": True, "softcap": 2, "window": (3, 1), "query_offset": 1}
TOGETHER |= {"mask": KEYWORDS["allowed"]["mask"], "enable_gqa": True}
TOGETHER |= KEYWORDS["sinks"]
CASES = KEYWORDS | PAIRS | {"all": TOGETHER}
# Other libraries do not have sinks among their keywords.
ELSEWHERE = {name: how for name, how in CASES.items() if "sinks" not in how}


def shapes(enable_gqa=False, **_):
    """Six heads of queries; of keys and values as many, or two."""
    n_kv = 2 if enable_gqa else 6
    return [(6, N_QUERIES, 4), (n_kv, N_KEYS, 4), (n_kv, N_KEYS, 3)]


def draw(rng, **how):
    return [rng.normal(size=shape) for shape in shapes(**how)]


# Sizes and batches for gradients: against differences, and autograd in tests/parity.
QKV = ((3, 5), (7, 5), (7, 11))
MASK = np.array([[1, 0, 1, 1, 0, 1, 1], [0] * 7, [1] * 7], dtype=bool)
BATCHES = {
    "batch": ((2, 3, 5), (2, 7, 5), (2, 7, 11)),
    "shared key": ((2, 3, 5), (7, 5), (2, 7, 11)),
    "shared query": ((3, 5), (2, 7, 5), (2, 7, 11)),
    "shared value": ((2, 3, 5), (2, 7, 5), (1, 7, 11)),
    "batch in value only": ((3, 5), (7, 5), (2, 7, 11)),
}
