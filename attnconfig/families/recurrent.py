"""States beside attention: DeltaNet, KDA, lightning attention, short convolutions."""

from collections.abc import Callable

from attnconfig.building import CONV, LINEAR, dealt_out, stack, way
from attnconfig.noted import Noted, Refusal
from attnconfig.states import FLOAT32, Convolution, Delta, KimiDelta, Lightning
from attnconfig.turning import FULL, SWA
from attnconfig.weights import FORMATS


def state_format(c: Noted, key: str) -> str:
    """Read the format that states are kept in."""
    said = c.get(key, FLOAT32)
    if not isinstance(said, str) or said not in FORMATS:
        c.refuse(f"{key} = {said!r}: a format that is not known here.", "cache_bytes")
        return FLOAT32
    return said


@way
def delta(c: Noted) -> Delta:
    """Gated DeltaNet, as Qwen3-Next has it."""
    return Delta(
        c.size("linear_num_key_heads", 16),
        c.size("linear_num_value_heads", 32),
        c.size("linear_key_head_dim", 128),
        c.size("linear_value_head_dim", 128),
        c.size("linear_conv_kernel_dim", 4),
        state_format(c, "mamba_ssm_dtype"),
    )


@way
def olmos_delta(c: Noted) -> Delta:
    """As OLMo has it: as many heads as attention."""
    n = c.size("num_attention_heads")
    keys = c.size("linear_num_key_heads", n)
    values = c.size("linear_num_value_heads", n)
    d_k = c.size("linear_key_head_dim", int(0.75 * c.size("hidden_size") / keys))
    d_v = c.size("linear_value_head_dim", 2 * d_k)
    return Delta(keys, values, d_k, d_v, c.size("linear_conv_kernel_dim", 4))


@way
def kimis_delta(c: Noted) -> KimiDelta:
    """Kimi Delta Attention, whose lines may stand in a nest of their own."""
    inner = c.inside("linear_attn_config")
    return KimiDelta(
        inner.size("num_heads", c.size("linear_num_heads", 32)),
        inner.size("head_dim", c.size("linear_head_dim", 128)),
        inner.size("short_conv_kernel_size", c.size("linear_conv_kernel_dim", 4)),
    )


@way
def kimis_kinds(c: Noted, i: int) -> str:
    """Two lists say it, counted from 1; else one layer in four is attention."""
    inner = c.inside("linear_attn_config")
    full, linear = inner.get("full_attn_layers"), inner.get("kda_layers")
    if full and linear and sorted([*full, *linear]) != [i + 1 for i in stack(c)]:
        raise Refusal("linear_attn_config does not say what each layer is.")
    return FULL if (i + 1 in full if full else i and i % 4 == 0) else LINEAR


@way
def lings_delta(c: Noted) -> KimiDelta:
    """The same, as Ling has it."""
    return KimiDelta(
        c.size("linear_num_heads", c.size("num_attention_heads")),
        c.size("linear_head_dim", c.size("head_dim", 128)),
        c.size("linear_conv_kernel_dim", c.size("short_conv_kernel_size", 4)),
        narrow=False,
    )


@way
def minimaxs_kinds(c: Noted, i: int) -> str:
    """A list says which layers have softmax attention; else they take turns."""
    types = c.each("attn_type_list", len(stack(c)))
    is_full = not i % 2 if types is None else types[i] == 1
    return FULL if is_full else LINEAR


@way
def lightning(c: Noted) -> Lightning:
    """Heads as those of attention."""
    n = c.size("num_attention_heads")
    return Lightning(n, c.maybe("head_dim") or dealt_out(c.size("hidden_size"), n))


@way
def convolution(kernel: int) -> Callable[[Noted], Convolution]:
    """LFM's short convolution, over so many tokens where the file is silent."""

    def read(c: Noted) -> Convolution:
        length = c.size("conv_L_cache", kernel)
        return Convolution(length, c.size("hidden_size"), c.flag("conv_bias"))

    return read


@way
def lfm3s_kinds(c: Noted, i: int) -> str:
    """Convolutions, with a window in every fourth layer, and attention two after it."""
    return {2: FULL, 0: SWA}.get(i % 4, CONV) if i else CONV
