"""Memory while serving: what texts need, and what an engine sets aside for them."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from attnconfig.model import Layer, Model, check, whole
from attnconfig.weights import FORMATS, Kept, Rows

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


@dataclass(frozen=True)
class Group:
    """What one layer keeps in equally many rows of one format."""

    name: str
    row: int
    rows: Rows | None
    dtype: str | None

    def told(self, n_layers: int, rows: str, total: float, n_bytes: float) -> str:
        """Write the product out."""
        each = FORMATS[self.dtype] if self.dtype else n_bytes
        size = f"{self.row:,} numbers × {each:g} bytes"
        times = f"{rows} × " if rows else ""
        return f"{n_layers} × {self.name}: {times}{size} = {whole(total):,} bytes"

    def bytes(self, rows: int, n_bytes: float) -> float:
        """Count the bytes of so many rows."""
        return rows * self.row * (FORMATS[self.dtype] if self.dtype else n_bytes)


def groups(layer: Layer) -> Iterator[Group]:
    """Put together what a layer keeps in equally many rows of one format."""
    found: dict[tuple[Rows | None, str | None], list[Kept]] = {}
    for kept in layer.kept:
        found.setdefault((kept.rows, kept.dtype), []).append(kept)
    for (rows, dtype), some in found.items():
        name = " and ".join(kept.name for kept in some)
        yield Group(name, sum(kept.row for kept in some), rows, dtype)


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
    total, lines = 0.0, []
    for group, n in _counted(model):
        rows = group.rows.count(n_tokens) if group.rows else 1
        told = f"{several}{rows:,} {_word(group)}" if group.rows else several[:-3]
        size = n * n_texts * group.bytes(rows, n_bytes)
        lines.append(group.told(n, told, size, n_bytes))
        total += size
    return None if "cache_bytes" in model.refused else Memory(whole(total), lines)


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
    total, lines = 0.0, []
    for group, n in _counted(model):
        told, rows = texts(n_texts), 1
        if group.rows and group.rows.rest:
            rows = group.rows.per
            told += f" × {rows:,} rows"
        elif group.rows:
            folded = f" / {group.rows.per}" if group.rows.per > 1 else ""
            rows = pages * page // group.rows.per
            told += f" × {pages:,} pages × {page} tokens{folded}"
        size = n * n_texts * group.bytes(rows, n_bytes)
        lines.append(group.told(n, told, size, n_bytes))
        total += size
    return None if "cache_bytes" in model.refused else Memory(whole(total), lines)


def texts(n: int) -> str:
    """Write how many texts there are."""
    return "1 text" if n == 1 else f"{n:,} texts"


def _counted(model: Model) -> list[tuple[Group, int]]:
    """List the groups of all layers, with how many layers have each."""
    return list(Counter(x for layer in model.layers for x in groups(layer)).items())


def _word(group: Group) -> str:
    folds = group.rows is not None and (group.rows.per > 1 or group.rows.rest)
    return "rows" if folds else "tokens"
