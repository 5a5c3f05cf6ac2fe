"""Still picture of lesson 11's training: where nothing can be trained in the page."""

from ..kit.picture import MUTED, WEIGHTS, panels, picture


@picture
def trainings(curves, floor):
    """Draw the losses of each model over its training, side by side.

    Parameters
    ----------
    curves : dict of str to dict of str to dict of int to float
        For each model the loss on "new" and on "repeated" letters after each number of
        steps.
    floor : float
        What nobody can get below on new letters.
    """
    figure, axes = panels(1, len(curves), size=(6.4, 2.8), sharey=True)
    says = []
    for axis, (name, losses) in zip(axes, curves.items(), strict=True):
        for (part, loss), line in zip(losses.items(), (":", "-"), strict=True):
            axis.plot(list(loss), list(loss.values()), line, color=WEIGHTS, label=part)
        axis.axhline(floor, color=MUTED, lw=0.8)
        axis.set(xlabel="steps", title=name)
        ends = ", ".join(
            f"{list(loss.values())[-1]:.1f} on {part} letters"
            for part, loss in losses.items()
        )
        says.append(f"{name} ends at {ends}")
    axes[0].set(ylabel="loss", ylim=(0, None))  # once both have been drawn
    axes[0].legend(fontsize=8, loc="lower left")
    steps = max(max(loss) for losses in curves.values() for loss in losses.values())
    return figure, (
        f"Loss over {steps} steps of training, with the floor of {floor:.1f} on new "
        f"letters: {'; '.join(says)}."
    )
