"""The decoder: each row attends to itself and to earlier rows, never to later ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import arange, cast, join, transposed
from attnlib._checks import require
from attnlib._layers import describe, prepare, store_arrays
from attnlib._options import Options, softcap_for
from attnlib._types import A, Array, ArrayLike, Float, Int, Window
from attnlib.attention import attend
from attnlib.cache import KVCache
from attnlib.embeddings import Embedding, find_ids, take_rows
from attnlib.heads import merge_columns
from attnlib.mlp import check_network, random_network, relu, transform
from attnlib.multi_head import MultiHeadAttention, project_heads
from attnlib.norms import divide_by_rms
from attnlib.projections import linear, random_weight
from attnlib.rotary import rotary_angles, rotate
from attnlib.rotary_scaling import check_scaling


@dataclass(frozen=True, eq=False)
class DecoderLayer:
    """Attend to the rows so far, then transform each row: x + step(rms_norm(x)).

    Parameters
    ----------
    attention : MultiHeadAttention
    w_1, b_1, w_2, b_2 : array, (d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)
        The feed-forward network; the biases may be None. Without w_1 and w_2, the
        layer only attends.
    w_gate : array, (d_model, d_ff), optional
        Makes the network gated: without biases, `gated_feed_forward` with w_1 as w_up
        and w_2 as w_down.
    gain_1, gain_2 : array, (d_model,), optional
        The gains of the norms before attention and before the network.
    activation : callable
    eps : float
        The eps of both norms.
    rotary_base : number, optional
        Rotates queries and keys by their positions, as `rotary_embedding` does.
    rotary_scaling : dict, optional
        The `scaling` of `rotary_embedding`.
    softcap : number, optional
        As in `scaled_dot_product_attention`.
    window : pair of int or None, optional
        (left, right): a token sees itself and `left` tokens before it, or all with
        None. It never sees a later one, whatever `right` is.

    Examples
    --------
    >>> import numpy as np
    >>> layer = DecoderLayer.random(12, 3, 48, rng=np.random.default_rng(0))
    >>> layer
    DecoderLayer(d_model=12, n_heads=3, d_ff=48, float64)
    >>> layer(np.ones((2, 5, 12))).shape
    (2, 5, 12)

    References
    ----------
    Radford et al. (2019), Language Models are Unsupervised Multitask Learners, section
    2.3, for norms before the steps. Touvron et al. (2023), LLaMA, section 2.2, for RMS
    norms and rotary positions.
    """

    attention: MultiHeadAttention
    w_1: Float[Array, "d_model d_ff"] | None = None
    b_1: Float[Array, " d_ff"] | None = None
    w_2: Float[Array, "d_ff d_model"] | None = None
    b_2: Float[Array, " d_model"] | None = None
    gain_1: Float[Array, " d_model"] | None = None
    gain_2: Float[Array, " d_model"] | None = None
    _: KW_ONLY
    activation: Callable[[Array], Array] = relu
    eps: float = 1e-5
    w_gate: Float[Array, "d_model d_ff"] | None = None
    rotary_base: float | None = None
    rotary_scaling: Mapping[str, Any] | None = None
    softcap: float | None = None
    window: Window | None = None

    def __post_init__(self) -> None:
        operation = "DecoderLayer"
        check.kind(operation, "attention", MultiHeadAttention, self.attention)
        store_arrays(self)
        names = ("w_1", "b_1", "w_2", "b_2", "w_gate")
        if given := [name for name in names if getattr(self, name) is not None]:
            rule = "w_1 and w_2 must both be given, or no part of the network"
            require({"w_1", "w_2"} <= {*given}, operation, rule, parts=given)
            check_network(operation, self)
        norms = {"gain_1": self.gain_1, "gain_2": self.gain_2}
        check.shape(operation, (self.d_model,), **norms)
        check.eps(operation, self.eps)
        if self.rotary_base is not None:
            check.number(operation, "rotary_base", self.rotary_base, positive=True)
            d_k = self.attention.d_k
            rule = "rotary positions need an even d_k"
            require(d_k % 2 == 0, operation, rule, d_k=d_k)
            scaling = check_scaling(operation, self.rotary_scaling, d_k)
            object.__setattr__(self, "rotary_scaling", scaling)
        rule = "rotary_scaling needs a rotary_base"
        needed = self.rotary_scaling is not None and self.rotary_base is None
        require(not needed, operation, rule, rotary_base=self.rotary_base)
        if self.softcap is not None:
            check.number(operation, "softcap", self.softcap, positive=True)
        if self.window is not None:
            check.window(operation, self.window)

    @classmethod
    def random(
        cls,
        d_model: int,
        n_heads: int,
        d_ff: int,
        *,
        n_kv_heads: int | None = None,
        d_k: int | None = None,
        rng: np.random.Generator,
        **options: Any,
    ) -> DecoderLayer:
        """Draw weights as `EncoderLayer.random` does; options go to the constructor."""
        operation = "DecoderLayer.random"
        check.layer_sizes(operation, d_model, n_heads, d_ff, rng, d_k)
        attention = MultiHeadAttention.random(
            d_model, n_heads, n_kv_heads=n_kv_heads, d_k=d_k, rng=rng
        )
        w_1, b_1, w_2, b_2 = random_network(rng, d_model, d_ff)
        gain_1, gain_2 = np.ones(d_model), np.ones(d_model)
        return cls(attention, w_1, b_1, w_2, b_2, gain_1, gain_2, **options)

    @property
    def d_model(self) -> int:
        """The length of the rows that come in and go out."""
        return self.attention.d_model

    def __call__(
        self,
        x: Float[ArrayLike[A], "... n_tokens d_model"],
        *,
        cache: KVCache | None = None,
    ) -> Float[A, "... n_tokens d_model"]:
        """Let each row of x, (..., n_tokens, d_model), see itself and earlier rows.

        A cache holds the keys and values of rows that came before x; those of x are
        appended to it.
        """
        operation = "DecoderLayer"
        layer, dtype, (x,) = prepare(self, operation, x=x)
        check.row_length(operation, self.d_model, x=x)
        rule = "x must have at least one row"
        require(x.shape[-2] > 0, operation, rule, x=x)
        check_caches(operation, [self], None if cache is None else [cache])
        n_before = 0 if cache is None else len(cache)
        positions = arange(x, n_before + x.shape[-2], n_before)
        return cast(decode(layer, x, positions, cache), dtype)

    def __repr__(self) -> str:
        n_heads = self.attention.n_heads
        sizes = {"d_model": self.d_model, "n_heads": n_heads}
        if self.w_1 is not None:
            sizes["d_ff"] = self.w_1.shape[1]
        return describe(self, **sizes)


@dataclass(frozen=True, eq=False)
class Decoder:
    """Score every vocabulary token as the next: embed, decode layer by layer, unembed.

    Parameters
    ----------
    embedding : Embedding
    layers : list of DecoderLayer
        At least one, all with the d_model of the embedding.
    positions : array, (max_tokens, d_model), optional
        A row for each position, added to the embedding: a learned table, or
        `sinusoidal_positional_encoding`. Not needed if the layers are rotary.
    gain : array, (d_model,), optional
        The gain of the RMS norm after the last layer, which applies even without one.
    w_output : array, (d_model, vocab_size), optional
        Turns rows into logits; by default the embedding's table, transposed.
    eps : float
        The eps of that norm.

    Examples
    --------
    >>> import numpy as np
    >>> decoder = Decoder.random(2, 20, 12, 3, 48, rng=np.random.default_rng(0))
    >>> decoder
    Decoder(n_layers=2, vocab_size=20, d_model=12, float64)
    >>> decoder([[3, 1, 4, 1, 5]]).shape
    (1, 5, 20)

    References
    ----------
    Radford et al. (2019), Language Models are Unsupervised Multitask Learners. Press
    and Wolf (2017), Using the Output Embedding, for the shared table.
    """

    embedding: Embedding
    layers: Sequence[DecoderLayer]
    _: KW_ONLY
    positions: Float[Array, "max_tokens d_model"] | None = None
    gain: Float[Array, " d_model"] | None = None
    w_output: Float[Array, "d_model vocab_size"] | None = None
    eps: float = 1e-5

    def __post_init__(self) -> None:
        operation = "Decoder"
        check.kind(operation, "embedding", Embedding, self.embedding)
        layers = check.layers(operation, DecoderLayer, self.layers)
        object.__setattr__(self, "layers", layers)
        store_arrays(self)
        sizes = {layer.d_model for layer in layers}
        rule = f"layers must have the d_model of the embedding, {self.d_model}"
        require(sizes == {self.d_model}, operation, rule, d_model=sorted(sizes))
        if (table := self.positions) is not None:
            rule = f"positions must have shape (max_tokens, {self.d_model})"
            fits = table.ndim == 2 and tuple(table.shape[1:]) == (self.d_model,)
            fits = fits and table.shape[0] > 0
            require(fits, operation, rule, positions=table)
        check.shape(operation, (self.d_model,), gain=self.gain)
        check.shape(operation, (self.d_model, self.vocab_size), w_output=self.w_output)
        check.eps(operation, self.eps)

    @classmethod
    def random(
        cls,
        n_layers: int,
        vocab_size: int,
        d_model: int,
        n_heads: int,
        d_ff: int,
        *,
        n_kv_heads: int | None = None,
        rotary_base: float = 10_000.0,
        rng: np.random.Generator,
    ) -> Decoder:
        """Draw all weights; positions are rotary, and logits reuse the embedding."""
        operation = "Decoder.random"
        n_layers = check.count(operation, "n_layers", n_layers)
        vocab_size = check.count(operation, "vocab_size", vocab_size)
        check.layer_sizes(operation, d_model, n_heads, d_ff, rng)
        table = random_weight(rng, vocab_size, d_model) * (vocab_size / d_model) ** 0.5
        options: dict[str, Any] = {"n_kv_heads": n_kv_heads, "rotary_base": rotary_base}
        layers = [
            DecoderLayer.random(d_model, n_heads, d_ff, rng=rng, **options)
            for _ in range(n_layers)
        ]
        return cls(Embedding(table), layers, gain=np.ones(d_model))

    @property
    def d_model(self) -> int:
        """The length of the rows between the layers."""
        return self.embedding.table.shape[1]

    @property
    def vocab_size(self) -> int:
        """The number of tokens in the vocabulary."""
        return self.embedding.table.shape[0]

    def __call__(
        self,
        ids: Int[ArrayLike[A], "... n_tokens"],
        *,
        caches: Sequence[KVCache] | None = None,
    ) -> Float[A, "... n_tokens vocab_size"]:
        """Compute the logits of the token that follows each of these ids.

        Parameters
        ----------
        ids : array of int, (..., n_tokens)
            With caches, those that follow the ids of earlier calls. If the embedding
            has a vocabulary, tokens work too.
        caches : list of KVCache, optional
            One for each layer; the keys and values of these ids are appended.

        Returns
        -------
        array, (..., n_tokens, vocab_size)
        """
        operation = "Decoder"
        table, found = find_ids(operation, self.embedding, ids)
        rule = "ids must have shape (..., n_tokens) with at least one token"
        require(found.ndim > 0 and found.shape[-1] > 0, operation, rule, ids=found)
        model, dtype, (table,) = prepare(self, operation, table=table)
        found = join(operation, found, table)
        check_caches(operation, self.layers, caches)
        n_before = 0 if caches is None else len(caches[0])
        n_tokens = n_before + found.shape[-1]
        positions = arange(table, n_tokens, n_before)
        x = take_rows(table, found)
        if model.positions is not None:
            n_rows = model.positions.shape[0]
            rule = f"positions has {n_rows} rows"
            require(n_tokens <= n_rows, operation, rule, n_tokens=n_tokens)
            x = x + take_rows(model.positions, positions)
        for i, layer in enumerate(model.layers):
            cache = None if caches is None else caches[i]
            x = decode(layer, x, positions, cache)
        x = divide_by_rms(x, model.gain, model.eps)
        w_output = transposed(table) if model.w_output is None else model.w_output
        logits: A = cast(x @ w_output, dtype)
        return logits

    def __repr__(self) -> str:
        sizes = {"vocab_size": self.vocab_size, "d_model": self.d_model}
        return describe(self, n_layers=len(self.layers), **sizes)


def decode(
    layer: DecoderLayer, x: Array, positions: Array, cache: KVCache | None
) -> Any:
    """Do what calling a `DecoderLayer` does, without checks, at given positions."""
    normal = divide_by_rms(x, layer.gain_1, layer.eps)
    query, key, value = project_heads(layer.attention, normal, normal)
    if layer.rotary_base is not None:
        sizes = query.shape[-1], layer.rotary_base, x.dtype
        angles = rotary_angles(positions, *sizes, layer.rotary_scaling)
        query, key = rotate(query, *angles), rotate(key, *angles)
    if cache is not None:
        key, value = cache.append(key, value)
    options = Options(
        scale=layer.attention.d_k**-0.5,
        softcap=softcap_for(query, layer.softcap),
        window=(None if layer.window is None else layer.window[0], 0),
        query_offset=key.shape[-2] - query.shape[-2],
        sinks=layer.attention.head_sinks,
    )
    heads = merge_columns(attend(query, key, value, options))
    x = x + linear(heads, layer.attention.w_output, layer.attention.b_output)
    if layer.w_1 is None:
        return x
    normal = divide_by_rms(x, layer.gain_2, layer.eps)
    return x + transform(layer, normal)


def check_caches(operation: str, layers: Sequence[DecoderLayer], caches: Any) -> None:
    """Check for one cache per layer, used by no other layer, all of one length."""
    if caches is None:
        return
    rule = "caches must be a list with a KVCache for each layer"
    require(isinstance(caches, list | tuple), operation, rule, caches=caches)
    known = all(isinstance(cache, KVCache) for cache in caches)
    require(known and len(caches) == len(layers), operation, rule, caches=caches)
    lengths = [len(cache) for cache in caches]
    rule = "all caches must hold the same number of tokens"
    require(len({*lengths}) == 1, operation, rule, lengths=lengths)
    for layer, cache in zip(layers, caches, strict=True):
        cache.claim(operation, layer)
