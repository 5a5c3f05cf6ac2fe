"""The running example, in order and in layers, and the worked examples of the posts.

`words` has the sentence, its rows and its heads; `in_order` adds the places of the
words; `layers` stacks two steps with a network; `examples` has what the posts work out.
"""

from .words import (
    ALIVE,
    COLUMNS,
    EDIBLE,
    HAPPENS,
    IN_THE_PLANE,
    PRONOUN,
    SAYS_ALIVE,
    SAYS_EDIBLE,
    WORDS,
    embed,
    find,
    gather,
    plane_words,
    random_sentences,
    sentence,
    three_heads,
    two_steps,
    write_back,
)

__all__ = [
    "ALIVE",
    "COLUMNS",
    "EDIBLE",
    "HAPPENS",
    "IN_THE_PLANE",
    "PRONOUN",
    "SAYS_ALIVE",
    "SAYS_EDIBLE",
    "WORDS",
    "embed",
    "find",
    "gather",
    "plane_words",
    "random_sentences",
    "sentence",
    "three_heads",
    "two_steps",
    "write_back",
]
