"""The still picture of a row of attention, forward and back."""

from ..kit.picture import INK, MUTED, VALUE, WEIGHTS, panels

ROWS = (("score", "scores", INK), ("weight", "weights", WEIGHTS))


def both_ways(now, words, values):
    """Draw each number on the way forward, and below it its gradient.

    Parameters
    ----------
    now : attncourse.figures.backward.live.Row
    words : sequence of str
    values : array, (n_words, 2)
    """
    figure, axis = panels(size=(5.2, 3.4), phone=3.6)
    axis.set(xlim=(-1.1, len(words) - 0.4), ylim=(6.6, -0.7))
    axis.set_axis_off()
    write = {"ha": "center", "va": "center", "fontsize": 9}
    for j, word in enumerate(words):
        axis.text(j, -0.3, word, color=MUTED, **write)
        for top, (_, name, color) in zip((0.7, 2.7), ROWS, strict=True):
            axis.text(j, top, f"{getattr(now, name)[j]:.2f}", color=color, **write)
            slope = f"∇ {getattr(now, f'of_{name}')[j]:.3f}".replace("-", "−")
            axis.text(j, top + 0.6, slope, style="italic", **write)
        pair = f"({values[j][0]:g}, {values[j][1]:g})"
        axis.text(j, 4.7, pair, color=VALUE, **write)
        axis.text(j, 2, "↓  ↑", color=MUTED, **write)
        axis.text(j, 4, "↓  ↑", color=MUTED, **write)
    for top, name in ((0.7, "score"), (2.7, "weight"), (4.7, "value")):
        axis.text(-0.75, top, name, color=MUTED, **write)
    output = f"output ({now.output[0]:.2f}, {now.output[1]:.2f}), loss {now.loss:.3f}"
    slope = f"∇ ({now.of_output[0]:.2f}, {now.of_output[1]:.2f})".replace("-", "−")
    axis.text(2, 5.7, output, **write)
    axis.text(2, 6.3, slope, style="italic", **write)
    return figure
