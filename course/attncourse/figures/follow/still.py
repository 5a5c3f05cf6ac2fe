"""The still picture of the landing page: one word's way through attention."""

import numpy as np

from ..kit.picture import INK, MUTED, QUERY, VALUE, WEIGHTS, panels, picture

COLUMNS = ("key", "score", "scaled", "exponential", "weight", "value")


@picture
def one_word(trace, word):
    """Draw every step of one word: scores, scaled, exponentials, weights, output.

    Parameters
    ----------
    trace : AttentionTrace
        Of one sentence, with its tokens.
    word : int
        The word that asks, counted from 1.
    """
    i = word - 1
    figure, (left, right) = panels(1, 2, size=(8.6, 3.4), width_ratios=(2, 5))
    left.barh(trace.tokens, trace.weights[i], color=WEIGHTS)
    left.invert_yaxis()
    left.set(title=f"{trace.tokens[i]} attends to", xlim=(0, 1), xlabel="weight")
    right.set_axis_off()
    for line, texts in enumerate(_lines(trace, i)):
        for column, text in enumerate(texts):
            _write(right, line, column, text, MUTED if line == 0 else INK)
    last = len(trace.tokens) + 1
    _write(right, last, 0, f"query {_vector(trace.query[i])}", QUERY)
    _write(right, last + 1, 0, f"output {_vector(trace.output[i])}", VALUE)
    right.set(xlim=(0, 7.2), ylim=(last + 2, -0.5))
    return figure, _words(trace, i)


def _write(axis, line, column, text, colour):
    axis.text(1.15 * column, line, text, fontsize=9, color=colour)


def _lines(trace, i):
    """Return the texts of the table, its heading first."""
    steps = (trace.scores[i], trace.scaled_scores[i], np.exp(trace.scaled_scores[i]))
    rows = zip(trace.tokens, *steps, trace.weights[i], trace.value, strict=True)
    return [
        COLUMNS,
        *(
            (name, *(f"{x + 0.0:.3f}" for x in four), _vector(v, 2))
            for name, *four, v in rows
        ),
    ]


def _words(trace, i):
    def each(step):
        pairs = zip(trace.tokens, step, strict=True)
        return ", ".join(f"{name} {x + 0.0:.3f}" for name, x in pairs)

    return (
        f"{trace.tokens[i]}: embedding {_vector(trace.x[i], 1)}, query "
        f"{_vector(trace.query[i])}; scores {each(trace.scores[i])}; scaled "
        f"{each(trace.scaled_scores[i])}; weights {each(trace.weights[i])}; "
        f"output {_vector(trace.output[i])}."
    )


def _vector(numbers, digits=3):
    return f"[{', '.join(f'{x + 0.0:.{digits}f}' for x in numbers)}]"
