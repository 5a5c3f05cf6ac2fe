"""The layers of a model, one by one, from its settings."""

import math
from dataclasses import dataclass, field

from attncourse.real_model.configuration import machine, parts, recurrent
from attncourse.real_model.configuration.kinds import CHUNK, WINDOW, has_experts


@dataclass(frozen=True)
class Layer:
    """One layer: what it learns, and what it keeps of the tokens before.

    Attributes
    ----------
    index : int
    kind : str
        "full_attention", "sliding_attention", "chunked_attention", "latent_attention",
        "linear_attention", "conv", or "network" for a layer without attention.
    parts : tuple of Part
    heads, kv_heads, d_k, d_v : int or None
    window : int or None
        How many tokens it keeps at most.
    row : int
        How many numbers it keeps for each token.
    per_key : int
        How many multiplications one query takes for each key that it sees.
    features : dict
        "rotation" (base, columns, scaling), "qk_norm", "sinks", "output_gate",
        "softcap", "scale", "experts", "eps" of its norms: those that the layer has.
    state : dict of str to tuple of int
        What it keeps however many tokens there were.
    """

    index: int
    kind: str
    parts: tuple
    heads: int | None = None
    kv_heads: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    window: int | None = None
    row: int = 0
    per_key: int = 0
    features: dict = field(default_factory=dict)
    state: dict = field(default_factory=dict)

    def kept(self, n_tokens):
        """Count the tokens whose rows it keeps."""
        return min(n_tokens, self.window) if self.window else n_tokens

    def cache_numbers(self, n_tokens):
        """Count the numbers that it keeps after n tokens."""
        constant = sum(math.prod(shape) for shape in self.state.values())
        return self.kept(n_tokens) * self.row + constant

    def multiplications(self, n_tokens):
        """Count those of the mixing, for one token after n - 1 others.

        A state is decayed, written to and read: three for each of its numbers.
        """
        recurrent = sum(3 * math.prod(shape) for shape in self.state.values())
        return self.kept(n_tokens) * self.per_key + recurrent


def layer(s, index, kind):
    """Build one layer of a model with the settings s."""
    follows = (*_norms(s, s.norms), *_network(s, index, kind))
    features = machine.features(s, index, kind, follows)
    if kind in ("moe", "mlp"):
        return Layer(index, "network", follows, features=features)
    mixer, state = (), {}
    if kind in ("linear_attention", "conv", "hybrid"):
        mixer, state = recurrent.KINDS[s.linear["kind"]](s, s.linear)
        follows = (*mixer, *follows)
    if kind in ("linear_attention", "conv"):
        return Layer(index, kind, follows, state=state, features=features)
    if s.attention == "latent":
        return _latent(s, index, follows, features)
    d_k = s.d_k
    mixer = parts.grouped(s, s.heads, s.n_kv_heads, d_k, d_k)
    return Layer(
        index,
        kind,
        (*mixer, *follows),
        *(s.heads, s.n_kv_heads, d_k, d_k),
        window=s.window if kind in (WINDOW, CHUNK) else None,
        row=2 * s.n_kv_heads * d_k,
        per_key=2 * s.heads * d_k,
        features=features,
        state=state,
    )


def _latent(s, index, follows, features):
    """Keep the latent row and the rotated key, as DeepSeek-V2 does, and an index."""
    row = s.kv_rank + s.rope_dim + (s.index_dim or 0)
    sizes = (s.heads, 1, s.nope_dim + s.rope_dim, s.v_dim)
    # W^UK joins the query and W^UV the output, so that each head works on the row.
    per_key = s.heads * (2 * s.kv_rank + s.rope_dim)
    per_key += (s.index_heads or 0) * (s.index_dim or 0)
    more = {"row": row, "per_key": per_key, "features": features}
    mixer = parts.latent(s)
    return Layer(index, "latent_attention", (*mixer, *follows), *sizes, **more)


def _norms(s, n):
    return [part for _ in range(n) for part in parts.norm("norm", s.width, s.norm)]


def _network(s, index, kind):
    if s.no_network or (s.one_part and kind not in ("moe", "mlp")):
        return []
    e = s.experts or {}
    if kind == "moe" or (kind != "mlp" and has_experts(e, index, s.layers)):
        return parts.experts(s, e)
    if e.get("shared_always"):
        return parts.network(s, s.width, e["shared"], named="shared network")
    found = parts.network(s, s.width, s.d_ff)
    extra = s.activation_numbers
    return [*found, parts.Part("activation", (extra,))] if extra else found


def around(s):
    """List the parts before the first layer and after the last."""
    narrow = s.narrow or s.width
    found = [parts.Part("embedding", (s.vocab, narrow), matrix=bool(s.tied))]
    if s.positions == "learned":
        rows = s.n_positions + s.position_offset
        found += [parts.Part("positions", (rows, s.width))]
    if narrow != s.width:
        found += parts.matrix("widening", narrow, s.width)
        found += parts.matrix("narrowing", s.width, narrow)
    found += _norms(s, s.embedding_norms + s.final_norms)
    if not s.tied:
        found += parts.matrix("output", narrow, s.vocab)
    return found + ([parts.Part("b of output", (s.vocab,))] if s.head_bias else [])
