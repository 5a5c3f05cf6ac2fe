"""Still picture of lesson 14: the layers of a model by kind."""

from ..kit.picture import KEY, MUTED, QUERY, VALUE, WEIGHTS, panels

COLORS = {
    "full_attention": WEIGHTS,
    "sliding_attention": QUERY,
    "chunked_attention": QUERY,
    "latent_attention": VALUE,
    "linear_attention": KEY,
    "conv": KEY,
    "hybrid": KEY,
}


def numbers_kept(layer, tokens):
    """Count the numbers that a layer keeps after so many tokens."""
    return sum(kept.numbers(tokens) for kept in layer.kept)


def layers(found, tokens):
    """Draw one bar for each layer of a `Model`: the numbers it keeps for the tokens."""
    figure, axis = panels(size=(6.4, 2.2))
    kept = [numbers_kept(layer, tokens) for layer in found.layers]
    colors = [COLORS.get(layer.kind, MUTED) for layer in found.layers]
    axis.bar(range(len(kept)), kept, color=colors)
    axis.set_xlabel("layer")
    axis.set_ylabel("numbers kept")
    return figure
