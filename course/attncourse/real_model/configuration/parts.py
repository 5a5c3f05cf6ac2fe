"""The parts of a layer, each with its shape: what is learned."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Arrays of one shape that are learned.

    Attributes
    ----------
    name : str
    shape : tuple of int
    copies : int
        How many there are, as with experts.
    used : int or None
        How many of them one token goes through; None if that is not known.
    matrix : bool
        Whether a token's numbers are multiplied with it.
    """

    name: str
    shape: tuple
    copies: int = 1
    used: int | None = 1
    matrix: bool = False

    @property
    def n_parameters(self):
        """How many numbers are stored."""
        return self.copies * math.prod(self.shape)

    @property
    def n_active_parameters(self):
        """How many of them one token uses, or None."""
        return None if self.used is None else self.used * math.prod(self.shape)

    @property
    def equation(self):
        """The product, written out."""
        factors = (*((self.copies,) if self.copies > 1 else ()), *self.shape)
        return f"{' × '.join(f'{x:,}' for x in factors)} = {self.n_parameters:,}"


def matrix(name, rows, columns, *, bias=False, **experts):
    """Return a matrix used as ``x @ w``, and its bias if it has one."""
    found = [Part(name, (rows, columns), matrix=True, **experts)]
    return [*found, Part(f"b of {name}", (columns,), **experts)] if bias else found


def norm(name, width, numbers):
    """Return the gain of a norm, and its bias, where they are learned."""
    return (
        [Part(name, (numbers, width) if numbers > 1 else (width,))] if numbers else []
    )


def grouped(s, heads, kv_heads, d_k, d_v):
    """List the parts of attention whose heads share keys and values.

    Parameters
    ----------
    s : SimpleNamespace
        The settings.
    heads, kv_heads, d_k, d_v : int
    """
    wide = 2 if s.output_gate == "query" else 1
    found = [
        *matrix("W^Q", s.width, wide * heads * d_k, bias=s.q_bias),
        *matrix("W^K", s.width, kv_heads * d_k, bias=s.kv_bias),
        *matrix("W^V", s.width, kv_heads * d_v, bias=s.kv_bias),
        *matrix("W^O", heads * d_v, s.width, bias=s.o_bias),
        *query_key_norm(s, heads, kv_heads, d_k),
    ]
    return [*found, Part("sinks", (heads,))] if s.sinks else found


def query_key_norm(s, heads, kv_heads, d_k):
    """List the gains of the norms on queries and keys."""
    kind = s.qk_norm
    if isinstance(kind, dict):
        kind = kind["is"] if kind["if"] else False
    if not kind:
        return []
    if kind == "head":
        return [Part("norm of queries", (d_k,)), Part("norm of keys", (d_k,))]
    return [
        Part("norm of queries", (heads, d_k)),
        Part("norm of keys", (kv_heads, d_k)),
    ]


def latent(s):
    """List the parts of attention that keeps one latent row (DeepSeek-V2, sec. 2.1)."""
    heads, d_k = s.heads, s.nope_dim + s.rope_dim
    found = [*_queries_by_way_of(s, heads * d_k)]
    found += matrix("W^DKV", s.width, s.kv_rank + s.rope_dim, bias=s.o_bias)
    found += norm("norm of the latent row", s.kv_rank, 1)
    found += matrix("W^UK and W^UV", s.kv_rank, heads * (s.nope_dim + s.v_dim))
    found += matrix("W^O", heads * s.v_dim, s.width, bias=s.o_bias)
    return [*found, *(_indexer(s) if s.index_dim else ())]


def _queries_by_way_of(s, columns):
    if not s.q_rank:
        return matrix("W^Q", s.width, columns)
    return [
        *matrix("W^DQ", s.width, s.q_rank, bias=s.q_bias),
        *norm("norm of the queries' row", s.q_rank, 1),
        *matrix("W^UQ", s.q_rank, columns),
    ]


def _indexer(s):
    """List what chooses the keys that a query attends to (DeepSeek-V3.2)."""
    return [
        *matrix("indexer's W^Q", s.q_rank, s.index_heads * s.index_dim),
        *matrix("indexer's W^K", s.width, s.index_dim),
        *norm("indexer's norm of keys", s.index_dim, 2),
        *matrix("indexer's weights of heads", s.width, s.index_heads),
    ]


def network(s, width, ff, *, named="network", copies=1, used=1, bias=None):
    """List the matrices of a feed-forward network, or of as many experts."""
    bias, ff = s.mlp_bias if bias is None else bias, ff or 0
    more = {"bias": bias, "copies": copies, "used": used}
    gates = matrix(f"{named}: gate", width, ff, **more) if s.gate else []
    up = matrix(f"{named}: up", width, ff, **more)
    return [*gates, *up, *matrix(f"{named}: down", ff, width, **more)]


def experts(s, e):
    """List a router, the experts it chooses from, and those that all tokens use."""
    found = matrix("router", s.width, e["n"], bias=e.get("router_bias", False))
    if e.get("correction"):
        found += [Part("correction of the router", (e["n"],))]
    sizes = {"copies": e["n"], "used": e["used"], "bias": e.get("bias", False)}
    found += network(s, s.width, e["width"], named="experts", **sizes)
    shared = e.get("shared") or (e.get("shared_count") or 0) * (e.get("width") or 0)
    if shared:
        found += network(s, s.width, shared, named="shared expert")
    return found + (
        matrix("gate of the shared expert", s.width, 1)
        if e.get("shared_gate") and shared
        else []
    )
