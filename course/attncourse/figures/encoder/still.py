"""Still pictures of lesson 8: the encoder and its masks."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import KEY, MUTED, QUERY, WEIGHTS, panels, picture


@picture
def layer_step(place, rows, weights, mask, tokens):
    """Draw the rows at one step of a layer beside the weights of its attention.

    Parameters
    ----------
    place : str
        Which step it is, in words.
    rows : array, (n_tokens, d_model + 2)
        The numbers of each token, then their mean and their spread.
    weights : array, (n_tokens, n_tokens)
    mask : str
        What the mask is called.
    tokens : sequence of str
    """
    rows = rows.round(2) + 0.0  # no −0.00
    ratios = {"width_ratios": [rows.shape[1], weights.shape[1]]}
    figure, (left, right) = panels(1, 2, size=(7.2, 2.9), gridspec_kw=ratios)
    numbers = [str(j + 1) for j in range(rows.shape[1] - 2)]
    columns = [*numbers, "mean", "spread"]
    names = {"rows": tokens, "size": 8}
    grid(left, rows, columns=columns, title=place, text="{:.2f}", **names)
    title = f"Weights, mask: {mask}"
    look = {"most": 1.0, "text": "{:.2f}", **names}
    grid(right, weights, columns=tokens, title=title, **look)
    for axis in (left, right):
        axis.tick_params(labelsize=8)
    return figure, (
        f"{place}. Numbers of each token, then mean and spread: "
        f"{_listed(tokens, rows)}. Weights with the mask “{mask}”: "
        f"{_listed(tokens, weights)}."
    )


@picture
def weights_table(weights, queries, keys):
    """Draw weights as a table: a row for each query, a column for each key."""
    size = (1.4 + 0.7 * len(keys), 0.9 + 0.6 * len(queries))
    figure, axis = panels(size=size)
    grid(axis, weights, rows=queries, columns=keys, most=1.0, text="{:.2f}")
    axis.tick_params(axis="y", labelcolor=QUERY)
    axis.tick_params(axis="x", labelcolor=KEY)
    return figure, (
        f"Weights, {len(queries)} queries by {len(keys)} keys ({', '.join(keys)}): "
        f"{_listed(queries, weights)}."
    )


@picture
def similarity_by_depth(similarity):
    """Draw how alike the words of a sentence are after each attention of a stack.

    Parameters
    ----------
    similarity : dict of str to sequence of float
        For each way to stack, the mean cosine similarity of two words, from the input
        on.
    """
    figure, axis = panels(size=(5.6, 3.2))
    look = zip(similarity.items(), (MUTED, WEIGHTS), ("s--", "o-"), strict=True)
    for (name, values), colour, marker in look:
        axis.plot(values, marker, color=colour, label=name)
    axis.set(xlabel="attentions passed", ylabel="similarity of two words")
    axis.set(ylim=(-0.1, 1.1))
    axis.legend()
    says = "; ".join(
        f"{name}, {', '.join(f'{v + 0.0:.2f}' for v in values[:5])} and "
        f"{values[-1]:.2f} at the end"
        for name, values in similarity.items()
    )
    last = len(next(iter(similarity.values()))) - 1
    return figure, f"Mean cosine of two words after 0, 1, … {last} attentions: {says}."


@picture
def direct_share(share):
    """Draw how much of the input arrives by the direct path, against depth.

    Parameters
    ----------
    share : dict of str to sequence of float
        For post-norm and pre-norm, the factor on the input after each layer.
    """
    figure, axis = panels(size=(5.6, 3.2))
    depths = np.arange(1, len(next(iter(share.values()))) + 1)
    look = zip(share.items(), (KEY, WEIGHTS), ("s--", "o-"), strict=True)
    for (name, values), colour, marker in look:
        axis.plot(depths, values, marker, color=colour, label=name)
    axis.set(xlabel="layers passed", ylabel="factor on the input", yscale="log")
    axis.set_yticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    axis.minorticks_off()
    axis.legend()
    middle = len(depths) // 2
    says = "; ".join(
        f"{name} {values[0]:.2f} after 1 layer, {values[middle - 1]:.2f} after "
        f"{middle}, {values[-1]:.3f} after {depths[-1]}"
        for name, values in share.items()
    )
    return figure, f"Factor on the input along the direct path: {says}."


def _listed(names, rows):
    numbers = (", ".join(f"{number + 0.0:.2f}" for number in row) for row in rows)
    return "; ".join(f"{n} {row}" for n, row in zip(names, numbers, strict=True))
