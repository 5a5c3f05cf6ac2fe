"""States beside attention: DeltaNet, KDA, lightning attention, short convolutions."""

from collections.abc import Callable

from attnconfig.building import Which, dealt_out, stack, way
from attnconfig.noted import Noted, Refusal
from attnconfig.part import FLOAT32, Listed, State, convolution, state
from attnconfig.weights import FORMATS, Kept, Weight, matrix


def state_format(c: Noted, key: str) -> str:
    """Read the format that states are kept in."""
    said = c.get(key, FLOAT32)
    if not isinstance(said, str) or said not in FORMATS:
        c.refuse(f"{key} = {said!r}: a format that is not known here.", "cache_bytes")
        return FLOAT32
    return said


def gated_delta_net(
    c: Noted, heads: tuple[int, int], d_k: int, d_v: int, key: str | None = None
) -> State:
    """List its arrays; ``key``: the line that says in which format states are kept."""
    d, kernel = c.size("hidden_size"), c.size("linear_conv_kernel_dim", 4)
    keys, values = heads[0] * d_k, heads[1] * d_v
    mixed = 2 * keys + values
    learned = (
        *matrix("queries, keys, values", d, mixed),
        *matrix("gate of the output", d, values),
        *matrix("decay and step", d, 2 * heads[1]),
        Weight("short convolution", (mixed, kernel)),
        Weight("decay", (2, heads[1])),
        Weight("norm of a head", (d_v,)),
        *matrix("W^O", values, d),
    )
    dtype, shape = state_format(c, key) if key else FLOAT32, (heads[1], d_k, d_v)
    return state("Gated DeltaNet", learned, shape, mixed, kernel, dtype)


@way
def delta(c: Noted) -> State:
    """Gated DeltaNet, as Qwen3-Next has it."""
    heads = c.size("linear_num_key_heads", 16), c.size("linear_num_value_heads", 32)
    d_k, d_v = c.size("linear_key_head_dim", 128), c.size("linear_value_head_dim", 128)
    return gated_delta_net(c, heads, d_k, d_v, "mamba_ssm_dtype")


@way
def olmos_delta(c: Noted) -> State:
    """As OLMo has it: as many heads as attention."""
    n = c.size("num_attention_heads")
    heads = c.size("linear_num_key_heads", n), c.size("linear_num_value_heads", n)
    d_k = c.size("linear_key_head_dim", int(0.75 * c.size("hidden_size") / heads[0]))
    return gated_delta_net(c, heads, d_k, c.size("linear_value_head_dim", 2 * d_k))


def kimi_delta_attention(
    c: Noted, heads: int, d_k: int, kernel: int, narrow: int | None = None
) -> State:
    """List its arrays: a decay for each channel; gates by way of ``narrow`` numbers."""
    d, wide = c.size("hidden_size"), heads * d_k
    gates = matrix("gates", d, 2 * wide)
    if narrow:
        gates = matrix("gates, down", d, 2 * narrow)
        gates += matrix("gates, up", narrow, 2 * wide)
    learned = (
        *matrix("queries, keys, values", d, 3 * wide),
        Weight("short convolution", (3 * wide, kernel)),
        Weight("decay of channels", (wide,)),
        Weight("decay", (heads,)),
        *gates,
        *matrix("step", d, heads),
        Weight("norm of a head", (d_k,)),
        *matrix("W^O", wide, d),
    )
    shape = (heads, d_k, d_k)
    return state("Kimi Delta Attention", learned, shape, 3 * wide, kernel)


@way
def kimis_delta(c: Noted) -> State:
    """As Kimi Linear has it, whose lines may stand in a nest of their own."""
    inner = c.inside("linear_attn_config")
    heads = inner.size("num_heads", c.size("linear_num_heads", 32))
    d_k = inner.size("head_dim", c.size("linear_head_dim", 128))
    kernel = inner.size("short_conv_kernel_size", c.size("linear_conv_kernel_dim", 4))
    return kimi_delta_attention(c, heads, d_k, kernel, narrow=d_k)


@way
def kimis_full_layers(c: Noted) -> list[bool]:
    """Two lists say it, counted from 1; else one layer in four is attention."""
    inner = c.inside("linear_attn_config")
    full, linear = inner.get("full_attn_layers"), inner.get("kda_layers")
    if full and linear and sorted([*full, *linear]) != [i + 1 for i in stack(c)]:
        raise Refusal("linear_attn_config does not say what each layer is.")
    return [i + 1 in full for i in stack(c)] if full else Which(first=1, step=4)(c)


@way
def lings_delta(c: Noted) -> State:
    """The same, as Ling has it."""
    heads = c.size("linear_num_heads", c.size("num_attention_heads"))
    d_k = c.size("linear_head_dim", c.size("head_dim", 128))
    kernel = c.size("linear_conv_kernel_dim", c.size("short_conv_kernel_size", 4))
    return kimi_delta_attention(c, heads, d_k, kernel)


@way
def lightning(c: Noted) -> State:
    """As MiniMax-01 has it: heads as those of attention, and a state kept like keys."""
    n, d = c.size("num_attention_heads"), c.size("hidden_size")
    d_k = c.maybe("head_dim") or dealt_out(d, n)
    learned = (
        *matrix("queries, keys, values", d, 3 * n * d_k),
        *matrix("gate of the output", d, n * d_k),
        Weight("norm of the heads", (n * d_k,)),
        *matrix("W^O", n * d_k, d),
    )
    return state("lightning attention", learned, (n, d_k, d_k), dtype=None)


@way
def short_convolution(kernel: int) -> Callable[[Noted], Listed]:
    """LFM's gated convolution, over so many tokens where the file is silent."""

    def read(c: Noted) -> Listed:
        length, d = c.size("conv_L_cache", kernel), c.size("hidden_size")
        bias = c.flag("conv_bias")
        learned = (
            *matrix("in", d, 3 * d, bias),
            *convolution(d, length, bias),
            *matrix("out", d, d, bias),
        )
        name = "short convolution"
        return Listed(name, learned, (Kept(name, (d, length)),))

    return read
