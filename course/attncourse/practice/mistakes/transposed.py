"""Weights the wrong way round: those of a projection, and those of the attention."""

SIDE = "which axis of a weight matrix belongs to the numbers that come in: its rows"
QUERIES = "which axis of the weights counts the queries: there is a row for each"
