"""Multiplications a byte: what a model computes, beside what it has to fetch."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Multiplications, the bytes fetched for them, and both written out.

    Attributes
    ----------
    multiplications : int
    n_bytes : float
    equation : str
    """

    multiplications: int
    n_bytes: float
    equation: str

    @property
    def per_byte(self):
        """Multiplications for each byte that is fetched."""
        return self.multiplications / self.n_bytes


def decode(model, n_tokens, n_bytes=2, *, cache_n_bytes=None):
    """Write one token after n others, for one reader: every weight is fetched for it.

    Parameters
    ----------
    model : Configuration
    n_tokens : int
        In the cache, the new one among them.
    n_bytes, cache_n_bytes : float
        Of one number of the weights, and of the cache: the same unless that is given.

    Returns
    -------
    Cost or None
        None where one of the totals that it needs is refused.
    """
    if model.refused:
        return None
    once = matrices(model)
    mixing = sum(layer.multiplications(n_tokens) for layer in model.layers)
    weights = n_bytes * fetched(model)
    cache = model.cache_bytes(n_tokens, cache_n_bytes or n_bytes)
    says = (
        f"({once:,} for the matrices + {mixing:,} for attention) / "
        f"({weights:,} bytes of weights + {cache:,} of cache)"
    )
    return Cost(once + mixing, weights + cache, says)


def prefill(model, n_tokens, n_bytes=2, *, cache_n_bytes=None):
    """Read n tokens at once: every weight is fetched once for all of them.

    The output matrix is used for the last token alone. All experts are fetched.

    Returns
    -------
    Cost or None
    """
    if model.refused or not n_tokens:
        return None
    last = output_matrix(model)
    once = n_tokens * (matrices(model) - last) + last
    mixing = sum(_all_before(layer, n_tokens) for layer in model.layers)
    weights = n_bytes * (
        fetched(model) + model.n_parameters - model.n_active_parameters
    )
    cache = model.cache_bytes(n_tokens, cache_n_bytes or n_bytes)
    says = (
        f"({once:,} for the matrices + {mixing:,} for attention) / "
        f"({weights:,} bytes of weights + {cache:,} of cache)"
    )
    return Cost(once + mixing, weights + cache, says)


def _all_before(layer, n_tokens):
    """Add up the keys that n queries see: 1 + 2 + 3 …, up to the window."""
    full = layer.kept(n_tokens)
    seen = full * (full + 1) // 2 + (n_tokens - full) * full
    return layer.per_key * seen + n_tokens * layer.multiplications(0)


def matrices(model):
    """Count the entries of the matrices that one token is multiplied with."""
    used = (p for p in model.parts if p.matrix)
    return sum(p.used * math.prod(p.shape) for p in used)


def output_matrix(model):
    """Count those of the last one, which makes a score for each token."""
    parts = [p for p in model.around if p.name in ("output", "embedding") and p.matrix]
    return sum(math.prod(p.shape) for p in parts)


def fetched(model):
    """Count the numbers that one token needs: of a table, that is one row."""
    tables = [p for p in model.around if p.name in ("embedding", "positions")]
    rows = sum(math.prod(p.shape) - p.shape[-1] for p in tables if not p.matrix)
    return model.n_active_parameters - rows
