"""The live figure of the page on writing: a decoder that runs in the page."""

import base64

import numpy as np
import traitlets

from attncourse.toys.writer.model import N_HEADS, N_LAYERS
from attncourse.toys.writer.stored import bytes_and_scales
from attncourse.toys.writer.stories import WORDS
from attncourse.toys.writer.writing import read

from ..kit.checks import check_between, check_whole
from ..kit.panel import Panel, View, slider
from . import still
from .written import MOST_ADDED, random_numbers, written

MOST_BACK, N_TRIES, LONGEST = 40, 6, 40
BEGINNING = "a dog ate the food because it was hungry . then the"


class WriterView(View, beside=__file__):
    """The weights as bytes, the numbers that stand for chance, and the controls."""

    packed = traitlets.Unicode().tag(sync=True)
    parts = traitlets.List().tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)
    numbers = traitlets.List().tag(sync=True)
    beginning = traitlets.Unicode().tag(sync=True)
    head = traitlets.Int(2).tag(sync=True)
    added = traitlets.Int().tag(sync=True)
    temperature = traitlets.Float().tag(sync=True)
    top_k = traitlets.Int().tag(sync=True)
    top_p = traitlets.Float().tag(sync=True)
    attempt = traitlets.Int().tag(sync=True)
    back = traitlets.Int().tag(sync=True)


def panel(
    beginning=BEGINNING, added=0, temperature=1.0, top_k=37, top_p=1.0, attempt=1
):
    """Return the live figure of the page on writing.

    Parameters
    ----------
    beginning : str
        Of words that the writer knows, at most 40; names in `attncourse.toys.writer`.
    added : int
        How many words it adds, from 0 to 80.
    temperature : number
        From 0 to 2.
    top_k : int
        From 1 to 37, the number of words it knows.
    top_p : number
        From 0.05 to 1.
    attempt : int
        From 1 to 6: which random numbers choose.

    Returns
    -------
    Panel
        ``compute()`` gives what is `Written`.

    Raises
    ------
    ValueError
        If the beginning has a word that the writer does not know, none or more than 40,
        or a value is not one that its control has.
    """
    _check(beginning, added, temperature, top_k, top_p, attempt)
    numbers = np.array([random_numbers(i + 1) for i in range(N_TRIES)])
    view = WriterView(**_stored(), numbers=numbers.tolist(), beginning=beginning)
    n = len(WORDS)
    controls = {
        "added": slider("Words it adds", added, 0, MOST_ADDED, 1),
        "temperature": slider("Temperature", temperature, 0.0, 2.0, 0.1),
        "top_k": slider("Top-k", top_k, 1, n, 1),
        "top_p": slider("Top-p", top_p, 0.05, 1.0, 0.05),
        "attempt": slider("Attempt", attempt, 1, N_TRIES, 1),
        "back": slider("Steps back", 0, 0, MOST_BACK, 1),
    }

    def compute(**values):
        return written(view.beginning, **values)

    start = {name: control.value for name, control in controls.items()}

    def picture():
        return still.next_word(written(beginning, **start))

    return Panel(
        view,
        controls,
        still=picture,
        compute=compute,
        exact=tuple(name for name in controls if name != "added"),
        folded_as="How it chooses, and whose look is shown",
    ).add_class("aw-many")


def _stored():
    """Return what the page needs to compute: bytes, their shapes and scales, words."""
    arrays, scales = bytes_and_scales()
    parts = [[k, *np.atleast_2d(x).shape, scales[k]] for k, x in arrays.items()]
    joined = b"".join(x.tobytes() for x in arrays.values())
    sizes = {"nLayers": N_LAYERS, "nHeads": N_HEADS}
    packed = base64.b64encode(joined).decode("ascii")
    return {"packed": packed, "parts": parts, "sizes": sizes, "words": list(WORDS)}


def _check(beginning, added, temperature, top_k, top_p, attempt):
    operation = "writer"
    n_words = len(read(beginning))
    if n_words > LONGEST:
        rule = f"beginning must have at most {LONGEST} words"
        raise ValueError(f"{operation}: {rule}, got {n_words}")
    check_whole(operation, "added", added, 0, MOST_ADDED)
    check_between(operation, "temperature", temperature, 0, 2)
    check_whole(operation, "top_k", top_k, 1, len(WORDS))
    check_between(operation, "top_p", top_p, 0.05, 1)
    check_whole(operation, "attempt", attempt, 1, N_TRIES)
