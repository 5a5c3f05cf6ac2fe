"""What a machine starts from: words, their rows, and matrices."""

from typing import Any, NamedTuple


class Read(NamedTuple):
    """The words of another sentence, which those of this one look at.

    Parameters
    ----------
    columns : tuple of str
        The names of the columns of their rows.
    sentences : tuple of tuple of str
        The words, for each choice.
    rows : tuple of array, (n_read, d_model)
        R, for each choice.
    """

    columns: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    rows: tuple[Any, ...]


class Block(NamedTuple):
    """One head of attention, or the attention of one layer.

    Parameters
    ----------
    name : str
    asks : tuple of str
        What the columns of its queries and keys mean.
    gives : tuple of str
        What the columns of its values mean.
    matrices : dict of str to array
        W^Q, W^K, W^V and W^O by their names in `PARTS`.
    """

    name: str
    asks: tuple[str, ...]
    gives: tuple[str, ...]
    matrices: dict[str, Any]


class Given(NamedTuple):
    """All that the machine of a lesson starts from.

    Parameters
    ----------
    beginning : str
        What is written before the choice.
    choices : tuple of str
        What a reader may switch between.
    columns : tuple of str
        The names of the columns of a word's row.
    sentences : tuple of tuple of str
        The words, for each choice.
    rows : tuple of array, (n_tokens, d_model)
        X, for each choice.
    blocks : tuple of Block
        One; or two heads side by side; or layers, one after the other.
    network : tuple of array, optional
        Of layers: the weights of the network that follows each, as `feed_forward`
        takes them. Without, the blocks are heads.
    positions : tuple of array, (n_tokens, d_model), optional
        What is added to the words' rows, for each choice; then X is their sum.
    masks : bool
        Whether a word sees itself and what comes before it alone.
    read : Read, optional
        What the words look at instead of each other.
    """

    beginning: str
    choices: tuple[str, ...]
    columns: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    rows: tuple[Any, ...]
    blocks: tuple[Block, ...]
    network: tuple[Any, ...] | None = None
    positions: tuple[Any, ...] | None = None
    masks: bool = False
    read: Read | None = None
