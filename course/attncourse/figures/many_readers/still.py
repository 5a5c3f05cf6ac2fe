"""Still picture of a step for many texts: what is read, and what is multiplied."""

from ..kit.picture import KEY, QUERY, WEIGHTS, panels, picture


@picture
def bars(step, balance):
    """Draw the bytes that are read, and the multiplications as bytes read meanwhile.

    Parameters
    ----------
    step : object
        With ``weights`` and ``caches``, in bytes, and ``multiplications``.
    balance : int
        Multiplications that the processor does while it reads a byte.
    """
    figure, axis = panels(1, 1, size=(6, 1.8))
    names = ["weights read", "caches read", "multiplying"]
    lengths = [step.weights, step.caches, step.multiplications / balance]
    axis.barh(names, [x / 1e9 for x in lengths], color=[QUERY, KEY, WEIGHTS])
    axis.invert_yaxis()
    axis.set(xlabel="gigabytes, or as long as reading so many takes")
    waits = "memory" if step.per_byte < balance else "multiplications"
    return figure, (
        f"One token for each text: {step.weights / 1e9:.1f} GB of weights and "
        f"{step.caches / 1e9:.1f} GB of caches are read, with {step.per_byte:.1f} "
        f"multiplications per byte. At {balance} per byte the step waits for {waits}."
    )
