"""The machine's matrices, and their numbers as attnlib computes them."""

from typing import NamedTuple

import numpy as np

from attnlib import (
    SelfAttention,
    dot_product_scores,
    feed_forward,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
)


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


def edited(start, choice, edits):
    """Return what X is the sum of, and each block's matrices, with a reader's edits.

    An edit that does not fit is left out.
    """
    given = {"X": np.array(start.rows[choice])}
    if start.positions:
        given = {"E": given["X"], "P": np.array(start.positions[choice])}
    if start.read:
        given["R"] = np.array(start.read.rows[choice])
    blocks = [
        {name: np.array(matrix) for name, matrix in one.matrices.items()}
        for one in start.blocks
    ]
    for block, name, row, column, number in edits:
        known = {**blocks[block], **given} if block < len(blocks) else given
        if name in known and np.all(np.less((row, column), known[name].shape)):
            known[name][row, column] = number
    return given, blocks


def tables(start, choice, edits=(), masked=False):
    """Return the trace and the tables, by the names of `PARTS`, of each head or layer.

    Parameters
    ----------
    start : Given
    choice : int
        0 for "hungry", 1 for "delicious".
    edits : sequence of (int, str, int, int, float)
        Block, matrix, row, column and number.
    masked : bool
        Whether a word sees itself and what comes before it alone.

    Returns
    -------
    list of (AttentionTrace, dict of str to array)
        Where words of another sentence are looked at, None in the trace's place.
    """
    given, blocks = edited(start, choice, edits)
    if start.read:
        return [(None, _cross(given, blocks[0], start.network))]
    x = sum(given.values())
    words, found = start.sentences[choice], []
    for matrices in blocks:
        layer = SelfAttention(*(matrices[name] for name in ("WQ", "WK", "WV")))
        trace = layer.trace(x, words, is_causal=masked)
        found.append((trace, given | _by_part(trace, matrices)))
        if start.network:
            x = _after_network(x, found[-1][1], start.network)
    if not start.network:
        _side_by_side([table for _, table in found])
    return found


def _by_part(trace, matrices):
    update = trace.output @ matrices["WO"]
    return matrices | {
        "X": trace.x,
        "Q": trace.query,
        "K": trace.key,
        "V": trace.value,
        "S": trace.scores,
        "D": trace.scaled_scores,
        "A": trace.weights,
        "O": trace.output,
        "U": update,
    }


def _cross(given, matrices, network):
    """Return the tables of X asking R, and of the network that follows."""
    query = given["X"] @ matrices["WQ"]
    key, value = (given["R"] @ matrices[name] for name in ("WK", "WV"))
    scores = dot_product_scores(query, key)
    scaled = scale_scores(scores, key.shape[-1])
    output = scaled_dot_product_attention(query, key, value)
    table = given | matrices | {"Q": query, "K": key, "V": value, "S": scores}
    table |= {"D": scaled, "A": softmax(scaled), "O": output}
    table["U"] = output @ matrices["WO"]
    _after_network(table["X"], table, network)
    return table


def _after_network(x, table, network):
    table["Y"] = x + table["U"]
    table["N"] = table["Y"] + feed_forward(table["Y"], *network)
    return table["N"]


def _side_by_side(found):
    outputs = np.hstack([table["O"] for table in found])
    w_output = np.vstack([table["WO"] for table in found])
    for table in found:
        table |= {"C": outputs, "WC": w_output, "Z": outputs @ w_output}
