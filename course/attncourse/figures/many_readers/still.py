"""Still picture of a step for many texts: what is read, and what is multiplied."""

from ..kit.picture import KEY, QUERY, WEIGHTS, panels


def bars(step):
    """Draw the bytes that are read, and the multiplications as bytes read meanwhile.

    Parameters
    ----------
    step : object
        With ``lengths``: bytes of weights and of caches, and what could be read while
        it multiplies.
    """
    figure, axis = panels(1, 1, size=(6, 1.8))
    names = ["weights read", "caches read", "multiplying"]
    axis.barh(names, [x / 1e9 for x in step.lengths], color=[QUERY, KEY, WEIGHTS])
    axis.invert_yaxis()
    axis.set(xlabel="gigabytes, or as long as reading so many takes")
    return figure
