"""Still picture of lesson 14: the layers of a model by kind, and its costs in words."""

from collections import Counter

from ..kit.picture import KEY, MUTED, QUERY, VALUE, WEIGHTS, panels, picture

COLORS = {
    "full_attention": WEIGHTS,
    "sliding_attention": QUERY,
    "chunked_attention": QUERY,
    "latent_attention": VALUE,
    "linear_attention": KEY,
    "conv": KEY,
    "hybrid": KEY,
}


@picture
def layers(name, found, costs, named):
    """Draw one bar for each layer: how many numbers it keeps for the tokens read.

    Parameters
    ----------
    name : str
    found : Model
    costs : Costs
    named : dict
        "tokens" and "bits", as the controls say them.
    """
    n_tokens = int(named["tokens"].replace(",", ""))
    figure, axis = panels(size=(6.4, 2.2))
    kept = [sum(k.numbers(n_tokens) for k in each.kept) for each in found.layers]
    colors = [COLORS.get(layer.kind, MUTED) for layer in found.layers]
    axis.bar(range(len(kept)), kept, color=colors)
    axis.set_xlabel("layer")
    axis.set_ylabel("numbers kept")
    return figure, f"{name}. {_told(found, costs, named)}"


def _told(found, costs, named):
    if found.refused:
        return f"Refused: {' '.join(dict.fromkeys(found.refused.values()))}"
    kinds = Counter(layer.kind.replace("_", " ") for layer in found.layers)
    layers = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    return (
        f"Layers: {layers}. Parameters: {costs.n_parameters:,}, used for one token: "
        f"{costs.used:,}. Cache after {named['tokens']} tokens, at "
        f"{named['bits']}: {costs.cache_bytes:,.0f} bytes. Multiplications per byte: "
        f"{costs.reading:,.1f} in prefill, {costs.writing:.2f} in decode."
    )
