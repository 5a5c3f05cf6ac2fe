"""States of fixed size in place of keys: linear attention, Mamba."""

from attnconfig.part import Listed
from attnconfig.weights import Kept, Weight, Work

FLOAT32 = "float32"  # what transformers 5.23 keeps states in, whatever the weights are


class State(Listed):
    """A state that is decayed, written to and read."""


def state(
    name: str,
    learned: tuple[Weight, ...],
    shape: tuple[int, ...],
    mixed: int = 0,
    kernel: int = 0,
    dtype: str | None = FLOAT32,
) -> State:
    """Make a layer's state, beside a convolution over so many columns, if there is one.

    Each number of the state costs three multiplications a token.
    """
    kept = Kept("state", shape, dtype=dtype)
    convolved = (Kept("short convolution", (mixed, kernel)),) * bool(mixed)
    return State(name, learned, (kept, *convolved), (Work("state", 3 * kept.row),))


def convolution(columns: int, kernel: int, bias: bool) -> list[Weight]:
    """List the weights of a convolution over the last tokens, one for each column."""
    found = [Weight("short convolution", (columns, kernel))]
    more = Weight("b of short convolution", (columns,))
    return [*found, more] if bias else found
