"""What gradients are tried on, against differences here and autograd in tests/parity.

For the keywords of attention and their pairs, see keywords.py.
"""

import numpy as np

from attnlib import (
    feed_forward,
    feed_forward_vjp,
    gated_feed_forward,
    gated_feed_forward_vjp,
    gelu,
    layer_norm,
    layer_norm_vjp,
    padding_mask,
    relu,
    rms_norm,
    rms_norm_vjp,
    silu,
)

QKV = ((3, 5), (7, 5), (7, 11))
MASK = np.array([[1, 0, 1, 1, 0, 1, 1], [0] * 7, [1] * 7], dtype=bool)
WAYS = {
    "plain": {},
    "scale": {"scale": 0.7},
    "causal": {"is_causal": True},
    "boolean mask": {"mask": MASK},
    "float mask": {"mask": np.where(MASK, 0.5, -np.inf)},
    "causal and padding": {"mask": padding_mask(5, 7), "is_causal": True},
}
BATCHES = {
    "batch": ((2, 3, 5), (2, 7, 5), (2, 7, 11)),
    "shared key": ((2, 3, 5), (7, 5), (2, 7, 11)),
    "shared query": ((3, 5), (2, 7, 5), (2, 7, 11)),
    "shared value": ((2, 3, 5), (2, 7, 5), (1, 7, 11)),
    "batch in value only": ((3, 5), (7, 5), (2, 7, 11)),
}

ROWS, ROW = (2, 3, 5), (5,)
NETWORK = [(2, 3, 5), (5, 7), (7,), (7, 4), (4,)]
GATED = [(2, 3, 5), (5, 7), (5, 7), (7, 4)]
LAYERS = {
    "layer_norm": (layer_norm, layer_norm_vjp, [ROWS, ROW, ROW], {"eps": 0.3}),
    "layer_norm, no bias": (layer_norm, layer_norm_vjp, [ROWS, ROW, None], {}),
    "layer_norm, one row": (layer_norm, layer_norm_vjp, [ROW, ROW, ROW], {}),
    "rms_norm": (rms_norm, rms_norm_vjp, [ROWS, ROW], {"eps": 0.3}),
    "rms_norm, no gain": (rms_norm, rms_norm_vjp, [ROWS, None], {}),
    "relu": (feed_forward, feed_forward_vjp, NETWORK, {}),
    "gelu": (feed_forward, feed_forward_vjp, NETWORK, {"activation": gelu}),
    "silu": (feed_forward, feed_forward_vjp, NETWORK, {"activation": silu}),
    "gated": (gated_feed_forward, gated_feed_forward_vjp, GATED, {}),
    "gated, gelu": (
        *(gated_feed_forward, gated_feed_forward_vjp, GATED),
        {"activation": gelu},
    ),
    "no biases": (
        *(feed_forward, feed_forward_vjp),
        [(3, 5), (5, 7), None, (7, 4), None],
        {"activation": relu},
    ),
}
