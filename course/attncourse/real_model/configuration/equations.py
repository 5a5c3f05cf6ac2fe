"""Totals written out: equal layers together, each with its product."""

from collections import Counter


def parameters(model):
    """Return lines such as ``32 × W^Q: 4,096 × 4,096 = 536,870,912``.

    Parameters
    ----------
    model : Configuration

    Returns
    -------
    list of str
        One for each part; the numbers after the ``=`` add up to ``n_parameters``.
    """
    if model.n_parameters is None:
        return []
    counted = Counter((part.name, part.copies, part.shape) for part in model.parts)
    return [
        _product(name, n, copies, shape) for (name, copies, shape), n in counted.items()
    ]


def _product(name, n, copies, shape):
    factors = [n, copies] if copies > 1 else [n]
    factors = [x for x in factors if x > 1] + list(shape)
    total = 1
    for factor in factors:
        total *= factor
    return f"{name}: {' × '.join(f'{x:,}' for x in factors)} = {total:,}"


def cache(model, n_tokens, n_bytes=2):
    """Return lines such as ``32 layers × 8,192 tokens × 2,048 numbers × 2 bytes = …``.

    Parameters
    ----------
    model : Configuration
    n_tokens : int
    n_bytes : float

    Returns
    -------
    list of str
        One for each kind of layer; their numbers add up to ``cache_bytes``.
    """
    if model.cache_bytes(n_tokens, n_bytes) is None:
        return []
    kinds = Counter()
    for layer in model.layers:
        constant = layer.cache_numbers(0)
        kinds[
            layer.kind, layer.kept(n_tokens) if layer.row else 0, layer.row, constant
        ] += 1
    return [
        _rows(kind, kept, row, constant, n, n_bytes)
        for (kind, kept, row, constant), n in kinds.items()
        if row or constant
    ]


def _rows(kind, kept, row, constant, n, n_bytes):
    name = kind.replace("_", " ")
    inside = f"{kept:,} tokens × {row:,} numbers" if row else ""
    if constant:
        inside = (
            f"({inside} + {constant:,})" if row else f"{constant:,} numbers of state"
        )
    total = n * (kept * row + constant) * n_bytes
    return f"{n} × {name}: {inside} × {n_bytes:g} bytes = {total:,.10g}"
