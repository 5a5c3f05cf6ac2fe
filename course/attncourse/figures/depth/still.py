"""Still pictures: what becomes of rows that pass through many layers."""

import numpy as np

from ..kit.picture import KEY, MUTED, WEIGHTS, panels, picture


@picture
def own_share_by_depth(share):
    """Draw how much of a row all rows do not share, after each attention step.

    Parameters
    ----------
    share : dict of str to sequence of float
        For each way to stack, which part of a row is its own, from the input on.
    """
    figure, axis = panels(size=(5.6, 3.2))
    look = zip(share.items(), (MUTED, WEIGHTS, KEY), ("s--", "o-", ":"), strict=False)
    for (name, values), color, marker in look:
        axis.plot(values, marker, color=color, label=name)
    axis.set(xlabel="attention steps passed", ylabel="share of a row that is its own")
    axis.set(ylim=(-0.05, 1.1))
    axis.legend(loc="center right")
    says = "; ".join(
        f"{name}, {', '.join(f'{v:.2f}' for v in values[:4])} and "
        f"{values[-1]:.2f} at the end"
        for name, values in share.items()
    )
    last = len(next(iter(share.values()))) - 1
    return figure, (
        f"Share of a row that is its own after 0, 1, … {last} attention steps: {says}."
    )


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
    for (name, values), color, marker in look:
        axis.plot(depths, values, marker, color=color, label=name)
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
