"""What each lesson's machine is given: the words, and the matrices of `story`."""

import numpy as np

from attncourse import story
from attncourse.story import decoder, in_order
from attncourse.story.layers import tidy

from .parts import PARTS
from .start import Block, Given, Read

ADJECTIVES = ("hungry", "delicious")
BEGINNING = "A dog ate the food because it was"
LESSONS = range(2, 10)
DECODER = 10  # the page beside lesson 9, in which one sentence asks another
NOUN = ("alive", "edible")
SAYS = ("says alive", "says edible")
HANDS = ("fast sin", "fast cos", "slow sin", "slow cos")
ORDERS = ("dog ate food", "food ate dog")
WEIGHTS = ("WQ", "WK", "WV", "WO")


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
    block = _block("who ate", NOUN + HANDS, NOUN, matrices, _nowhere(step))
    orders = tuple(tuple(text.split()) for text in ORDERS)
    places = in_order.places(len(orders[0]))
    return Given(
        "The words in this order:",
        ORDERS,
        tuple(story.COLUMNS) + HANDS,
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
        "all": [name for one in blocks for name in one.gives],
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
