"""Values of single lines: what ``$key`` stands for, and whether it can be that."""

FLAGS = {
    *("tied", "q_bias", "kv_bias", "o_bias", "mlp_bias", "head_bias", "multi_query"),
    *("window_if", "parallel", "new_architecture", "norm_first", "conv_bias", "bias"),
    *("if", "gate", "sinks", "shared_gate", "router_bias", "correction", "norm_inside"),
    *("inner_norms",),
}
LISTS = {"dense", "listed", "listed_types", "full_where", "without_rotary", "full_in"}
WORDS = {
    *("attention", "kind", "positions", "other", "output_gate", "is", "kinds"),
    *("inert", "fixed", "alias", "nested", "nested_inert", "defaults", "qk_norm"),
}
# A line may say null for these, where a family's default is something else.
NULLABLE = {"kv_heads", "head_dim", "window", "q_rank", "ff", "narrow", *LISTS}
# Zero is a size for these: no shared expert, no dense layer first.
FROM_ZERO = {"n", "first", "offset", "shared", "shared_count", "window_from"}
WORDED = {"kv_heads": ("all", "falcon"), "head_dim": ("even",), "norms": ("falcon",)}
PARAMETERS = ("n_parameters", "n_active_parameters")
ONLY_PARAMETERS = {"ff", "vocab", "tied", "n_positions", "norms", "mlp_bias"}


def affected(trait):
    """List the totals that need a trait."""
    if trait in ONLY_PARAMETERS or trait.startswith("experts"):
        return ("n_active_parameters",) if trait == "experts.used" else PARAMETERS
    return (*PARAMETERS, "cache_bytes")


def resolve(entry, lines, problems, inside=""):
    """Return an entry with each ``$key`` replaced by what the configuration says.

    Parameters
    ----------
    entry : dict
    lines : collections.ChainMap
        What the configuration says, and then the family's defaults.
    problems : Problems
        Gets those values that cannot be.
    inside : str
        Where the entry stands in another.
    """
    found = {}
    for trait, value in entry.items():
        where = f"{inside}{trait}"
        if trait in ("fixed", "alias", "nested", "defaults", "listed") and not inside:
            continue
        if isinstance(value, dict):
            found[trait] = resolve(value, lines, problems, where + ".")
        elif isinstance(value, str) and value.startswith("$"):
            found[trait] = _checked(where, value[1:], lines, problems)
        else:
            found[trait] = value
    return found


def _checked(where, key, lines, problems):
    """Return a line's value, or None with the problem noted."""
    value, trait = lines.get(key), where.rpartition(".")[2]
    default = lines.maps[-1].get(key)
    if value is None and not (default is None or trait in NULLABLE):
        problems.add(f"{key} is null: what that means is not known.", affected(where))
        return None
    if value is None or _fits(trait, value):
        return value
    problems.add(f"{key} = {value!r}: {_wanted(where)}.", affected(where))
    return None


def _fits(trait, value):
    if trait in FLAGS:
        return isinstance(value, bool)
    if trait in LISTS:
        kind = str if trait == "listed_types" else int
        return isinstance(value, list) and all(type(x) is kind for x in value)
    if trait in ("rank", "d_head") and value == "auto":
        return True
    if trait == "pattern":
        return isinstance(value, str)
    if trait == "times":
        return type(value) in (int, float) and 0 < value < 100
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return value >= (-1 if trait == "last" else 0 if trait in FROM_ZERO else 1)


def _wanted(where):
    trait = where.rpartition(".")[2]
    kind = (
        "a list, an entry for each layer or the layers' numbers"
        if trait in LISTS
        else "a positive whole number"
    )
    return f"this should be {'true or false' if trait in FLAGS else kind}"
