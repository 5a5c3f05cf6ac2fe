"""Still pictures of lesson 4: softmax."""

from ..kit.picture import MUTED, WEIGHTS, panels, picture


@picture
def shares(words, scores, exponentials, weights):
    """Draw the scores of three keys, their exponentials, and the whole they share."""
    figure, axes = panels(1, 3, size=(6.8, 2.4))
    steps = {"Score": scores, "Exponential": exponentials, "Weight, of 1": weights}
    for axis, (title, values) in zip(axes, steps.items(), strict=True):
        colour = WEIGHTS if title.startswith("Weight") else MUTED
        bars = axis.bar(words, values, color=colour)
        axis.bar_label(bars, [f"{v:.3g}".replace("-", "−") for v in values])
        axis.axhline(0, color=MUTED, lw=0.8)
        axis.set(title=title, yticks=[])
        axis.margins(y=0.2)
    return figure, (
        f"Scores of {', '.join(words)}: {_row(scores, 2)}. Exponentials: "
        f"{', '.join(f'{e:.3g}' for e in exponentials)}. Weights: {_row(weights, 3)}."
    )


def _row(numbers, digits):
    return ", ".join(f"{x + 0.0:.{digits}f}".replace("-", "−") for x in numbers)
