"""Five uses of a mask on twelve tokens: who sees whom, and where each stands."""

import numpy as np

N = 12
CAUSAL = np.tri(N, dtype=bool)
STRAIGHT = np.arange(N)
TEXT = np.repeat([0, 1], [5, 7])  # two texts in one row
REAL = np.arange(N) >= 4  # behind four tokens of padding
QUESTION, BLOCK = np.arange(N) < 6, np.arange(N) // 4
PARENT = (-1, 0, 0, 1, 1, 2)  # of each draft, behind six tokens of text


def _tree():
    """Return the mask of six drafts, and how deep each stands."""
    sees, depth = np.eye(6, dtype=bool), []
    for i, above in enumerate(PARENT):
        depth.append(0 if above < 0 else depth[above] + 1)
        if above >= 0:
            sees[i] |= sees[above]
    mask = CAUSAL.copy()
    mask[6:, 6:] = sees
    return mask, np.array([*range(6), *(6 + np.array(depth))])


# name: a letter for each token, the mask, the positions
USES = {
    "Packed texts": (
        "AAAAABBBBBBB",
        CAUSAL & (TEXT[:, None] == TEXT),
        np.concatenate([np.arange(5), np.arange(7)]),
    ),
    "Left padding": ("––––AAAAAAAA", CAUSAL & REAL, np.maximum(STRAIGHT - 4, 0)),
    "A prefix": ("QQQQQQAAAAAA", CAUSAL | QUESTION, STRAIGHT),
    "A tree of drafts": ("TTTTTT123456", *_tree()),
    "Blocks": ("111122223333", BLOCK[:, None] >= BLOCK, STRAIGHT),
}
