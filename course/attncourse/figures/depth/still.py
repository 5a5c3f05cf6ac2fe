"""Still picture: what becomes of rows that pass through many layers."""

import numpy as np

from ..kit.picture import KEY, WEIGHTS, panels, picture


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
