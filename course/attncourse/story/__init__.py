"""The running example, in order and in layers, and the worked examples of the posts.

`words` has the sentence and its rows, `matrices` the weights of its heads, `step`
the step itself; `in_order` adds the places of the words; `layers` stacks two steps with
a network; `examples` has what the posts work out.
"""

from .matrices import (
    attend,
    find,
    find_weights,
    gather,
    heads,
    three_heads,
    w_output,
    write_back,
)
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
    plane_words,
    random_sentences,
    sentence,
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
    "attend",
    "embed",
    "find",
    "find_weights",
    "gather",
    "heads",
    "plane_words",
    "random_sentences",
    "sentence",
    "three_heads",
    "w_output",
    "write_back",
]
