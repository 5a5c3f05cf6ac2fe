"""Estimate: say a quantity within a factor, before anything computes it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attnlib import EncoderLayer, KVCache
from named_mistakes.report import Report, show_open, show_right, show_wrong

# Quantities to estimate, each computed from arrays, never written down.
#
# A factor, the code of a mistake that gives it, and what to say of it: a line each.

Factor = tuple[float, str, str]


@dataclass(frozen=True)
class Quantity:
    """Something with a size.

    Parameters
    ----------
    unit : str
    computed : function without arguments
        Gives the size, an integer.
    factors : tuple of (float, str, str)
        By what a guess is off, the code of the mistake, and a sentence about it.
    within : float, above 1
        The factor within which a guess is right: less than that of any mistake.
    """

    unit: str
    computed: Callable[[], int]
    factors: tuple[Factor, ...]
    within: float = 1.25


def score_table() -> int:
    """Bytes of one head's scores, 32,768 queries by as many keys, in float32.

    A row is made, and counted as often as there are queries.
    """
    n_tokens = 32_768
    return n_tokens * np.zeros(n_tokens, np.float32).nbytes


def cache() -> int:
    """Bytes of a cache: 32 layers, 8 key heads of 128, 16 bits, 8,192 tokens."""
    n_layers, rows = 32, np.zeros((8, 1, 128), np.float16)
    layer = KVCache()
    layer.append(rows, rows)
    return n_layers * 8_192 * layer.n_bytes


def encoder_layer() -> int:
    """Numbers in one layer of the paper's base model: d_model 512, d_ff 2,048."""
    layer = EncoderLayer.random(512, 8, 2_048, rng=np.random.default_rng(0))
    own = [x for x in vars(layer).values() if isinstance(x, np.ndarray)]
    heads = [x for x in vars(layer.attention).values() if isinstance(x, np.ndarray)]
    return sum(x.size for x in own + heads)


# What a learner computes who forgets a matrix; the layer, counted, is `encoder_layer`.
NETWORK = 2 * 512 * 2_048
LAYER = NETWORK + 4 * 512**2 + (2_048 + 512) + 4 * 512

OF_BYTES = (
    (8, "bits", "That counts bits. A byte has 8."),
    (1e-3, "wrong-prefix", "A thousand is missing: kilo, mega, giga."),
    (1e3, "wrong-prefix", "A thousand is too much: kilo, mega, giga."),
)
QUANTITIES = {
    "score_table": Quantity(
        "bytes",
        score_table,
        (
            (1 / 4, "counted-numbers", "A float32 number takes 4 bytes."),
            (1 / 2, "two-bytes", "Two bytes a number are float16; this is float32."),
            (2, "eight-bytes", "Eight bytes a number are float64; this is float32."),
            (1 / 32_768, "one-row", "That is one query's row. There are 32,768."),
            *OF_BYTES,
        ),
    ),
    "cache": Quantity(
        "bytes",
        cache,
        (
            (1 / 2, "keys-alone", "A cache holds values as well as keys."),
            (2, "four-bytes", "16 bits are 2 bytes a number."),
            (4, "query-heads", "Only 8 key heads are kept, not the 32 query heads."),
            (1 / 32, "one-layer", "Each of the 32 layers has a cache of its own."),
            (1 / 8, "one-head", "Each of the 8 key heads has rows of its own."),
            *OF_BYTES,
        ),
    ),
    "encoder_layer": Quantity(
        "numbers",
        encoder_layer,
        (
            (1 / 3, "attention-alone", "The network holds two thirds of the numbers."),
            (2 / 3, "matrix-missing", "The network has two matrices, attention four."),
            (
                (NETWORK + 2 * 512**2) / LAYER,
                "matrices-forgotten",
                "Attention has matrices for queries, keys, values and the output.",
            ),
            (
                (NETWORK + 3 * 512**2) / LAYER,
                "matrices-forgotten",
                "Attention has a fourth matrix, for its output.",
            ),
            (4, "bytes", "Numbers were asked for, not bytes."),
            (3.33, "own-matrices", "All heads share one set of four matrices."),
        ),
        within=1.08,
    ),
}


NEAR = 1.2  # up to which factor a guess is still the known one's
ROUNDED = 0.03  # how far off a guess in another unit is still that guess


def estimate(name: str, guess: float, *, within: float | None = None) -> Report:
    """Compare a guess with a quantity that is computed now.

    Parameters
    ----------
    name : str
        One of `QUANTITIES`.
    guess : float, or `...` while there is none
    within : float above 1, optional
        The factor within which a guess is right; if left out, the quantity's own.

    Returns
    -------
    Report
        It says by which factor a guess is off, and what would explain that factor; not
        the quantity, until the guess is right.

    Raises
    ------
    ValueError
        If there is no such quantity, or the factor is not above 1.

    Examples
    --------
    >>> _ = estimate("score_table", 1_000_000_000)
    ✗ score_table: not yet.
      counted-numbers: Too small by a factor of 4.3. A float32 number takes 4 bytes.
    """
    if name not in QUANTITIES:
        raise ValueError(
            f"estimate: name must be one of {', '.join(QUANTITIES)}; got {name!r}"
        )
    quantity = QUANTITIES[name]
    within = quantity.within if within is None else within
    if not within > 1:
        raise ValueError(f"estimate: within must be above 1; got {within}")
    if guess is ...:
        return show_open(name, "Put your estimate where the dots are, then run this.")
    if not isinstance(guess, int | float | np.number) or not 0 < guess < np.inf:
        return show_wrong(
            name, "not-a-size", f"Give a positive number alone, not {guess!r}."
        )
    true = quantity.computed()
    ratio = guess / true
    if 1 / within <= ratio <= within:
        return show_right(name, f"It is {true:,} {quantity.unit}.")
    code, cause = _explained(quantity.factors, ratio)
    if code == "another-size":
        code, cause = _in_prefixed(quantity, guess, true)
    side = "large" if ratio > 1 else "small"
    off = f"Too {side} by a factor of {max(ratio, 1 / ratio):,.2g}."
    return show_wrong(name, code, f"{off} {cause}".strip())


def _in_prefixed(quantity: Quantity, guess: float, true: int) -> tuple[str, str]:
    """Recognize a guess in gigabytes, in megabytes or in kilobytes."""
    for power, prefix in ((3, "giga"), (2, "mega"), (1, "kilo")):
        for base in (1000, 1024):
            if abs(guess * base**power / true - 1) <= ROUNDED:
                unit = quantity.unit
                return "wrong-prefix", f"That is in {prefix}{unit}. Give it in {unit}."
    return "another-size", ""


def _explained(known: tuple[Factor, ...], ratio: float) -> tuple[str, str]:
    """Return code and cause of the known factor that is nearest, if one is near."""
    factor, code, cause = min(known, key=lambda x: abs(np.log(ratio / x[0])))
    near = 1 / NEAR <= ratio / factor <= NEAR
    return (code, cause) if near else ("another-size", "")
