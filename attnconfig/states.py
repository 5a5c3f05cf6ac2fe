"""Layers that keep a state of fixed size in place of keys: linear attention, Mamba."""

from dataclasses import dataclass

from attnconfig.part import Part
from attnconfig.weights import Kept, Weight, Work, matrix

FLOAT32 = "float32"  # what transformers 5.23 keeps states in, whatever the weights are


@dataclass(frozen=True)
class State(Part):
    """What all of them share: a state is decayed, written to and read."""

    def work(self) -> list[Work]:
        """Count three multiplications for each number of the state."""
        states = (kept for kept in self.kept() if kept.name == "state")
        return [Work("state", 3 * kept.row) for kept in states]


@dataclass(frozen=True)
class Delta(State):
    """Gated DeltaNet, as Qwen3-Next has it."""

    title = "Gated DeltaNet"
    key_heads: int
    value_heads: int
    d_k: int
    d_v: int
    kernel: int
    state_dtype: str = FLOAT32

    @property
    def mixed(self) -> int:
        """How many columns go through the convolution."""
        return 2 * self.key_heads * self.d_k + self.value_heads * self.d_v

    def weights(self, d: int) -> list[Weight]:
        """List projections, convolution, decay and norm."""
        values = self.value_heads * self.d_v
        return [
            *matrix("queries, keys, values", d, self.mixed),
            *matrix("gate of the output", d, values),
            *matrix("decay and step", d, 2 * self.value_heads),
            Weight("short convolution", (self.mixed, self.kernel)),
            Weight("decay", (2, self.value_heads)),
            Weight("norm of a head", (self.d_v,)),
            *matrix("W^O", values, d),
        ]

    def kept(self) -> list[Kept]:
        """List the state and the convolution's last tokens."""
        shape = (self.value_heads, self.d_k, self.d_v)
        return remembered(shape, self.mixed, self.kernel, self.state_dtype)


@dataclass(frozen=True)
class KimiDelta(State):
    """Kimi Delta Attention (KDA): a decay for each channel.

    ``narrow``: whether its gates are made by way of d_k numbers, as Kimi Linear has it.
    """

    title = "Kimi Delta Attention"
    heads: int
    d_k: int
    kernel: int
    narrow: bool = True

    def weights(self, d: int) -> list[Weight]:
        """List projections, convolution, decay, gates and norm."""
        wide = self.heads * self.d_k
        gates = matrix("gates", d, 2 * wide)
        if self.narrow:
            gates = matrix("gates, down", d, 2 * self.d_k)
            gates += matrix("gates, up", self.d_k, 2 * wide)
        return [
            *matrix("queries, keys, values", d, 3 * wide),
            Weight("short convolution", (3 * wide, self.kernel)),
            Weight("decay of channels", (wide,)),
            Weight("decay", (self.heads,)),
            *gates,
            *matrix("step", d, self.heads),
            Weight("norm of a head", (self.d_k,)),
            *matrix("W^O", wide, d),
        ]

    def kept(self) -> list[Kept]:
        """List the state and the convolution's last tokens."""
        shape = (self.heads, self.d_k, self.d_k)
        return remembered(shape, 3 * self.heads * self.d_k, self.kernel)


@dataclass(frozen=True)
class Lightning(State):
    """Lightning attention, as MiniMax-01 has it; its state is kept like keys."""

    title = "lightning attention"
    heads: int
    d_k: int

    def weights(self, d: int) -> list[Weight]:
        """List projections, gate and norm."""
        wide = self.heads * self.d_k
        return [
            *matrix("queries, keys, values", d, 3 * wide),
            *matrix("gate of the output", d, wide),
            Weight("norm of the heads", (wide,)),
            *matrix("W^O", wide, d),
        ]

    def kept(self) -> list[Kept]:
        """List the state of each head."""
        return [Kept("state", (self.heads, self.d_k, self.d_k))]


@dataclass(frozen=True)
class Mamba1(State):
    """Mamba (Gu and Dao, 2023); ``norms``: of step, B and C, as Jamba has them."""

    title = "Mamba"
    inner: int
    state: int
    kernel: int
    rank: int
    conv_bias: bool = True
    bias: bool = False
    norms: bool = False

    def weights(self, d: int) -> list[Weight]:
        """List projections, convolution, step and decay."""
        i, n = self.inner, self.state
        found = [
            *matrix("in", d, 2 * i, self.bias),
            *convolution(i, self.kernel, self.conv_bias),
            *matrix("step, B and C", i, self.rank + 2 * n),
            *matrix("step", self.rank, i, True),
            Weight("A", (i, n)),
            Weight("D", (i,)),
            *matrix("out", i, d, self.bias),
        ]
        norms = Weight("norms of step, B and C", (self.rank + 2 * n,))
        return [*found, norms] if self.norms else found

    def kept(self) -> list[Kept]:
        """List the state and the convolution's last tokens."""
        return remembered((self.inner, self.state), self.inner, self.kernel)


@dataclass(frozen=True)
class Mamba2(State):
    """Mamba-2 (Dao and Gu, 2024)."""

    title = "Mamba-2"
    heads: int
    d_head: int
    groups: int
    state: int
    kernel: int
    conv_bias: bool = True
    bias: bool = False
    norm: bool = True
    state_dtype: str = FLOAT32

    @property
    def mixed(self) -> int:
        """How many columns go through the convolution."""
        return self.heads * self.d_head + 2 * self.groups * self.state

    def weights(self, d: int) -> list[Weight]:
        """List projections, convolution, decay and norm."""
        inner = self.heads * self.d_head
        norm = [Weight("norm", (inner,))] if self.norm else []
        return [
            *matrix("in", d, inner + self.mixed + self.heads, self.bias),
            *convolution(self.mixed, self.kernel, self.conv_bias),
            Weight("A, D and step", (3, self.heads)),
            *norm,
            *matrix("out", inner, d, self.bias),
        ]

    def kept(self) -> list[Kept]:
        """List the state and the convolution's last tokens."""
        shape = (self.heads, self.d_head, self.state)
        return remembered(shape, self.mixed, self.kernel, self.state_dtype)


@dataclass(frozen=True)
class Convolution(Part):
    """LFM2's gated convolution over a few tokens."""

    title = "short convolution"
    kernel: int
    width: int
    bias: bool = False

    def weights(self, d: int) -> list[Weight]:
        """List projections and the convolution."""
        return [
            *matrix("in", d, 3 * d, self.bias),
            *convolution(d, self.kernel, self.bias),
            *matrix("out", d, d, self.bias),
        ]

    def kept(self) -> list[Kept]:
        """List the last tokens."""
        return [Kept("short convolution", (self.width, self.kernel))]


def convolution(columns: int, kernel: int, bias: bool) -> list[Weight]:
    """List the weights of a convolution over the last tokens, one for each column."""
    found = [Weight("short convolution", (columns, kernel))]
    more = Weight("b of short convolution", (columns,))
    return [*found, more] if bias else found


def remembered(
    state: tuple[int, ...], mixed: int, kernel: int, dtype: str = FLOAT32
) -> list[Kept]:
    """List a state, and the last tokens of a convolution over so many columns."""
    convolved = Kept("short convolution", (mixed, kernel))
    return [Kept("state", state, dtype=dtype), convolved]
