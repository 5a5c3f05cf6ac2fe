"""The inputs of each lesson's machine: words, their rows, and matrices."""

from typing import Any, NamedTuple

import numpy as np

from attncourse import story
from attncourse.story import decoder, in_order
from attncourse.story.layers import tidy

from ..kit.slots import plain
from .tables import PARTS


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


ADJECTIVES = ("hungry", "delicious")
BEGINNING = "A dog ate the food because it was"
LESSONS = range(2, 10)
DECODER = 10  # the page beside lesson 9, in which one sentence asks another
NOUN = ("alive", "edible")
SAYS = ("says alive", "says edible")
ORDERS = ("dog ate food", "food ate dog")
WEIGHTS = ("WQ", "WK", "WV", "WO")
SUB = "₁₂"


def given(stage):
    """Return what the machine of lesson ``stage``, or of `DECODER`, starts from."""
    if stage == 7:
        return _in_order()
    if stage == DECODER:
        return _decoder()
    sentences = tuple(tuple(story.sentence(one)) for one in ADJECTIVES)
    return Given(
        BEGINNING,
        ADJECTIVES,
        tuple(story.COLUMNS),
        sentences,
        tuple(story.embed(words) for words in sentences),
        _blocks(stage),
        network=tidy() if stage >= 8 else None,
        masks=stage == 9,
    )


def _in_order():
    """Return the machine of lesson 7: words with the hands of two clocks."""
    step = in_order.who_ate()
    matrices = (step.w_query, step.w_key, step.w_value)
    block = _block("who ate", NOUN + in_order.HANDS, NOUN, matrices, _nowhere(step))
    orders = tuple(tuple(text.split()) for text in ORDERS)
    places = in_order.places(len(orders[0]))
    return Given(
        "The words in this order:",
        ORDERS,
        tuple(story.COLUMNS) + in_order.HANDS,
        orders,
        tuple(in_order.embed(words) for words in orders),
        (block,),
        positions=(places,) * len(orders),
    )


def _decoder():
    """Return the machine of the decoder: French words ask English ones."""
    english = tuple(tuple(story.sentence(one)) for one in ADJECTIVES)
    return Given(
        BEGINNING,
        ADJECTIVES,
        decoder.COLUMNS,
        (decoder.WORDS,) * 2,
        (decoder.embed(),) * 2,
        (_block("ask", decoder.ASKS, NOUN, decoder.asking()[:3], decoder.asking()[3]),),
        network=tidy(),
        read=Read(tuple(story.COLUMNS), english, tuple(map(decoder.read, ADJECTIVES))),
    )


def _nowhere(step):
    """Return a W^O that adds nothing: in lesson 7 the output is the end."""
    return np.zeros((step.w_value.shape[1], step.w_value.shape[0]))


def names(start, choice=0, block=0):
    """Return the names along each kind of axis (see `Part`)."""
    blocks, words = start.blocks, start.sentences[choice]
    return {
        "word": words,
        "column": start.columns,
        "seen": start.read.sentences[choice] if start.read else words,
        "trait": start.read.columns if start.read else start.columns,
        "ask": blocks[block].asks,
        "give": blocks[block].gives,
        "all": [f"{x}{SUB[k]}" for k, one in enumerate(blocks) for x in one.gives],
    }


def sizes(start):
    """Return how many rows and columns each part has."""
    count = {kind: len(each) for kind, each in names(start).items()}
    return {
        name: (count[part.rows], count[part.columns]) for name, part in PARTS.items()
    }


def _blocks(stage):
    heads, w_output = story.heads(), story.w_output()
    find = _block("find", NOUN, NOUN, heads["find"], w_output[:2])
    gather = _block("gather", ("says", "unused"), SAYS, heads["gather"], w_output[2:])
    if stage < 6:
        return (find,)
    return (find, gather) if stage < 8 else (gather, find)


def _block(name, asks, gives, head, w_output):
    return Block(name, asks, gives, dict(zip(WEIGHTS, (*head, w_output), strict=True)))


def as_traits(start):
    """Return what a machine is given, as JSON can write it."""
    blocks = [
        {"name": one.name, "asks": one.asks, "gives": one.gives, **one.matrices}
        for one in start.blocks
    ]
    optional = {
        "network": start.network or (),
        "positions": start.positions or (),
        "read": start.read and start.read._asdict(),
    }
    return plain(start._asdict() | {"blocks": blocks} | optional)
