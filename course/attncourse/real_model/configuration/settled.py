"""Sizes that follow from others: heads, widths, norms; with what cannot be."""

from attncourse.real_model.configuration.agreement import latent, lists, require
from attncourse.real_model.configuration.settled_states import linear

CACHE_TOO = ("n_parameters", "n_active_parameters", "cache_bytes")
PARAMETERS = CACHE_TOO[:2]
# What a family need not have, and what that means.
ABSENT = (
    *("window", "window_if", "window_from", "full_every", "full_where", "blocks"),
    *("period", "offset", "without_rotary", "rotary_interval", "experts", "linear"),
    *("full_in", "pattern", "one_part", "no_network", "ff_times", "adjust"),
    *("full_unless_listed", "every_other", "v_dim_even", "square", "index_heads"),
    "needs_window",
    *("index_dim", "q_rank", "narrow", "activation_numbers", "norm_first", "parallel"),
    *("multi_query", "new_architecture", "grouped", "parallel_norms", "expansion"),
    *("n_positions", "position_offset", "neighbors", "only_windows_turn", "no_call"),
    *("norm_after", "no_call_if", "scale_lines", "turned_if"),
)
MAY_BE_FALSE = ("window_if", "norm_first")


def settle(s, problems):
    """Fill in the sizes that follow; return whether a model can be built.

    Parameters
    ----------
    s : SimpleNamespace
        The settings; heads of keys, d_k, d_ff and the number of norms are added.
    problems : Problems
    """
    for name in ABSENT:
        if not hasattr(s, name) or (
            getattr(s, name) is False and name not in MAY_BE_FALSE
        ):
            setattr(s, name, None)
    for name in ("width", "layers", "heads"):
        if getattr(s, name) is None:
            problems.add(f"{name} is not given.")
            return False
    if s.layers > 10_000:
        problems.add(f"{s.layers} layers: this is no model that was ever built.")
        return False
    require(s, problems)
    s.d_ff = _feed_forward(s)
    s.norms = _norms(s)
    if s.norm_first is False:
        s.final_norms = 0
    checks = (_heads, lists, latent, linear)
    return all(check(s, problems) for check in checks)


def _heads(s, problems):
    if s.attention == "latent":
        s.d_k, s.n_kv_heads = s.width, 1
        return True
    if s.head_dim in (None, "even") and s.width % s.heads:
        problems.add(f"{s.heads} heads do not divide a width of {s.width}.")
        return False
    s.d_k = s.width // s.heads if s.head_dim in (None, "even") else s.head_dim
    if s.square and s.heads * s.d_k != s.width:
        problems.add(f"head_dim: {s.heads} heads of {s.d_k} are not {s.width} wide.")
        return False
    s.n_kv_heads = _kv_heads(s)
    if s.heads % s.n_kv_heads:
        problems.add(
            f"{s.n_kv_heads} heads of keys (num_key_value_heads) do not divide "
            f"{s.heads} heads of queries."
        )
        return False
    return True


def _kv_heads(s):
    if s.kv_heads == "falcon":
        if s.new_architecture:
            return s.grouped or s.heads
        return 1 if s.multi_query else s.heads
    if s.kv_heads in (None, "all"):
        return 1 if s.multi_query else s.heads
    return s.kv_heads


def _norms(s):
    if s.norms == "falcon":
        if not s.parallel:
            return 2
        return s.parallel_norms or (2 if s.new_architecture else 1)
    return 1 if s.parallel else s.norms


def _feed_forward(s):
    if s.ff:
        return _adjusted(s.ff, s.adjust) if s.adjust else s.ff
    if s.ff_times:
        return s.ff_times * s.width
    return None  # all layers may have experts: `missing_network` looks


def missing_network(s, layers, problems):
    """Note that the width of the network is not given, if any layer needs it."""
    if s.d_ff is None and any(
        part.name == "network: up" for each in layers for part in each.parts
    ):
        problems.add(f"{s.ff_key} is missing.", PARAMETERS)


def _adjusted(ff, rule):
    """Return two thirds, times a factor, rounded up to a multiple: LFM2's width."""
    if not rule["if"]:
        return ff
    ff = 2 * ff // 3
    if rule["times"] is None:
        return ff
    return -(-int(rule["times"] * ff) // rule["multiple"]) * rule["multiple"]
