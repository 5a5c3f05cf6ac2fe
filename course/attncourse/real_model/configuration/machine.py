"""What a layer does beside its sizes: rotation, norms, cap, scale, sinks, experts."""

from attncourse.real_model.configuration import family, scores

LINEAR = ("linear_attention", "conv")
SHARE = "partial_rotary_factor"
EPS = ("rms_norm_eps", "norm_eps")
STRETCHED = ("rope_parameters", "rope_scaling")
# Families whose class takes nothing from these lines, as transformers 5.23 has them.
NOT_READ = {"gptj": ("rope_theta", *STRETCHED), "gpt_neox": ("rope_theta",)}
BASE_BESIDE_STRETCH = ("apertus",)  # and alone it takes no base


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
            "softcap": scores.stated(s, "attn_logit_softcapping"),
            "scale": scores.scale(s, index),
            "chosen": bool(s.index_heads),
            "alibi": s.positions == "alibi" or bool(s.lines.get("alibi")),
            "eps": _norm(s) and scores.stated(s, *EPS),
            "no_call": s.no_call or scores.not_ours(s),
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
    if isinstance(kind, dict):
        return kind["is"] if kind["if"] else None
    return kind


def _rotation(s, index, kind):
    """Return base, share of columns, scaling and pairs: the file's, or the family's."""
    if s.positions != "rotary" or _without(s, index, kind):
        return None
    lines, silent = _read_of_rope(s), _of_kind(family.rope(s.family), kind)
    said = lines.get("rope_parameters") or lines.get("rope_scaling")
    given = _of_kind(said, kind) if isinstance(said, dict) else {}
    rope = given or silent
    local = lines.get("rope_local_base_freq") if kind == "sliding_attention" else None
    bases = (given, lines, {"rope_theta": lines.get("rotary_emb_base")}, silent)
    if _turns_apart(s, kind, said):
        rope, bases = silent, (silent,)
    stated = [each["rope_theta"] for each in bases if each.get("rope_theta")]
    found = {
        "base": local or next(iter(stated), None),
        "share": _share(s, given, silent),
        "scaling": None if local else _scaling(rope),
        "neighbors": s.neighbors and lines.get("rope_interleave", True),
    }
    return {name: value for name, value in found.items() if value} or {"base": None}


def _read_of_rope(s):
    """Return the lines without those of the rotation that the family doesn't read."""
    unread = NOT_READ.get(s.family, ())
    if s.family in BASE_BESIDE_STRETCH and not any(map(s.lines.get, STRETCHED)):
        unread = ("rope_theta",)
    return {key: s.lines[key] for key in s.lines if key not in unread}


def _turns_apart(s, kind, said):
    """Tell whether a family's windows have a rotation that no line without a kind sets.

    Gemma 3 and OLMo 3 stretch the layers without a window alone.
    """
    with_window = kind == "sliding_attention"
    return with_window and kind in family.rope(s.family) and kind not in (said or {})


def _share(s, rope, silent):
    """Return which share of the columns turns: the file's word before the family's."""
    said = (rope.get(SHARE), s.lines.get(SHARE), _columns(s), s.lines.get("rotary_pct"))
    return next((share for share in said if share), silent.get(SHARE))


def _columns(s):
    """Return the share of the columns that a number of columns is (GPT-J)."""
    if "rotary_dim" not in getattr(s, "inert", ()):
        return None  # a family that does not look at it
    columns = scores.stated(s, "rotary_dim")
    return columns and columns / s.d_k


def _scaling(rope):
    """Return what stretches the rotation; its base and share stand elsewhere."""
    if (rope.get("rope_type") or rope.get("type")) in (None, "default"):
        return None
    return {key: rope[key] for key in rope if key not in ("rope_theta", SHARE)}


def _of_kind(rope, kind):
    return rope.get(kind, rope)


def _without(s, index, kind):
    if s.lines.get("alibi"):
        return True
    if s.turned_if and s.lines.get(s.turned_if) != "rope":
        return True
    stated = s.without_rotary if s.without_rotary is not None else s.full_where
    if stated:
        return not stated[index]
    if s.only_windows_turn and kind == "full_attention" and s.window:
        return True
    return bool(s.rotary_interval) and (index + 1) % s.rotary_interval == 0
