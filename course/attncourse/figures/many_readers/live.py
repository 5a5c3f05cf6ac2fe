"""The live figure of the page on precision and memory: one step for many texts."""

from typing import NamedTuple

import traitlets

from ..kit.panel import Panel, View, choice, slider
from . import still

# Llama 3 8B, counted in lesson 13: weights that a token uses, and its attention.
WEIGHTS, LAYERS, KV_HEADS, D_MODEL, HEAD_DIM = 7_504_658_432, 32, 8, 4096, 128
TEXTS = tuple(2**p for p in range(11))
TOKENS = {f"{2**p:,}": 2**p for p in range(8, 18)}
BITS = (4, 8, 16)


class ManyReadersView(View, beside=__file__):
    """What each control can say, which of it each says now, and the model's sizes."""

    texts = traitlets.Int().tag(sync=True)
    tokens = traitlets.Int().tag(sync=True)
    bits = traitlets.Int().tag(sync=True)
    balance = traitlets.Int().tag(sync=True)
    text_counts = traitlets.List().tag(sync=True)
    token_counts = traitlets.List().tag(sync=True)
    bit_counts = traitlets.List().tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)


class Step(NamedTuple):
    """One new token for each text: bytes read, and multiplications."""

    weights: float
    caches: float
    multiplications: float

    @property
    def per_byte(self):
        """Multiplications for each byte that is read."""
        return self.multiplications / (self.weights + self.caches)


def panel(texts=1, tokens=256, bits=16, balance=150):
    """Return the live figure of the page on precision and memory.

    Parameters
    ----------
    texts : int
        How many texts get their next token together: a power of two up to 1,024.
    tokens : int
        Of each text so far: a power of two from 256 to 131,072.
    bits : int
        Of a number in the cache: 4, 8 or 16. Weights have 16.
    balance : int
        Multiplications that the processor can do while it reads a byte: 10 to 400.

    Returns
    -------
    Panel
        ``compute()`` gives the `Step`.

    Raises
    ------
    ValueError
        If a value is not one of those.
    """
    _check("texts", texts, TEXTS)
    _check("tokens", tokens, tuple(TOKENS.values()))
    _check("bits", bits, BITS)
    _check("balance", balance, range(10, 401))
    label = f"{tokens:,}"
    view = ManyReadersView(
        texts=TEXTS.index(texts),
        tokens=list(TOKENS).index(label),
        bits=BITS.index(bits),
        balance=balance,
        text_counts=list(TEXTS),
        token_counts=list(TOKENS.values()),
        bit_counts=list(BITS),
        sizes={
            "weights": WEIGHTS,
            "layers": LAYERS,
            "kvHeads": KV_HEADS,
            "dModel": D_MODEL,
            "headDim": HEAD_DIM,
        },
    )
    controls = {
        "texts": choice("Batch size", TEXTS, texts),
        "tokens": choice("Tokens of each", list(TOKENS), label),
        "bits": choice("Bits of a cached number", BITS, bits),
        "balance": slider("The chip can do, per byte", balance, 10, 400, 10),
    }
    return Panel(
        view,
        controls,
        still=lambda: still.bars(_compute(texts, label, bits, balance), balance),
        compute=_compute,
    )


def _compute(texts, tokens, bits, balance):
    n_tokens = TOKENS[tokens]
    numbers = 2 * LAYERS * KV_HEADS * HEAD_DIM * n_tokens  # of each cache
    pairs = 2 * LAYERS * D_MODEL * n_tokens  # scores, and values mixed
    return Step(2 * WEIGHTS, texts * numbers * bits / 8, texts * (WEIGHTS + pairs))


def _check(name, value, known):
    if isinstance(value, bool) or value not in known:
        known = f"from {known[0]} to {known[-1]}" if len(known) > 12 else known
        raise ValueError(f"many_readers: {name} must be one of {known}, got {value!r}")
