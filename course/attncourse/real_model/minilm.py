"""all-MiniLM-L6-v2, put together from attnlib's own encoder layers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attncourse.checks import require
from attncourse.real_model.wordpiece import WordPiece
from attnlib import EncoderLayer, MultiHeadAttention, gelu, layer_norm

N_HEADS, EPS = 12, 1e-12
MOST_TOKENS = 256  # where the published model stops reading, [CLS] and [SEP] included


@dataclass(frozen=True, eq=False)
class MiniLMTrace:
    """What the model computes on the way through a text.

    Parameters
    ----------
    tokens : list of str
    hidden : array, (n_layers + 1, n_tokens, d_model)
        The rows that enter the first layer, then what each layer gives.
    weights : array, (n_layers, n_heads, n_tokens, n_tokens)
    """

    tokens: list[str]
    hidden: np.ndarray
    weights: np.ndarray

    @property
    def embedding(self) -> np.ndarray:
        """The sentence's vector, (d_model,): the mean of the last rows, length 1."""
        mean = self.hidden[-1].mean(axis=0)
        return mean / np.linalg.norm(mean)

    def __repr__(self) -> str:
        n_layers, n_heads, *_ = self.weights.shape
        return f"MiniLMTrace({self.tokens}, n_layers={n_layers}, n_heads={n_heads})"


class MiniLM:
    """An encoder of the BERT family: embeddings, then layers of post-norm attention.

    Parameters
    ----------
    arrays : mapping of str to array
        The weights, named as in the published file; (rows out, rows in), as PyTorch
        keeps them.
    pieces : WordPiece
    n_heads : int
    dtype : dtype
        What to compute in.

    References
    ----------
    Wang et al. (2020), MiniLM; Reimers and Gurevych (2019), Sentence-BERT.
    """

    def __init__(
        self,
        arrays: Mapping[str, Any],
        pieces: WordPiece,
        *,
        n_heads: int = N_HEADS,
        dtype: Any = np.float32,
    ) -> None:
        self._arrays, self._dtype, self.pieces = arrays, dtype, pieces
        self.words: Any = self._get("embeddings.word_embeddings.weight")
        self.positions = self._get("embeddings.position_embeddings.weight")
        # Every text is a first sentence: its kind's embedding is added throughout.
        self.kind = self._get("embeddings.token_type_embeddings.weight")[0]
        self.norm = self._pair("embeddings.LayerNorm")
        names = (n.split(".") for n in arrays if n.startswith("encoder.layer."))
        n_layers = 1 + max((int(name[2]) for name in names), default=-1)
        require(n_layers > 0, "MiniLM", "there must be a layer", n_layers=n_layers)
        places = [f"encoder.layer.{i}" for i in range(n_layers)]
        self.layers = [self._layer(place, n_heads) for place in places]

    def _get(self, name: str) -> np.ndarray:
        rule = f"the weights must include {name}"
        require(name in self._arrays, "MiniLM", rule, arrays=len(self._arrays))
        return np.asarray(self._arrays[name], self._dtype)

    def _pair(self, place: str) -> tuple[np.ndarray, np.ndarray]:
        """Give a weight and a bias. PyTorch keeps w transposed: here it is x @ w."""
        return self._get(f"{place}.weight").T, self._get(f"{place}.bias")

    def _layer(self, place: str, n_heads: int) -> EncoderLayer:
        inner = [f"{place}.attention.self.{n}" for n in ("query", "key", "value")]
        pairs = map(self._pair, [*inner, f"{place}.attention.output.dense"])
        weights, biases = zip(*pairs, strict=True)
        names = ("b_query", "b_key", "b_value", "b_output")
        biases = dict(zip(names, biases, strict=True))
        attention = MultiHeadAttention(*weights, n_heads=n_heads, **biases)
        network = (
            *self._pair(f"{place}.intermediate.dense"),
            *self._pair(f"{place}.output.dense"),
        )
        norms = (
            *self._pair(f"{place}.attention.output.LayerNorm"),
            *self._pair(f"{place}.output.LayerNorm"),
        )
        return EncoderLayer(attention, *network, *norms, activation=gelu, eps=EPS)

    def read(self, text: str) -> list[str]:
        """Cut a text into tokens, and leave out what is past the 256th.

        The last one read is [SEP], also of a text that is cut off.
        """
        *tokens, stop = self.pieces.tokenize(text)
        return [*tokens[: min(MOST_TOKENS, len(self.positions)) - 1], stop]

    def embed(self, tokens: Sequence[str], *, with_positions: bool = True) -> Any:
        """Give the rows that enter the first layer, (n_tokens, d_model)."""
        rule = f"there must be at most {len(self.positions)} tokens"
        n_tokens = len(tokens)
        require(n_tokens <= len(self.positions), "MiniLM", rule, n_tokens=n_tokens)
        rows = self.words[self.pieces.ids(tokens)] + self.kind
        if with_positions:
            rows = rows + self.positions[:n_tokens]
        return layer_norm(rows, *self.norm, eps=EPS)

    def __call__(
        self,
        text: str,
        *,
        masks: Mapping[int, Any] | None = None,
        with_positions: bool = True,
    ) -> MiniLMTrace:
        """Run the model on a text.

        Parameters
        ----------
        text : str
            Longer than 256 tokens, it is cut off there.
        masks : mapping of int to array, (n_heads, n_tokens, n_tokens), optional
            For some layers, counted from 0, which query may attend to which key: cut
            a connection by a False.
        with_positions : bool
            False leaves out the position embeddings.
        """
        tokens, masks = self.read(text), masks or {}
        hidden, weights = [self.embed(tokens, with_positions=with_positions)], []
        for i, layer in enumerate(self.layers):
            x, mask = hidden[-1], masks.get(i)
            weights.append(layer.attention.weights(x, mask=mask))
            hidden.append(layer(x, mask=mask))
        return MiniLMTrace(tokens, np.array(hidden), np.array(weights))

    def __repr__(self) -> str:
        attention = self.layers[0].attention
        return f"MiniLM(n_layers={len(self.layers)}, attention={attention})"
