"""Weights the wrong way round: those of a projection, and those of the attention."""

from __future__ import annotations

from attncourse.practice.engine.exercise import Step, mistake

CODE = "weights-transposed"
SIDE = "which axis of a weight matrix belongs to the numbers that come in: its rows"
QUERIES = "which axis of the weights counts the queries: there is a row for each"


def projection_transposed(**steps: Step):
    """Name a matrix of learned weights that was used transposed."""
    return mistake(CODE, "using the weights transposed", SIDE, **steps)


def reshaped(**steps: Step):
    """Name a reshape to the shape of the transpose."""
    return mistake(
        "reshaped-instead-of-transposed",
        "a reshape where a transpose was meant",
        "where a reshape puts the numbers: it fills the new shape in reading order, "
        "and no row becomes a column",
        **steps,
    )


def attention_transposed(**steps: Step):
    """Name attention weights that were used with keys and queries exchanged."""
    return mistake(CODE, "weights with a row for each key", QUERIES, **steps)
