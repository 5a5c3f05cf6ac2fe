"""Still picture of lesson 14: bytes of a cache, before and after."""

from ..kit.picture import INK, MUTED, WEIGHTS, panels, picture


def gigabytes(count):
    """Write a count of bytes in GiB or MiB."""
    return f"{count / 2**30:.3g} GiB" if count >= 2**30 else f"{count / 2**20:.3g} MiB"


@picture
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
    says = f"All heads and all tokens: {gigabytes(full)}. {told}: {gigabytes(now)}."
    return figure, f"{says} That is {now / full:.4g} of it."
