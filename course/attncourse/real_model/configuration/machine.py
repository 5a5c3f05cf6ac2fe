"""What a layer does beside its sizes: rotation, norms, cap, scale, sinks, experts."""

from attncourse.real_model.configuration import family

LINEAR = ("linear_attention", "conv")
SHARE = "partial_rotary_factor"


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
            "norm_after": bool(s.norm_after),
            "sinks": bool(s.sinks),
            "output_gate": bool(s.output_gate),
            "softcap": _score(s, "attn_logit_softcapping"),
            "scale": _scale(s),
            "chosen": bool(s.index_heads),
            "alibi": s.positions == "alibi" or bool(s.lines.get("alibi")),
            "no_call": s.no_call,
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


def _score(s, key):
    """Return what a file or else its family's class says of the scores."""
    return s.lines[key] if key in s.lines else family.scores(s.family).get(key)


def _scale(s):
    multiplier = _score(s, "attention_multiplier")
    if multiplier is not None:
        return f"{multiplier}"
    scalar = _score(s, "query_pre_attn_scalar")
    return f"{scalar} ** -0.5" if scalar else _stretched(s)


def _stretched(s):
    """Return the scale of latent attention where YaRN raises it (DeepSeek-V3)."""
    rope = s.lines.get("rope_parameters") or s.lines.get("rope_scaling") or {}
    times, factor = rope.get("mscale_all_dim"), rope.get("factor") or 1
    if s.attention != "latent" or not times or factor <= 1:
        return None
    raised = f"(0.1 * {times} * np.log({factor}) + 1) ** 2"
    return f"{s.nope_dim + s.rope_dim} ** -0.5 * {raised}"


def _rotation(s, index, kind):
    """Return base, share of columns, scaling and pairs: the file's, or the family's."""
    if s.positions != "rotary" or _without(s, index, kind):
        return None
    lines, silent = s.lines, _of_kind(family.rope(s.family), kind)
    stated = lines.get("rope_parameters") or lines.get("rope_scaling")
    rope = _of_kind(stated, kind) if isinstance(stated, dict) else silent
    local = lines.get("rope_local_base_freq") if kind == "sliding_attention" else None
    share = rope.get("partial_rotary_factor") or lines.get("partial_rotary_factor")
    bases = (rope, lines, {"rope_theta": lines.get("rotary_emb_base")}, silent)
    stated = [each["rope_theta"] for each in bases if each.get("rope_theta")]
    found = {
        "base": local or next(iter(stated), None),
        "share": share or lines.get("rotary_pct") or silent.get(SHARE),
        "scaling": None if local else _scaling(rope),
        "neighbors": s.neighbors and lines.get("rope_interleave", True),
    }
    return {name: value for name, value in found.items() if value} or {"base": None}


def _scaling(rope):
    """Return what stretches the rotation; its base and share stand elsewhere."""
    if (rope.get("rope_type") or rope.get("type")) in (None, "default"):
        return None
    return {key: rope[key] for key in rope if key not in ("rope_theta", SHARE)}


def _of_kind(rope, kind):
    return rope.get(kind, rope)


def _without(s, index, kind):
    stated = s.without_rotary if s.without_rotary is not None else s.full_where
    if stated:
        return not stated[index]
    if s.only_windows_turn and kind == "full_attention" and s.window:
        return True
    return bool(s.rotary_interval) and (index + 1) % s.rotary_interval == 0
