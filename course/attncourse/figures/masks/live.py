"""Live figure: change a word, and see which outputs change under a mask."""

from types import SimpleNamespace

import numpy as np
import traitlets

from attncourse import story
from attncourse.story.layers import layers, tidy, two_layers
from attnlib import causal_mask

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, chips, numbers, slider
from . import still

SENTENCE = story.sentence("hungry")
N = len(SENTENCE)
WORDS = tuple(story.WORDS)


class MasksView(View, beside=__file__):
    """The words, the two layers, and who may look at whom; the page computes."""

    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List().tag(sync=True)
    sentence = traitlets.List(traitlets.Int()).tag(sync=True)
    layers = traitlets.List().tag(sync=True)
    network = traitlets.List().tag(sync=True)
    ahead = traitlets.Int().tag(sync=True)
    place = traitlets.Int().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    flipped = traitlets.List(traitlets.Int()).tag(sync=True)


def panel(ahead=N - 1, place=N, word="delicious"):
    """Return the live figure of lesson 9.

    Parameters
    ----------
    ahead : int
        How many words ahead a word may look: from 0, the causal mask, to 4, at all.
    place : int
        Which word of "dog ate food it hungry" is changed, from 1 to 5.
    word : str
        What it is changed to, one of the six words of the story.

    Returns
    -------
    Panel
        ``compute()`` gives the mask as ``allowed`` (5, 5), the ``weights`` (5, 5) of
        layer 2, what the rows hold after it in *alive* and *edible*, ``before`` and
        ``after`` the change, (5, 2), and which words ``changed``, (5,). Cells that were
        clicked are flipped.

    Raises
    ------
    ValueError
        If there is no such place or word, or ``ahead`` is out of range.
    """
    check_whole("masks", "ahead", ahead, 0, N - 1)
    check_whole("masks", "place", place, 1, N)
    if word not in WORDS:
        raise ValueError(f"masks: word must be one of {WORDS}, got {word!r}")
    view = MasksView(
        words=list(WORDS),
        rows=numbers(story.embed(WORDS)),
        sentence=[WORDS.index(one) for one in SENTENCE],
        layers=[[numbers(w) for w in one] for one in layers()],
        network=[numbers(w) for w in tidy()],
    )
    controls = {
        "ahead": slider("Look ahead", ahead, 0, N - 1, 1),
        "place": slider("Position", place, 1, N, 1),
        "word": chips("New word", WORDS, word),
    }

    def compute(ahead, place, word):
        return _compute(ahead, place, word, view.flipped)

    now = compute(ahead, place, word)
    return Panel(
        view,
        controls,
        still=lambda: still.leak(now, _sentence(place, word), SENTENCE[place - 1]),
        compute=compute,
        exact=("place", "word"),
    )


def _sentence(place, word):
    return [*SENTENCE[: place - 1], word, *SENTENCE[place:]]


def _compute(ahead, place, word, flipped):
    allowed = causal_mask(N, query_offset=ahead)
    allowed.flat[list(flipped)] ^= True
    sentences = SENTENCE, _sentence(place, word)
    both = [two_layers(story.embed(words), allowed) for words in sentences]
    read = [story.ALIVE, story.EDIBLE]
    before, after = (rows["network 2"][:, read] for rows, _ in both)
    return SimpleNamespace(
        allowed=allowed,
        weights=both[1][1][1],  # of the changed sentence, in the second layer
        changed=(np.abs(after - before) > 1e-9).any(axis=-1),
        before=before,
        after=after,
    )
