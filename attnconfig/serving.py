"""Memory while serving: what texts need, and what an engine sets aside for them."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from attnconfig.model import Layer, Model, check, whole
from attnconfig.weights import Kept, Rows

PAGE = 16  # tokens in a page


@dataclass(frozen=True)
class Memory:
    """Bytes, and the lines that add up to them.

    Attributes
    ----------
    n_bytes : int or float
    equations : list of str
    """

    n_bytes: float
    equations: list[str]


def groups(layer: Layer) -> Iterator[Kept]:
    """Put together what a layer keeps in equally many rows of one format."""
    found: dict[tuple[Rows | None, str | None], list[Kept]] = {}
    for kept in layer.kept:
        found.setdefault((kept.rows, kept.dtype), []).append(kept)
    for (rows, dtype), some in found.items():
        name = " and ".join(kept.name for kept in some)
        yield Kept(name, (sum(kept.row for kept in some),), rows, dtype)


def needed(
    model: Model, n_tokens: int, n_texts: int = 1, n_bytes: float = 2
) -> Memory | None:
    """Count what so many texts of n tokens need, or None where that is refused.

    Parameters
    ----------
    model : Model
    n_tokens, n_texts : int
    n_bytes : float
        Of one number; states count in their own format.

    Returns
    -------
    Memory or None

    Examples
    --------
    >>> import attnconfig
    >>> lines = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2}
    >>> lines |= {"num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 100}
    >>> print(*attnconfig.needed(attnconfig.read(lines), 10).equations)
    2 × keys and values: 10 tokens × 128 numbers × 2 bytes = 5,120 bytes
    """
    check("needed", n_tokens, n_bytes)
    several = f"{texts(n_texts)} × " if n_texts > 1 else ""

    def kept(rows: Rows | None) -> tuple[int, str]:
        if rows is None:
            return 1, several[:-3]
        count = rows.count(n_tokens)
        word = "rows" if rows.per > 1 or rows.rest else "tokens"
        return count, f"{several}{count:,} {word}"

    return _memory(model, n_texts, n_bytes, kept)


def reserved(
    model: Model,
    n_tokens: int,
    n_texts: int = 1,
    n_bytes: float = 2,
    page: int = PAGE,
) -> Memory | None:
    """Count what an engine sets aside for so many texts of up to n tokens, or None.

    Each text gets whole pages, and states of its own. There is one pool for all layers:
    those with a window get as many pages as those without.

    Parameters
    ----------
    model : Model
    n_tokens, n_texts : int
    n_bytes : float
    page : int
        Tokens in a page.
    """
    check("reserved", n_tokens, n_bytes)
    pages = math.ceil(n_tokens / page)

    def kept(rows: Rows | None) -> tuple[int, str]:
        if rows is None:
            return 1, texts(n_texts)
        if rows.rest:
            return rows.per, f"{texts(n_texts)} × {rows.per:,} rows"
        folded = f" / {rows.per}" if rows.per > 1 else ""
        told = f"{texts(n_texts)} × {pages:,} pages × {page} tokens{folded}"
        return pages * page // rows.per, told

    return _memory(model, n_texts, n_bytes, kept)


def texts(n: int) -> str:
    """Write how many texts there are."""
    return "1 text" if n == 1 else f"{n:,} texts"


def _memory(
    model: Model,
    n_texts: int,
    n_bytes: float,
    kept: Callable[[Rows | None], tuple[int, str]],
) -> Memory | None:
    """Add up all layers; ``kept``: how many rows a text has, and how to tell it."""
    if "cache_bytes" in model.refused:
        return None
    total, lines = 0.0, []
    counted = Counter(x for layer in model.layers for x in groups(layer))
    for group, n in counted.items():
        rows, told = kept(group.rows)
        size = n * n_texts * rows * group.row * group.each(n_bytes)
        numbers = f"{group.row:,} numbers × {group.each(n_bytes):g} bytes"
        times = f"{told} × " if told else ""
        lines.append(f"{n} × {group.name}: {times}{numbers} = {whole(size):,} bytes")
        total += size
    return Memory(whole(total), lines)
