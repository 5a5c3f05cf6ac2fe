"""Still pictures of lesson 12: the heads of a real model."""

import numpy as np

from ..kit.picture import INK, MUTED, QUERY, WEIGHTS, on_phone, panels, picture


def word_bars(axes, tokens, rows, word):
    """Draw where one word looks in two sentences; return it in words.

    Parameters
    ----------
    axes : two Axes
    tokens : two sequences of str
    rows : two arrays, (n_tokens,)
    word : str
    """
    says = []
    for axis, names, row in zip(axes, tokens, rows, strict=True):
        axis.barh(np.arange(len(names)), row, color=WEIGHTS)
        axis.set_yticks(np.arange(len(names)), names)
        axis.invert_yaxis()
        axis.sharex(axes[0])
        axis.set(title=f"… {' '.join(names[-4:-1])}", xlabel=f"weight from “{word}”")
        most = np.argsort(-row, kind="stable")[:3]
        looks = ", ".join(f"{names[j]} {row[j]:.3f}" for j in most)
        says.append(f"In “{' '.join(names[1:-1])}” it looks most at {looks}.")
    return " ".join(says)


@picture
def all_heads(effects, chosen):
    """Draw the mean effect in every head, in order of size.

    Parameters
    ----------
    effects : array, (n_layers, n_heads)
    chosen : tuple of int
        The layer and the head to mark.
    """
    figure, axis = panels(size=(7.2, 2.8))
    order = np.sort(effects.ravel())[::-1]
    axis.plot(np.arange(1, order.size + 1), order, "o", color=MUTED, ms=4)
    rank = int((effects > effects[chosen]).sum()) + 1
    axis.plot(rank, effects[chosen], "o", color=WEIGHTS, ms=8)
    name = f"head {chosen[0]}.{chosen[1]}"
    axis.annotate(name, (rank, effects[chosen]), (8, -4), textcoords="offset points")
    axis.axhline(0, color=INK, lw=0.8)
    axis.set(xlabel="heads, in order of their effect", ylabel="mean effect")
    return figure, (
        f"Of {order.size} heads, {name} has rank {rank}, {effects[chosen]:.3f}; the "
        f"largest effects are {', '.join(f'{e:.3f}' for e in order[:3])}, the smallest "
        f"is {order[-1]:.3f}."
    )


@picture
def by_depth(effects):
    """Draw the mean effect after some rows were exchanged, for each depth.

    Parameters
    ----------
    effects : dict of str to sequence of float
        For the words whose rows were exchanged: the mean effect when that was done
        before layer 0, 1, 2 and 3.
    """
    figure, axis = panels(size=(7.2, 3.0))
    colors = (WEIGHTS, QUERY, MUTED)
    for (name, means), color in zip(effects.items(), colors, strict=False):
        axis.plot(range(len(means)), means, "o-", color=color, label=name)
        end = len(means) - 1, means[-1]
        axis.annotate(name, end, (8, -3), textcoords="offset points")
    axis.axhline(0, color=INK, lw=0.8)
    axis.set(xlabel="rows exchanged before layer", ylabel="mean effect", xlim=(None, 4))
    axis.set_xticks(range(max(map(len, effects.values()))))
    says = "; ".join(
        f"{name} {', '.join(f'{m:.3f}' for m in means)}"
        for name, means in effects.items()
    )
    return figure, f"Mean effect with rows exchanged before layers 0 to 3: {says}."


@picture
def arcs(words, weights, asks):
    """Draw a sentence with an arc from the word that asks to each that it looks at.

    Parameters
    ----------
    words : sequence of str
    weights : array, (n_words,)
        Of the word that asks; the thicker an arc, the larger its weight.
    asks : int
        The place of the word that asks.
    """
    figure, axis = panels(size=(4.6, 2.4))  # a phone shows it whole
    for place, weight in enumerate(weights):
        if place != asks:
            middle, half = (asks + place) / 2, abs(asks - place) / 2
            turn = np.linspace(0, np.pi, 60)
            across, up = middle + half * np.cos(turn), np.sin(turn) * half**0.5
            axis.plot(across, up, color=WEIGHTS, lw=14 * weight, alpha=0.8)
    for place, word in enumerate(words):
        style = {"ha": "center", "va": "top", "weight": "normal"}
        if place == asks:
            style |= {"weight": "bold", "color": QUERY}
        axis.text(place, -0.15 - 0.25 * (place % 2), word, **style)
    axis.set(ylim=(-0.7, 1.9), xlim=(-0.6, len(words) - 0.4))
    axis.axis("off")
    most = np.argsort(-np.asarray(weights), kind="stable")[:2]
    looks = ", ".join(f"{words[j]} {weights[j]:.2f}" for j in most)
    return figure, f"“{' '.join(words)}”: “{words[asks]}” looks most at {looks}."


@picture
def column(words, weights, noun):
    """Draw how much each word of a sentence looks at one of its nouns.

    Parameters
    ----------
    words : sequence of str
    weights : array, (n_words,)
        What each word gives to the noun.
    noun : str
    """
    figure, axis = panels(size=(7.2, 2.6))
    bars = axis.bar(range(len(words)), weights, color=WEIGHTS)
    axis.bar_label(bars, [f"{w:.2f}" for w in weights], fontsize=9)
    axis.set_xticks(range(len(words)), words, rotation=40 if on_phone() else 0)
    axis.set(ylim=(0, 1), ylabel=f"weight on “{noun}”")
    says = ", ".join(f"{w} {x:.2f}" for w, x in zip(words, weights, strict=True))
    return figure, f"How much each word looks at “{noun}”: {says}."
