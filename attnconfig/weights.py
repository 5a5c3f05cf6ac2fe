"""Weights of a part, the memory of earlier tokens, and the cost of a query."""

import math
from dataclasses import dataclass

# Bytes of one number, by the format's name in a file.
FORMATS = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True)
class Weight:
    """Arrays of one shape that are learned."""

    name: str
    shape: tuple[int, ...]
    copies: int = 1  # how many there are, as with experts
    used: int = 1  # how many of them one token goes through
    matrix: bool = False  # whether a token's numbers are multiplied with it
    table: bool = False  # whether a token uses one row of it, as of an embedding

    @property
    def parameters(self) -> int:
        """How many numbers are stored."""
        return self.copies * math.prod(self.shape)

    @property
    def active(self) -> int:
        """How many of them one token uses."""
        return self.used * math.prod(self.shape[1:] if self.table else self.shape)

    @property
    def equation(self) -> str:
        """The product, written out."""
        factors = (self.copies, *self.shape) if self.copies > 1 else self.shape
        return f"{self.name}: {product(factors)} = {self.parameters:,}"


def product(factors: tuple[int, ...]) -> str:
    """Write a product out."""
    return " × ".join(f"{factor:,}" for factor in factors)


def matrix(
    name: str,
    rows: int,
    columns: int,
    bias: bool = False,
    *,
    copies: int = 1,
    used: int = 1,
) -> list[Weight]:
    """List a matrix used as ``x @ w``, and its bias if it has one."""
    found = [Weight(name, (rows, columns), copies, used, matrix=True)]
    return [*found, Weight(f"b of {name}", (columns,), copies, used)] if bias else found


@dataclass(frozen=True)
class Rows:
    """How many rows n tokens leave."""

    most: int | None = None  # no more than these: a window
    per: int = 1  # tokens that are folded into one row
    rest: bool = False  # count the tokens that are not folded yet, in place of the rows

    def count(self, n: int) -> int:
        """Count the rows that n tokens leave."""
        rows = n % self.per if self.rest else n // self.per
        return rows if self.most is None else min(rows, self.most)

    def total(self, n: int) -> int:
        """Add up the rows after 1, 2, … n tokens: what n queries see together."""
        growing = n if self.most is None else min(n, self.per * self.most)
        full, rest = divmod(growing, self.per)
        seen = self.per * full * (full - 1) // 2 + full * (rest + 1)
        return seen + (n - growing) * self.count(n)


EACH = Rows()


@dataclass(frozen=True)
class Kept:
    """An array that is kept while a text is read."""

    name: str
    # of one row, where there are rows; else of a state, however long the text
    shape: tuple[int, ...]
    rows: Rows | None = None  # how many rows there are; None for a state
    dtype: str | None = None  # the format of a state that has its own: "float32"
    # how many of the rows one query reads at most, where others choose them for it
    reads: int | None = None

    @property
    def row(self) -> int:
        """How many numbers a row has, or the state."""
        return math.prod(self.shape)

    def numbers(self, n_tokens: int) -> int:
        """Count the numbers after n tokens."""
        return self.row * (1 if self.rows is None else self.rows.count(n_tokens))

    def each(self, n_bytes: float) -> float:
        """Return the bytes of one number."""
        return n_bytes if self.dtype is None else FORMATS[self.dtype]

    def bytes(self, n_tokens: int, n_bytes: float) -> float:
        """Count the bytes after n tokens."""
        return self.numbers(n_tokens) * self.each(n_bytes)

    def bytes_read(self, n_tokens: int, n_bytes: float) -> float:
        """Count the bytes that one query reads after n tokens."""
        if self.rows is None or self.reads is None:
            return self.bytes(n_tokens, n_bytes)
        read = min(self.rows.count(n_tokens), self.reads)
        return self.row * read * self.each(n_bytes)


@dataclass(frozen=True)
class Work:
    """Multiplications of one query: ``each`` for every row, or once without rows."""

    name: str
    each: int
    rows: Rows | None = None

    def count(self, n_tokens: int) -> int:
        """Count them for the last of n tokens."""
        return self.each * (1 if self.rows is None else self.rows.count(n_tokens))

    def total(self, n_tokens: int) -> int:
        """Count them for all of n tokens."""
        rows = n_tokens if self.rows is None else self.rows.total(n_tokens)
        return self.each * rows


def mix_of_streams(rows: int, streams: int, d: int, scales: int) -> tuple[Weight, ...]:
    """List the weights that mix residual streams."""
    return (
        *matrix("mix of streams", streams * d, rows),
        Weight("base of streams", (rows,)),
        Weight("scale of streams", (scales,)),
    )
