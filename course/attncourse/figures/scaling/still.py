"""Still pictures of lesson 3: scores and scaling."""

import numpy as np

from attnlib import dot_product_scores, softmax

from ..kit.picture import KEY, MUTED, QUERY, WEIGHTS, panels, picture


@picture
def with_and_without_scale(scores, scaled, d_k, word, n_shown=8):
    """Draw the spread of all scores and one row of weights, unscaled and scaled."""
    figure, axes = panels(2, 2, size=(7.2, 4.2), sharex="row", sharey="row")
    says = []
    names = ("Without the scale", "With the scale")
    for column, (name, values) in enumerate(zip(names, (scores, scaled), strict=True)):
        weights = softmax(values[word - 1, :n_shown])
        axes[0, column].hist(values.ravel(), np.arange(-40, 40.5), color=QUERY)
        axes[0, column].set(title=name, xlabel="score", yticks=[])
        bars = axes[1, column].bar(range(1, n_shown + 1), weights, color=WEIGHTS)
        axes[1, column].bar_label(bars, [f"{w:.2f}" for w in weights], fontsize=8)
        axes[1, column].set(xlabel="key", ylim=(0, 1.1), yticks=[0, 0.5, 1])
        says.append(
            f"{name.lower()} they spread by {values.std():.2f} and the weights of "
            f"word {word} are {', '.join(f'{w:.2f}' for w in weights)}"
        )
    axes[1, 0].set_ylabel("weight")
    return figure, f"Scores of random words at d_k = {d_k}: {'; '.join(says)}."


@picture
def arrows(words, query_word):
    """Draw words of the plane as arrows, with the score of each for one query.

    Parameters
    ----------
    words : dict of str to array, (2,)
    query_word : str
        The word that asks; its vector is the query, and all vectors are keys.
    """
    figure, axis = panels(size=(4.2, 3.6))
    query = np.asarray(words[query_word])
    scores = dot_product_scores(query[None], np.array(list(words.values())))[0]
    for (word, end), score in zip(words.items(), scores, strict=True):
        asks = word == query_word
        colour, width, layer = (QUERY, 4, 3) if asks else (KEY, 2, 2)
        arrow = {"arrowstyle": "->", "color": colour, "lw": width}
        axis.annotate("", end, (0, 0), arrowprops=arrow, zorder=layer)
        axis.annotate(f"{word}: {score:g}", end, (4, 4), textcoords="offset points")
    axis.set(xlim=(-0.2, 3.0), ylim=(-0.2, 2.4), aspect="equal")
    says = ", ".join(f"{w} {s:g}" for w, s in zip(words, scores, strict=True))
    return figure, f"Scores for the query of “{query_word}”: {says}."


@picture
def spread_by_size(sizes, measured):
    """Draw the measured spread of q·k against d_k, with the line √d_k."""
    figure, axis = panels(size=(5.6, 3.2))
    axis.plot(sizes, np.sqrt(sizes), color=MUTED, label="√d_k, from the derivation")
    axis.plot(sizes, measured, "o", color=QUERY, label="measured")
    axis.set(xlabel="d_k", ylabel="spread of q·k", xscale="log", yscale="log")
    axis.set_xticks(sizes, [str(size) for size in sizes], minor=False)
    axis.set_yticks([1, 2, 4, 8, 16], ["1", "2", "4", "8", "16"])
    axis.minorticks_off()
    axis.legend()
    says = ", ".join(f"{m:.2f} at {s}" for s, m in zip(sizes, measured, strict=True))
    return figure, f"Measured spread of q·k by d_k: {says}."


@picture
def saturation(factors, weights, gradients):
    """Draw the weights and the gradient's size as all scores grow by a factor."""
    figure, (left, right) = panels(1, 2, size=(7.2, 3.0))
    left.plot(factors, weights, color=WEIGHTS)
    left.set(xlabel="scores multiplied by", ylabel="weight of each key", ylim=(0, 1))
    right.plot(factors, gradients, color=QUERY)
    right.set(xlabel="scores multiplied by", ylabel="size of the gradient")
    right.set_ylim(0)
    return figure, (
        f"As the scores grow from {factors[0]:g} to {factors[-1]:g} times, the largest "
        f"weight goes from {max(weights[0]):.3f} to {max(weights[-1]):.3f} and the "
        f"size of the gradient from {gradients[0]:.3f} to {gradients[-1]:.6f}."
    )


@picture
def divisors_compared(sizes, spreads):
    """Draw the spread of the scores after each way to divide, against d_k.

    Parameters
    ----------
    sizes : sequence of int
    spreads : dict of str to sequence of float
        For each divisor's name, the spread of the scores at each size.
    """
    figure, axis = panels(size=(5.6, 3.4))
    styles = zip(spreads.items(), (WEIGHTS, KEY, MUTED, QUERY), strict=False)
    for (name, values), colour in styles:
        axis.plot(sizes, values, "o-", color=colour, label=f"÷ {name}")
    axis.axhline(1, color=MUTED, lw=0.8)
    axis.set(xlabel="d_k", ylabel="spread of the scores", xscale="log", yscale="log")
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.minorticks_off()
    axis.legend()
    says = "; ".join(
        f"divided by {name}, from {v[0]:.3g} to {v[-1]:.3g}"
        for name, v in spreads.items()
    )
    return figure, f"Spread of the scores from d_k = {sizes[0]} to {sizes[-1]}: {says}."
