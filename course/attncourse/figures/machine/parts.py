"""What the machine is made of: each matrix, its axes, its color, and its lesson."""

from typing import NamedTuple


class Part(NamedTuple):
    """One matrix.

    Parameters
    ----------
    name : str
        As it is written; what follows "^" is raised.
    rows, columns : str
        What they count: "word" (that asks), "column" (of its row), "seen" (words that
        are looked at), "trait" (columns of their rows), "ask" (of queries and keys),
        "give" (of values), or "all" (the values of all heads).
    role : str
        Whose color it has: "x", "query", "key", "value", "scores" or "weights".
    lesson : int
        The lesson that brings it.
    depth : int
        How many steps of arithmetic lie between what is given and it: a change arrives
        there that much later.
    """

    name: str
    rows: str
    columns: str
    role: str
    lesson: int
    depth: int


PARTS = {
    "E": Part("words", "word", "column", "x", 7, 0),
    "P": Part("positions", "word", "column", "x", 7, 0),
    "X": Part("X", "word", "column", "x", 2, 0),
    "R": Part("R", "seen", "trait", "x", 10, 0),
    "WQ": Part("W^Q", "column", "ask", "query", 2, 0),
    "WK": Part("W^K", "trait", "ask", "key", 2, 0),
    "WV": Part("W^V", "trait", "give", "value", 2, 0),
    "Q": Part("Q", "word", "ask", "query", 2, 1),
    "K": Part("K", "seen", "ask", "key", 2, 1),
    "V": Part("V", "seen", "give", "value", 2, 1),
    "S": Part("scores", "word", "seen", "scores", 3, 2),
    "D": Part("scaled scores", "word", "seen", "scores", 3, 3),
    "A": Part("weights", "word", "seen", "weights", 4, 4),
    "O": Part("output", "word", "give", "value", 5, 5),
    "C": Part("outputs", "word", "all", "value", 6, 5),
    "WC": Part("W^O", "all", "column", "value", 6, 0),
    "Z": Part("update", "word", "column", "value", 6, 6),
    "WO": Part("W^O", "give", "column", "value", 6, 0),
    "U": Part("update", "word", "column", "value", 6, 6),
    "Y": Part("X + update", "word", "column", "x", 8, 7),
    "N": Part("tidied", "word", "column", "x", 8, 8),
}
# What a product multiplies: the rows of the one by the columns of the other. R has the
# rows that are looked at: in self-attention, X.
FACTORS = {
    "Q": ("X", "WQ"),
    "K": ("R", "WK"),
    "V": ("R", "WV"),
    "S": ("Q", "K"),
    "O": ("A", "V"),
    "U": ("O", "WO"),
    "Z": ("C", "WC"),
}
