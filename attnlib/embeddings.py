"""Embeddings: ids become rows of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnlib import _checks as check
from attnlib._arrays import arange, as_arrays, as_floats, as_integers, cast, namespace
from attnlib._checks import require
from attnlib._layers import own
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Int
from attnlib.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Embedding:
    """Look tokens up in a table: row i belongs to token i.

    Parameters
    ----------
    table : array, (vocab_size, d_model)
    vocabulary : Vocabulary, optional
        Lets the embedding be called with tokens as well as with ids.

    Examples
    --------
    >>> embedding = Embedding([[1.0, 0.0], [0.5, 2.0]], Vocabulary(["I", "am"]))
    >>> embedding(["am", "I", "am"]).shape
    (3, 2)
    >>> bool((embedding.one_hot([1]) @ embedding.table == embedding([1])).all())
    True
    """

    table: Float[Array, "vocab_size d_model"]
    vocabulary: Vocabulary | None = None

    if TYPE_CHECKING:  # lists work too, which a field alone cannot express

        def __init__(
            self, table: AnyLike, vocabulary: Vocabulary | None = None
        ) -> None: ...

    def __post_init__(self) -> None:
        # Integers become floats now, so that rows and one-hot products agree in dtype.
        dtype, (floats,) = as_floats("Embedding", table=self.table)
        check.weight("Embedding", table=floats)
        table = own(cast(floats, dtype))
        object.__setattr__(self, "table", table)
        vocabulary = self.vocabulary
        if vocabulary is not None:
            rule = "vocabulary must be a Vocabulary with a token for each row of table"
            is_one = isinstance(vocabulary, Vocabulary)
            fits = is_one and len(vocabulary) == table.shape[0]
            require(fits, "Embedding", rule, vocabulary=vocabulary, table=table)

    def __call__(self, ids: Int[ArrayLike[A], "..."]) -> Float[A, "... d_model"]:
        """Return the rows (..., d_model) of ids or tokens of any shape (...)."""
        rows: A = take_rows(*find_ids("Embedding", self, ids))
        return rows

    def one_hot(self, ids: Int[ArrayLike[A], "..."]) -> Float[A, "... vocab_size"]:
        """Turn ids or tokens (...) into rows with a single 1: (..., vocab_size).

        Multiplied by the table, such a row picks out the row of its id.
        """
        table, found = find_ids("Embedding.one_hot", self, ids)
        columns = arange(table, table.shape[0])
        rows: A = cast(found[..., None] == columns, table.dtype)
        return rows

    def __repr__(self) -> str:
        rows, columns = self.table.shape
        return f"Embedding(vocab_size={rows}, d_model={columns}, {self.table.dtype})"


def take_rows(table: Array, ids: Array) -> Any:
    """Return the rows (..., d_model) of ids (...), without checks."""
    xp = namespace(table)
    rows = xp.take(table, xp.reshape(ids, (math.prod(ids.shape),)), axis=0)
    return xp.reshape(rows, (*ids.shape, table.shape[1]))


def find_ids(operation: str, embedding: Embedding, ids: Any) -> tuple[Any, Any]:
    """Return an embedding's table and the ids, or those of tokens, in one library."""
    if _holds_tokens(ids):
        ids = getattr(ids, "tolist", lambda: ids)()
        rule = "tokens need an Embedding with a vocabulary"
        if embedding.vocabulary is None:
            raise ValueError(f"{operation}: {rule}, got {ids!r}")
        try:
            ids = embedding.vocabulary.encode(ids)
        except ValueError as error:
            rule = str(error).removeprefix("Vocabulary.encode")
            raise ValueError(f"{operation}{rule}") from None
    _, (table, ids) = as_arrays(operation, table=embedding.table, ids=ids)
    return table, as_integers(operation, "ids", ids, table.shape[0] - 1)


def _holds_tokens(ids: Any) -> bool:
    if getattr(getattr(ids, "dtype", None), "kind", "") in ("U", "T"):
        return True
    while isinstance(ids, list | tuple) and ids:
        ids = ids[0]
    return isinstance(ids, str)
