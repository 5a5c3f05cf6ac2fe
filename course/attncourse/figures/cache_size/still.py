"""Still picture of lesson 14: bytes of a cache, before and after."""

from ..kit.picture import INK, MUTED, WEIGHTS, panels


def bars(full, now, told):
    """Draw the cache of every head and token, and the cache as it is asked for.

    Parameters
    ----------
    full, now : int
        Bytes.
    told : str
        What the second one keeps.
    """
    figure, axis = panels(size=(6.4, 1.6))
    names = ["all heads, all tokens", told]
    axis.barh([1, 0], [full / 2**30, now / 2**30], color=[MUTED, WEIGHTS])
    axis.set_yticks([1, 0], names, color=INK)
    axis.set_xlabel("GiB")
    return figure
