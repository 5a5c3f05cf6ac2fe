"""What a layer does beside its sizes: rotation, norms, cap, scale, sinks, experts."""

LINEAR = ("linear_attention", "conv")


def features(s, index, kind, parts):
    """List what one layer has, by name; what it has not is left out.

    Parameters
    ----------
    s : SimpleNamespace
        The settings.
    index : int
    kind : str
    parts : tuple of Part
        Those that follow attention.
    """
    found = {"experts": _experts(s, parts)}
    if kind not in (*LINEAR, "moe", "mlp"):
        found |= {
            "rotation": _rotation(s, index, kind),
            "qk_norm": _norm(s),
            "sinks": bool(s.sinks),
            "output_gate": bool(s.output_gate),
            "softcap": s.lines.get("attn_logit_softcapping"),
            "scale": _scale(s.lines),
        }
    return {name: value for name, value in found.items() if value}


def _experts(s, parts):
    if not any(part.name == "router" for part in parts):
        return None
    e = s.experts
    shared = any(part.name.startswith("shared expert") for part in parts)
    return {"n": e["n"], "used": e["used"], "shared": shared}


def _norm(s):
    kind = s.qk_norm
    return kind["is"] if isinstance(kind, dict) and kind["if"] else kind


def _scale(lines):
    if lines.get("attention_multiplier"):
        return f"{lines['attention_multiplier']}"
    scalar = lines.get("query_pre_attn_scalar")
    return f"{scalar} ** -0.5" if scalar else None


def _rotation(s, index, kind):
    """Return base, share of columns and scaling, as far as the file says them."""
    if s.positions != "rotary" or _without(s, index):
        return None
    lines = s.lines
    rope = lines.get("rope_parameters") or lines.get("rope_scaling") or {}
    rope = rope.get(kind, rope) if isinstance(rope, dict) else {}
    local = lines.get("rope_local_base_freq") if kind == "sliding_attention" else None
    share = rope.get("partial_rotary_factor") or lines.get("partial_rotary_factor")
    kind_of = rope.get("rope_type") or rope.get("type")
    scaled = kind_of not in (None, "default") and not local
    found = {
        "base": local or rope.get("rope_theta") or lines.get("rope_theta"),
        "share": share or lines.get("rotary_pct"),
        "scaling": rope if scaled else None,
    }
    return {name: value for name, value in found.items() if value} or {"base": None}


def _without(s, index):
    stated = s.without_rotary if s.without_rotary is not None else s.full_where
    if stated:
        return not stated[index]
    return bool(s.rotary_interval) and (index + 1) % s.rotary_interval == 0
