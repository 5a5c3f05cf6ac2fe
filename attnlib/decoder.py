"""The decoder: a model that scores every token of the vocabulary as the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import as_arrays, cast, device_of, join, namespace
from attnlib._checks import require
from attnlib._layers import describe, prepare, store_arrays
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Int
from attnlib.cache import KVCache
from attnlib.decoder_layer import DecoderLayer, check_caches, decode, token_positions
from attnlib.embeddings import Embedding, find_ids, take_rows
from attnlib.norms import divide_by_rms
from attnlib.projections import random_weight


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
        _check_ends(operation, self)
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
        n_padding: Int[AnyLike, "..."] | None = None,
    ) -> Float[A, "... n_tokens vocab_size"]:
        """Compute the logits of the token that follows each of these ids.

        Parameters
        ----------
        ids : array of int, (..., n_tokens)
            With caches, those that follow the ids of earlier calls. If the embedding
            has a vocabulary, tokens work too.
        caches : list of KVCache, optional
            One for each layer; the keys and values of these ids are appended.
        n_padding : array of int, (...), optional
            How many ids at the start of each sequence are padding, which no token
            attends to and positions leave out. With caches, the same in every call.

        Returns
        -------
        array, (..., n_tokens, vocab_size)

        Raises
        ------
        ValueError
            If an id is not in the vocabulary, there are more tokens than rows of
            `positions`, or the caches are not those of these layers.
        """
        operation = "Decoder"
        table, found = find_ids(operation, self.embedding, ids)
        rule = "ids must have shape (..., n_tokens) with at least one token"
        require(found.ndim > 0 and found.shape[-1] > 0, operation, rule, ids=found)
        model, dtype, (table,) = prepare(self, operation, table=table)
        found = join(operation, found, table)
        check_caches(operation, self.layers, caches)
        n_before = 0 if caches is None else len(caches[0])
        n_keys = n_before + found.shape[-1]
        padding = mask = None
        if n_padding is not None:
            padding = _check_padding(operation, n_padding, found, n_keys)
            mask = _hide_padding(padding, n_keys)
        positions = token_positions(table, n_before, found.shape[-1], padding)
        x = _embed(operation, model, table, found, positions)
        for i, layer in enumerate(model.layers):
            cache = None if caches is None else caches[i]
            x = decode(layer, x, positions, cache, mask)
        x = divide_by_rms(x, model.gain, model.eps)
        w_output = model.w_output
        if w_output is None:
            w_output = namespace(table).matrix_transpose(table)
        logits: A = cast(x @ w_output, dtype)
        return logits

    def __repr__(self) -> str:
        sizes = {"vocab_size": self.vocab_size, "d_model": self.d_model}
        return describe(self, n_layers=len(self.layers), **sizes)


def _embed(
    operation: str, model: Decoder, table: Array, ids: Array, positions: Array
) -> Any:
    """Look up the rows of ids, and add those of their positions, if any."""
    x = take_rows(table, ids)
    if model.positions is None:
        return x
    n_rows, n_tokens = model.positions.shape[0], int(namespace(x).max(positions)) + 1
    rule = f"positions has {n_rows} rows"
    require(n_tokens <= n_rows, operation, rule, n_tokens=n_tokens)
    return x + take_rows(model.positions, positions)


def _hide_padding(n_padding: Array, n_keys: int) -> Any:
    """Return a mask that hides the padding of each sequence: (..., 1, 1, n_keys)."""
    xp = namespace(n_padding)
    keys = xp.arange(n_keys, device=device_of(n_padding))
    return keys >= n_padding[..., None, None, None]


def _check_padding(operation: str, n_padding: Any, ids: Array, n_keys: int) -> Any:
    _, (n_padding,) = as_arrays(operation, n_padding=n_padding)
    n_padding = check.integers(operation, "n_padding", n_padding, n_keys)
    batch = tuple(ids.shape[:-1])
    rule = f"n_padding must broadcast to the batch dimensions of ids, {batch}"
    check.broadcasts_to(operation, n_padding, batch, rule, n_padding=n_padding)
    return join(operation, n_padding, ids)


def _check_ends(operation: str, decoder: Decoder) -> None:
    """Check the arrays used before the first layer and after the last."""
    d_model, vocab_size = decoder.d_model, decoder.vocab_size
    table = decoder.positions
    if table is not None:
        rule = f"positions must have shape (max_tokens, {d_model})"
        fits = table.ndim == 2 and table.shape[0] > 0 and table.shape[1] == d_model
        require(fits, operation, rule, positions=table)
    check.shape(operation, (d_model,), gain=decoder.gain)
    check.shape(operation, (d_model, vocab_size), w_output=decoder.w_output)
