"""Latent attention (MLA), and the indexer that chooses its keys (DSA)."""

from dataclasses import dataclass

from attnconfig.attention import SoftmaxAttention
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix


@dataclass(frozen=True)
class Indexer:
    """What chooses the keys that a query attends to (DeepSeek-V3.2)."""

    heads: int
    columns: int
    keys: int  # how many it lets a query see


@dataclass(frozen=True)
class Latent(SoftmaxAttention):
    """Multi-head latent attention (DeepSeek-V2, section 2.1)."""

    turned: int  # columns of queries and keys that turn; the others stay
    q_rank: int | None = None  # queries are made by way of this many numbers
    bias: bool = False
    index: Indexer | None = None
    index_of: int | None = None  # the earlier layer whose indexer's choice it uses
    gate: int | None = None  # how wide a gate of the output is

    @property
    def rank(self) -> int:
        """How wide the row is that keys and values of all heads are made from."""
        return self.facts.latent or 0

    @property
    def name(self) -> str:
        """In the field's own words."""
        return "MLA" + (" + DSA" if self.index else "")

    def weights(self, d: int) -> list[Weight]:
        """List the projections down and up, and the indexer's."""
        facts = self.facts
        h, v, rank = facts.heads, facts.d_v, self.rank
        found = self._queries(d)
        found += matrix("W^DKV", d, rank + self.turned, self.bias)
        found += [Weight("norm of the latent row", (rank,))]
        found += matrix("W^UK and W^UV", rank, h * (facts.d_k - self.turned + v))
        found += matrix("W^O", h * v, d, self.bias)
        found += matrix("gate of heads", d, self.gate) if self.gate else []
        found += [Weight("sinks", (h,))] if facts.sinks else []
        return found + (self._indexer(d) if self.index_of is None else [])

    def _queries(self, d: int) -> list[Weight]:
        wide = self.facts.heads * self.facts.d_k
        if not self.q_rank:
            return matrix("W^Q", d, wide)
        found = matrix("W^DQ", d, self.q_rank, self.bias)
        norm = Weight("norm of the queries' row", (self.q_rank,))
        return [*found, norm, *matrix("W^UQ", self.q_rank, wide)]

    def _indexer(self, d: int) -> list[Weight]:
        if not self.index:
            return []
        n, columns = self.index.heads, self.index.columns
        return [
            *matrix("indexer's W^Q", self.q_rank or d, n * columns),
            *matrix("indexer's W^K", d, columns),
            Weight("indexer's norm of keys", (2, columns)),
            *matrix("indexer's weights of heads", d, n),
        ]

    def kept(self) -> list[Kept]:
        """List the latent row, the rotated key, and the indexer's key."""
        chosen = self.index.keys if self.index else None
        found = [
            Kept("latent row", (self.rank,), EACH, reads=chosen),
            Kept("rotated key", (self.turned,), EACH, reads=chosen),
        ]
        if self.index and self.index_of is None:
            found.append(Kept("indexer's key", (self.index.columns,), EACH))
        return found

    def work(self) -> list[Work]:
        """Count each head's work on the latent row, of the keys that it sees.

        W^UK joins the query and W^UV the output, so each head works on the row itself.
        """
        each = self.facts.heads * (2 * self.rank + self.turned)
        if not self.index:
            return [Work("keys", each, EACH)]
        found = [Work("chosen keys", each, Rows(self.index.keys))]
        if self.index_of is None:
            look = self.index.heads * self.index.columns
            found.append(Work("indexer", look, EACH))
        return found
