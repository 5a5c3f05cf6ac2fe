"""Still picture of lesson 2's opening: queries, keys, and their scores."""

import numpy as np

from ..embeddings.still import arrows
from ..kit.grids import grid
from ..kit.picture import KEY, MUTED, QUERY, panels


def queries_and_keys(names, now):
    """Draw queries among keys, and the table of scores with its broken mirror pairs.

    Parameters
    ----------
    names : sequence of str
    now : attncourse.figures.projections.live.Mirror
    """
    figure, (left, right) = panels(2, 1, size=(4.4, 6.2))
    tips = np.concatenate([now.key, now.query])
    colors = [KEY] * len(names) + [QUERY] * len(names)
    arrows(left, tips, [*names, *(f"{name}?" for name in names)], colors)
    left.set_title("queries?", color=QUERY)
    left.set_xlabel("keys", color=KEY)
    broken = np.argwhere(~np.isclose(now.scores, now.scores.T)).tolist()
    look = {"most": max(now.scores.max(), 1e-9), "text": "{:.2f}", "size": 10}
    look |= {"color": MUTED, "lit": [tuple(cell) for cell in broken]}
    grid(right, now.scores, rows=names, columns=names, title="scores", **look)
    return figure
