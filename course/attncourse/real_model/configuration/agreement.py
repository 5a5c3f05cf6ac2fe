"""Sizes and lists that have to agree: what cannot be is noted."""

PARAMETERS = ("n_parameters", "n_active_parameters")
MAY_HAVE_NONE = {"every", "shared_always"}  # families that may do without experts


def lists(s, problems):
    """Check the lists with an entry for each layer, and the experts."""
    e = s.experts or {}
    lists = {"no_rope_layers": s.full_where, "mlp_layer_types": e.get("listed_types")}
    lists["no_rope_layers "] = s.without_rotary
    for key, found in lists.items():
        if found and len(found) != s.layers:
            problems.add(
                f"{key.strip()} has {len(found)} entries for {s.layers} layers."
            )
            return False
    if s.full_where == []:
        s.full_where = None
    return _experts(e, problems)


def _experts(e, problems):
    if e and not e.get("n") and not (e["n"] == 0 and e.keys() & MAY_HAVE_NONE):
        problems.add(f"{e['n']} experts to choose from: that cannot be.", PARAMETERS)
    if not e or not e.get("n"):
        return True
    if not e.get("width"):
        problems.add("The width of an expert is not given.", PARAMETERS)
        e["width"] = 1
    if not e.get("used") or e["used"] > e["n"]:
        problems.add(
            f"A token goes through {e.get('used')} of {e['n']} experts "
            "(num_experts_per_tok): that cannot be.",
            ("n_active_parameters",),
        )
    return True


def latent(s, problems):
    """Check the sizes of latent rows."""
    if s.attention != "latent":
        return True
    if s.v_dim is None and s.v_dim_even:
        s.v_dim = s.width // s.heads
    for name in ("kv_rank", "nope_dim", "rope_dim", "v_dim"):
        if getattr(s, name) is None:
            problems.add(f"The size {name} of the latent rows is not given.")
            return False
    return True


def require(s, problems):
    """Note what parameters cannot be counted without; go on with 0."""
    for name in ("vocab", *(("n_positions",) if s.positions == "learned" else ())):
        if getattr(s, name) is None:
            problems.add(f"{name} is not given.", PARAMETERS)
            setattr(s, name, 0)
    if s.needs_window and s.layer_types is None and not s.window:
        problems.add("The window's size is not given.", ("cache_bytes",))
    if s.new_architecture and s.grouped not in (None, s.heads):
        problems.add(
            "new_decoder_architecture: transformers keeps shared heads once for each "
            "head of queries, others keep them once.",
            ("cache_bytes",),
        )
    if s.adjust and None in (s.adjust["if"], s.adjust["multiple"]):
        problems.add("How wide the network is cannot be told.", PARAMETERS)
        s.adjust = None
