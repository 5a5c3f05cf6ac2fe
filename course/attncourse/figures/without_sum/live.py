"""Lesson 8: the row of "it" when attention replaces it, and when it adds to it."""

from ..it_moves.live import AFTER, after_layers, told
from ..kit.controls import Choice
from ..kit.declared import Figure

REPLACES, ADDED = UPDATES = ("replaces the row", "is added to it")


panel = Figure(
    __file__,
    controls={
        "update": Choice("The update", REPLACES, UPDATES),
        "after": Choice(AFTER, 2, {"layer 1": 1, "layer 2": 2}),
    },
    title="The row of “it” as two arrows, with the sum and without",
    **told("update", lambda update: after_layers("hungry", update == ADDED), UPDATES),
)
