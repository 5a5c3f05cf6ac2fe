"""A decoder: its layers, what stands around them, and the totals."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from numbers import Real

from attnconfig.attention import SoftmaxAttention
from attnconfig.facts import Facts
from attnconfig.keys import Line
from attnconfig.noted import ALL
from attnconfig.part import RMS, Norm, Part, State
from attnconfig.weights import Kept, Weight, Work, matrix, product


@dataclass(frozen=True, init=False)
class Layer:
    """One layer: its parts, in the order of their weights.

    Examples
    --------
    >>> from attnconfig import read
    >>> lines = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2}
    >>> lines |= {"num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 100}
    >>> layer = read(lines | {"num_key_value_heads": 2}).layers[0]
    >>> layer.name
    'GQA, gated network (SwiGLU)'
    >>> layer.facts.kv_heads, layer.facts.scale
    (2, 0.25)
    """

    parts: tuple[Part, ...]

    def __init__(self, *parts: Part | None) -> None:
        object.__setattr__(self, "parts", tuple(part for part in parts if part))

    @property
    def name(self) -> str:
        """Its parts but for the norms, in the field's own words."""
        return ", ".join(p.name for p in self.parts if not isinstance(p, Norm))

    @property
    def kind(self) -> str:
        """What its tokens go through, in one word.

        "full_attention", "sliding_attention", "chunked_attention", "latent_attention",
        "linear_attention" for any state, "conv", "hybrid" for attention beside a state,
        "network" for a layer without either.
        """
        others = (p for p in self.parts if not isinstance(p, SoftmaxAttention))
        states = [p for p in others if p.kept()]
        facts = self.facts
        if facts is None and states:
            return "linear_attention" if isinstance(states[0], State) else "conv"
        if facts is None:
            return "network"
        if states or facts.latent:
            return "hybrid" if states else "latent_attention"
        if facts.chunk:
            return "chunked_attention"
        return "sliding_attention" if facts.window else "full_attention"

    @property
    def attention(self) -> SoftmaxAttention | None:
        """The first softmax attention, or None."""
        found = (part for part in self.parts if isinstance(part, SoftmaxAttention))
        return next(found, None)

    @property
    def facts(self) -> Facts | None:
        """What its attention computes; None for a layer without softmax attention."""
        return found.facts if (found := self.attention) else None

    @property
    def kept(self) -> list[Kept]:
        """What it keeps of the tokens before."""
        return [kept for part in self.parts for kept in part.kept()]

    @property
    def work(self) -> list[Work]:
        """The multiplications of one query, beside those with its matrices."""
        return [work for part in self.parts for work in part.work()]


@dataclass(frozen=True)
class Model:
    """What a configuration says of a decoder, or why that cannot be said.

    Attributes
    ----------
    family : str or None
    layers : tuple of Layer
    width, vocab : int
    tied : bool
        Whether the last matrix is the embedding again.
    final : Norm or None
    narrow : int or None
        How wide the embedding is, where it is narrower than the layers.
    head_bias : bool
    around : tuple of Weight
        What else is learned outside the layers.
    refused : dict of str to str
        For each of "n_parameters", "n_active_parameters" and "cache_bytes" that cannot
        be had, a sentence that names the line it fails for. Empty when all can be had.
    notes : tuple of str
        What the totals leave out, such as layers that guess further tokens.
    unsaid : tuple of str
        Lines that change what attention computes, and that the facts do not tell.
    """

    family: str | None
    layers: tuple[Layer, ...] = ()
    width: int = 0
    vocab: int = 0
    tied: bool = True
    final: Norm | None = RMS
    narrow: int | None = None
    head_bias: bool = False
    around: tuple[Weight, ...] = ()
    refused: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    lines: tuple[Line, ...] = field(default=(), repr=False)

    @property
    def outside(self) -> list[Weight]:
        """What is learned outside the layers: embedding, last norm, output."""
        narrow = self.narrow or self.width
        table = Weight(
            "embedding", (self.vocab, narrow), matrix=self.tied, table=not self.tied
        )
        found = [table, *self.around]
        if narrow != self.width:
            found += matrix("widening", narrow, self.width)
            found += matrix("narrowing", self.width, narrow)
        found += self.final.weights(self.width) if self.final else []
        found += [] if self.tied else matrix("output", narrow, self.vocab)
        bias = Weight("b of output", (self.vocab,))
        return [*found, bias] if self.head_bias else found

    @property
    def weights(self) -> Iterator[Weight]:
        """All that is learned."""
        yield from self.outside if self.layers else []
        for layer in self.layers:
            for part in layer.parts:
                yield from part.weights(self.width)

    @property
    def n_parameters(self) -> int | None:
        """How many numbers are learned and stored, tied ones once; or None."""
        if ALL[0] in self.refused:
            return None
        return sum(weight.parameters for weight in self.weights)

    @property
    def n_active_parameters(self) -> int | None:
        """How many of them one token uses, or None.

        Of experts those that it goes through, of the embedding its row; all of the
        embedding where that is the output matrix too.
        """
        if ALL[1] in self.refused:
            return None
        return sum(weight.active for weight in self.weights)

    def cache_bytes(self, n_tokens: int, n_bytes: float = 2) -> float | None:
        """Count the bytes that one text of n tokens needs in the cache, or None.

        Parameters
        ----------
        n_tokens : int
        n_bytes : float
            Of one number: 2, 1 for eight bits, 0.5 for four. States count in their own
            format.

        Raises
        ------
        ValueError
            If there is no such number of tokens or bytes.
        """
        check("cache_bytes", n_tokens, n_bytes)
        if ALL[2] in self.refused:
            return None
        kept = (kept for layer in self.layers for kept in layer.kept)
        return whole(sum(each.bytes(n_tokens, n_bytes) for each in kept))

    @property
    def equations(self) -> list[str]:
        """Lines such as ``W^Q: 32 × 4,096 × 4,096 = 536,870,912``, one for each array.

        The numbers after the ``=`` add up to ``n_parameters``.
        """
        if self.n_parameters is None:
            return []
        counted = Counter((w.name, w.copies, w.shape) for w in self.weights)
        found = []
        for (name, copies, shape), n in counted.items():
            factors = tuple(x for x in (n, copies) if x > 1) + shape
            total = Weight(name, factors).parameters
            found.append(f"{name}: {product(factors)} = {total:,}")
        return found

    def explain(self) -> list[Line]:
        """Say of each line of the file what it says, and what it changes."""
        return list(self.lines)


def check(name: str, n_tokens: int, n_bytes: float) -> None:
    """Raise an error for a length or a size that cannot be."""
    if isinstance(n_tokens, bool) or not isinstance(n_tokens, int) or n_tokens < 0:
        said = f"n_tokens must be a whole number from 0, got {n_tokens!r}"
        raise ValueError(f"{name}: {said}")
    is_number = isinstance(n_bytes, Real) and not isinstance(n_bytes, bool)
    if not is_number or not n_bytes > 0:
        raise ValueError(f"{name}: n_bytes must be above 0, got {n_bytes!r}")


def whole(total: float) -> float:
    """Return an int where a total is one."""
    return int(total) if total == int(total) else total
