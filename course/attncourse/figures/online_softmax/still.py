"""Still pictures of lesson 13: what long texts cost."""

import numpy as np

from ..kit.picture import MUTED, QUERY, WEIGHTS, on_phone, panels, picture


def keys_read(scores, now):
    """Draw scores, some of them read, and what a running softmax keeps of those.

    Parameters
    ----------
    scores : array, (n_keys,)
    now : object
        Of the keys read: their ``scores``, the ``largest``, and the ``total`` of the
        exponentials.
    """
    figure, (left, right) = panels(1, 2, size=(7.2, 3.0))
    names = [f"k{j}" for j in range(1, len(scores) + 1)]
    read = len(now.scores)
    for j, (name, score) in enumerate(zip(names, scores, strict=True)):
        left.bar(name, score, color=QUERY, alpha=0.75 if j < read else 0.25)
    left.axhline(now.largest, color=MUTED, lw=1, ls="--")
    left.set(title=f"Scores; largest {now.largest:g}", yticks=[0, 2, 4, 6, 8, 10])
    powers = np.exp(now.scores - now.largest)
    bars = right.bar(names[:read], powers, color=WEIGHTS)
    right.bar_label(bars, [f"{p:.3f}" for p in powers], fontsize=8)
    title = f"exp(score − largest), total {now.total:.3f}"
    right.set(title=title, ylim=(0, 1.15), yticks=[0, 0.5, 1])
    return figure


@picture
def multiplications(sizes, counts):
    """Draw how many multiplications parts of a layer need, against n.

    Parameters
    ----------
    sizes : sequence of int
    counts : dict of str to sequence of int
        For each part's name, its multiplications at each size.
    """
    billions = {name: np.array(values) / 1e9 for name, values in counts.items()}
    label = "billions of multiplications"
    figure, listed = _against_n(sizes, billions, (MUTED, WEIGHTS), label)
    return figure, f"Multiplications in billions at n = {listed}."


def _against_n(sizes, rows, colors, ylabel):
    """Draw a line for each row; return the figure, and all its numbers in words."""
    figure, axis = panels(size=(5.6, 3.2))
    for (name, values), color in zip(rows.items(), colors, strict=True):
        axis.plot(sizes, values, "o-", color=color, label=name)
    axis.set(xlabel="n", ylabel=ylabel, ylim=(0, None))
    turned = {"rotation": 40 if on_phone() else 0}
    axis.set_xticks(sizes, [str(size) for size in sizes], **turned)
    axis.legend()
    says = "; ".join(
        f"{name} {', '.join(f'{v:.1f}' for v in values)}"
        for name, values in rows.items()
    )
    return figure, f"{', '.join(str(size) for size in sizes)}: {says}"
