"""DeepSeek-V4: keys folded together, an indexer, and several residual streams."""

from dataclasses import dataclass

from attnconfig.attention import Grouped, Window
from attnconfig.building import decoder, stack, way
from attnconfig.feedforward import Mixture
from attnconfig.heads import Says
from attnconfig.latent import Indexer
from attnconfig.model import Layer, Model
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Listed
from attnconfig.turning import Turn
from attnconfig.weights import Kept, Rows, Weight, Work, matrix, mix_of_streams


@dataclass(frozen=True)
class Compressed(Grouped):
    """One head of keys that are the values too: a window, and folded rows beyond it.

    Attributes
    ----------
    q_rank, groups, out_rank : int
        By way of what queries are made, and the output.
    per : int
        How many tokens are folded into one row; 0: the window alone.
    index : Indexer or None
        What chooses folded rows; then ranges of ``per`` tokens overlap.
    """

    q_rank: int = 0
    groups: int = 1
    out_rank: int = 0
    per: int = 0
    index: Indexer | None = None

    @property
    def name(self) -> str:
        """In the field's own words."""
        size = self.window.size if self.window else 0
        folded = f" + a key for {self.per}" if self.per else ""
        return f"MQA + SWA {size:,} + sinks{folded}{' + indexer' if self.index else ''}"

    @property
    def folded(self) -> list[tuple[str, int]]:
        """What is folded, and how wide a row of it is."""
        found = [("keys", self.d_k)] if self.per else []
        return [*found, ("indexer", self.index.columns)] if self.index else found

    @property
    def overlap(self) -> int:
        """How many ranges a token is in."""
        return 2 if self.index else 1

    def weights(self, d: int) -> list[Weight]:
        """List the projections by way of narrower rows, and what folds."""
        k, n = self.d_k, self.heads
        found = [
            *matrix("W^DQ", d, self.q_rank),
            Weight("norm of queries", (self.q_rank,)),
            *matrix("W^UQ", self.q_rank, n * k),
            *matrix("W^KV", d, k),
            Weight("norm of keys", (k,)),
            *matrix("W^O of groups", n * k // self.groups, self.groups * self.out_rank),
            *matrix("W^O", self.groups * self.out_rank, d),
            Weight("sinks", (n,)),
        ]
        for name, columns in self.folded:
            wide = self.overlap * columns
            found += matrix(f"{name}, folded", d, wide)
            found += matrix(f"gate of {name}", d, wide)
            found += [Weight(f"places of {name}", (self.per, wide))]
            found += [Weight(f"norm of {name}", (columns,))]
        if self.index:
            found += matrix(
                "indexer's W^Q", self.q_rank, self.index.heads * self.index.columns
            )
            found += matrix("indexer's heads", d, self.index.heads)
        return found

    def kept(self) -> list[Kept]:
        """List the window's rows, the folded ones, and the tokens not folded yet."""
        # transformers keeps what the next query sees of the window
        last = Rows((self.window.size if self.window else 1) - 1)
        found = [Kept("keys and values", (self.d_k,), last)]
        found += [] if self.per else [Kept("values", (self.d_k,), last)]
        for name, columns in self.folded:
            rest = Rows(per=self.per, rest=True)
            chosen = self.index.keys if self.index and name == "keys" else None
            rows = Rows(per=self.per)
            found.append(Kept(f"folded {name}", (columns,), rows, reads=chosen))
            wide = (2, self.overlap * columns)
            found.append(Kept(f"{name} not folded yet", wide, rest))
            if self.index:
                found.append(Kept(f"overlap of {name}", (self.per, 2, columns)))
        return found

    def work(self) -> list[Work]:
        """Count the keys of the window, the folded ones, and the indexer's."""
        each = 2 * self.heads * self.d_k
        found = [Work("keys", each, self.rows)]
        if self.per:
            most = self.index.keys if self.index else None
            found.append(Work("folded keys", each, Rows(most, self.per)))
        if self.index:
            look = self.index.heads * self.index.columns
            found.append(Work("indexer", look, Rows(per=self.per)))
        return found


@way
def deepseek_v4(c: Noted) -> Model:
    """Layers with a window alone, or with a row beyond it for 4 or 128 tokens."""
    d, streams = c.size("hidden_size"), c.size("hc_mult", 4)
    mix = mix_of_streams((2 + streams) * streams, streams, d, 3)
    network = Mixture(256, 6, shared=Says("n_shared_experts", 1)).one(c)
    layers = [
        Layer(RMS, RMS, mixer, Listed("streams", mix * 2), network)
        for mixer in _mixers(c, c.size("head_dim", 512))
    ]
    return decoder(c, layers, around=mix_of_streams(streams, streams, d, 1))


def _mixers(c: Noted, d_k: int) -> list[Compressed]:
    """Read the attention of each layer."""
    said, n = c.get("compress_ratios"), len(stack(c))
    if not isinstance(said, list) or len(said) < n or set(said) - {0, 4, 128}:
        raise Refusal("compress_ratios does not say 0, 4 or 128 for each layer.")
    share = c.size("qk_rope_head_dim", 64) / d_k
    far = Turn(160_000.0, share, key="compress_rope_theta").read(c, d_k)
    base = c.number("rope_theta", 10_000.0)
    near = Turn(base, share).read(Noted({}), d_k)
    index = Indexer(
        c.size("index_n_heads", 64),
        c.size("index_head_dim", 128),
        c.size("index_topk", 512),
    )
    return [
        Compressed(
            c.size("num_attention_heads"),
            1,
            d_k,
            rope=far if per else near,
            window=Window(c.size("sliding_window", 128)),
            sinks=True,
            qk_norm="plain",
            q_rank=c.size("q_lora_rank", 1024),
            groups=c.size("o_groups", 8),
            out_rank=c.size("o_lora_rank", 1024),
            per=per,
            index=index if per == 4 else None,
            not_said=_beyond(per),
        )
        for per in said[:n]
    ]


def _beyond(per: int) -> str:
    said = "keys are the values too, and turn with them"
    return f"{said}; beyond the window, {per} tokens are one row" if per else said
