"""What a configuration does to the scores: cap and scale, and what no call says."""

from attncourse.real_model.configuration import family


def stated(s, *keys):
    """Return what a file or else its family's class says of attention."""
    silent = family.scores(s.family)
    found = (s.lines[key] if key in s.lines else silent.get(key) for key in keys)
    return next((value for value in found if value is not None), None)


def not_ours(s):
    """Name a line that changes more than a call says; None if none does."""
    lines = _with_nested(s)
    for key in s.no_call_if or ():
        if lines.get(key):
            return f"{key} = {lines[key]} changes more than a call here can say"
    return None


def scale(s, index):
    """Write what scores are multiplied by, as Python; None for 1/√d_k."""
    multiplier = stated(s, "attention_multiplier")
    if multiplier is not None:
        return f"{multiplier}"
    scalar = stated(s, "query_pre_attn_scalar")
    if scalar:
        return f"{scalar} ** -0.5"
    return _stretched(s) if s.attention == "latent" else _written(s, index)


def _written(s, index):
    """Put the lines together that a family multiplies or divides by."""
    lines = _with_nested(s)
    said = {
        key: lines[key] for key in s.scale_lines or () if lines.get(key) is not None
    }
    if said.get("softmax_scale"):
        return f"{said['softmax_scale']}"
    found = "1" if said.get("scale_attn_weights") is False else f"{s.d_k} ** -0.5"
    if said.get("scale_attn_by_inverse_layer_idx"):
        found += f" / {index + 1}"
    if said.get("key_multiplier", 1) != 1:
        found += f" * {said['key_multiplier']}"
    return None if found == f"{s.d_k} ** -0.5" else found


def _with_nested(s):
    return {**s.lines, **(s.lines.get("attn_config") or {})}


def _stretched(s):
    """Return the scale of latent attention where YaRN raises it (DeepSeek-V3)."""
    rope = s.lines.get("rope_parameters") or s.lines.get("rope_scaling") or {}
    times, factor = rope.get("mscale_all_dim"), rope.get("factor") or 1
    if not times or factor <= 1:
        return None
    raised = f"(0.1 * {times} * np.log({factor}) + 1) ** 2"
    return f"{s.nope_dim + s.rope_dim} ** -0.5 * {raised}"
