"""Cases for gradients, against differences here and autograd in tests/parity.

For the keywords of attention and their pairs, see keywords.py.
"""

import numpy as np

from attnlib import padding_mask

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
