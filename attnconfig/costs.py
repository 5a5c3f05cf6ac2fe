"""Multiplications a byte: what a model computes, beside what it has to fetch."""

from dataclasses import dataclass

from attnconfig.model import Model, check, whole


@dataclass(frozen=True)
class Cost:
    """Multiplications, the bytes fetched for them, and both written out.

    Attributes
    ----------
    multiplications : int
    n_bytes : float
    mixing : int
        Those of the multiplications that are not with matrices.
    equation : str
    """

    multiplications: int
    n_bytes: float
    mixing: int
    equation: str

    @property
    def per_byte(self) -> float:
        """Multiplications for each byte that is fetched."""
        return self.multiplications / self.n_bytes


def decode(
    model: Model,
    n_tokens: int,
    n_bytes: float = 2,
    *,
    cache_n_bytes: float | None = None,
) -> Cost | None:
    """Write one token after n - 1 others, for one reader: all it uses is fetched.

    A query that sees chosen keys costs the choice among all of them, and those keys.

    Parameters
    ----------
    model : Model
    n_tokens : int
        In the cache, the new one among them.
    n_bytes, cache_n_bytes : float
        Of one number of the weights, and of the cache: the same unless that is given.

    Returns
    -------
    Cost or None
        None where one of the totals that it needs is refused.
    """
    check("decode", n_tokens, n_bytes)
    if model.refused:
        return None
    each = n_bytes if cache_n_bytes is None else cache_n_bytes
    mixing = sum(w.count(n_tokens) for layer in model.layers for w in layer.work)
    kept = [kept for layer in model.layers for kept in layer.kept]
    cache = sum(one.bytes_read(n_tokens, each) for one in kept)
    return _cost(matrices(model), mixing, n_bytes * fetched(model), cache)


def prefill(
    model: Model,
    n_tokens: int,
    n_bytes: float = 2,
    *,
    cache_n_bytes: float | None = None,
) -> Cost | None:
    """Read n tokens at once: every weight is fetched once for all of them.

    The output matrix is used for the last token alone. All experts are fetched.

    Returns
    -------
    Cost or None
    """
    check("prefill", n_tokens, n_bytes)
    if model.refused or not n_tokens:
        return None
    last = output_matrix(model)
    once = n_tokens * (matrices(model) - last) + last
    mixing = sum(w.total(n_tokens) for layer in model.layers for w in layer.work)
    each = n_bytes if cache_n_bytes is None else cache_n_bytes
    cache = model.cache_bytes(n_tokens, each) or 0
    return _cost(once, mixing, n_bytes * fetched(model, every=True), cache)


def _cost(once: int, mixing: int, weights: float, cache: float) -> Cost:
    says = (
        f"({once:,} for the matrices + {mixing:,} for attention) / "
        f"({whole(weights):,} bytes of weights + {whole(cache):,} of cache)"
    )
    return Cost(once + mixing, whole(weights + cache), mixing, says)


def matrices(model: Model) -> int:
    """Count the entries of the matrices that one token is multiplied with."""
    return sum(w.active for w in model.weights if w.matrix)


def output_matrix(model: Model) -> int:
    """Count those of the last one, which makes a score for each token."""
    named = ("output", "embedding")
    found = (w for w in model.outside if w.name in named and w.matrix)
    return sum(w.parameters for w in found)


def fetched(model: Model, *, every: bool = False) -> int:
    """Count the numbers that one token needs: of a table, that is one row.

    ``every``: with all experts.
    """
    return sum(
        w.parameters if every and not w.table else w.active for w in model.weights
    )
