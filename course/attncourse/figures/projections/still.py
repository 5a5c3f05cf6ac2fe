"""Still pictures of lesson 2: queries, keys and values."""

import numpy as np

from ..embeddings.still import arrows
from ..kit.grids import grid
from ..kit.picture import KEY, MUTED, QUERY, panels, picture


@picture
def queries_and_keys(trace):
    """Draw queries among keys, and the table of scores with its broken mirror pairs.

    Parameters
    ----------
    trace : AttentionTrace
        Of words whose queries and keys have two numbers.
    """
    figure, (left, right) = panels(2, 1, size=(4.4, 6.2))
    names, scores = trace.tokens, trace.scores
    tips = np.concatenate([trace.key, trace.query])
    colors = [KEY] * len(names) + [QUERY] * len(names)
    arrows(left, tips, [*names, *(f"{name}?" for name in names)], colors)
    left.set_title("queries?", color=QUERY)
    left.set_xlabel("keys", color=KEY)
    broken = ~np.isclose(scores, scores.T)
    look = {"most": max(scores.max(), 1e-9), "text": "{:.2f}", "size": 10}
    look["color"], look["lit"] = (
        MUTED,
        [tuple(cell) for cell in np.argwhere(broken).tolist()],
    )
    grid(right, scores, rows=names, columns=names, title="scores", **look)
    says = "; ".join(
        f"{name} asks: "
        + ", ".join(f"{key} {s:.2f}" for key, s in zip(names, row, strict=True))
        for name, row in zip(names, scores, strict=True)
    )
    mirror = "not symmetric" if broken.any() else "symmetric"
    return figure, f"Scores, {mirror}. {says}."
