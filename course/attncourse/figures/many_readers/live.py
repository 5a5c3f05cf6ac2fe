"""The live figure of the page on precision and memory: one step for many texts."""

from types import SimpleNamespace

from ..kit.controls import Choice, Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import choice
from ..kit.picture import KEY, QUERY, WEIGHTS, panels


def bars(step):
    """Draw the bytes that are read, and the multiplications as bytes read meanwhile."""
    figure, axis = panels(1, 1, size=(6, 1.8))
    names = ["weights read", "caches read", "multiplying"]
    axis.barh(names, [x / 1e9 for x in step.lengths], color=[QUERY, KEY, WEIGHTS])
    axis.invert_yaxis()
    axis.set(xlabel="gigabytes, or as long as reading so many takes")
    return figure


# Llama 3 8B, counted in lesson 13: weights that a token uses, and its attention.
N_WEIGHTS, LAYERS, KV_HEADS, D_MODEL, HEAD_DIM = 7_504_658_432, 32, 8, 4096, 128
TEXTS = tuple(2**p for p in range(11))
TOKENS = {f"{2**p:,}": 2**p for p in range(8, 18)}
WAITS = ("multiplications", "memory")


def _compute(texts, tokens, bits, balance):
    """Return one new token for each text: bytes read, and multiplications.

    Also multiplications for each byte read, bytes for each text, what the chip could
    read while it multiplies, and what it waits for; the three times, in bytes.
    """
    numbers = 2 * LAYERS * KV_HEADS * HEAD_DIM * tokens  # of each cache
    pairs = 2 * LAYERS * D_MODEL * tokens  # scores, and values mixed
    weights, caches = 2 * N_WEIGHTS, texts * numbers * bits / 8
    multiplications = texts * (N_WEIGHTS + pairs)
    per_byte, took = multiplications / (weights + caches), multiplications / balance
    return SimpleNamespace(
        weights=weights,
        caches=caches,
        multiplications=multiplications,
        per_byte=per_byte,
        each=(weights + caches) / texts,
        took=took,
        waits=WAITS[per_byte < balance],
        lengths=(weights, caches, took),
        case="few" if per_byte < 10 else "many",
    )


SAYS = "{per_byte:.%df} multiplications per byte: the step waits for {waits}"
DIGITS = {"few": 1, "many": 0}
panel = Figure(
    __file__,
    controls={
        "texts": Choice("Batch size", 1, TEXTS, look=choice),
        "tokens": Choice("Tokens of each", 256, TOKENS, look=choice),
        "bits": Choice("Bits of a cached number", 16, (4, 8, 16), look=choice),
        "balance": Slider("The chip can do, per byte", 150, 10, 400, 10),
    },
    data=lambda: {
        "parts": ("Read the weights", "Read the caches", "Multiply"),
        "sizes": (N_WEIGHTS, LAYERS, KV_HEADS, D_MODEL, HEAD_DIM),
    },
    compute=_compute,
    still=lambda state, now: bars(now),
    title="One token for each text, and what the step waits for",
    summary={
        case: (SAYS % digits + ".", "{each:G} read for each token.")
        for case, digits in DIGITS.items()
    },
    tables=Table(
        "What is read, and how much could be read while it multiplies",
        "parts",
        Line("bytes", "lengths", "G"),
        upright=False,
    ),
    said={
        case: (SAYS % digits, "{each:G} for each token")
        for case, digits in DIGITS.items()
    },
)
