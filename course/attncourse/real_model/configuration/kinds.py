"""Which layers are full, have a window, keep a state, have experts."""

FULL, WINDOW, CHUNK = "full_attention", "sliding_attention", "chunked_attention"
# Older names that files of hybrids use.
SYNONYMS = {
    "attention": FULL,
    "mamba": "linear_attention",
    "recurrent": "linear_attention",
    "deepseek_sparse_attention": FULL,
    "short_conv": "conv",
    "indexed_attention": FULL,
}
CACHE = ("cache_bytes",)


def layer_kinds(s, problems):
    """List the kind of each layer.

    Parameters
    ----------
    s : SimpleNamespace
        The settings.
    problems : Problems
        What is wrong with the list of the file is added to it.
    """
    if s.layer_types is not None:
        return _stated(s, problems)
    if s.one_part:
        return _from_letters(s, problems)
    found = [_kind(s, i) for i in range(s.layers)]
    if s.window:
        return found
    return [FULL if kind in (WINDOW, CHUNK) else kind for kind in found]


def _stated(s, problems):
    types = s.layer_types
    if not isinstance(types, list) or len(types) != s.layers:
        n = len(types) if isinstance(types, list) else repr(types)
        problems.add(f"layer_types has {n} entries for {s.layers} layers.")
        return None
    found = [SYNONYMS.get(kind, kind) for kind in types]
    for kind in types:
        if kind not in s.kinds and SYNONYMS.get(kind, kind) not in s.kinds:
            problems.add(f"layer_types holds {kind!r}: not known in this family.")
            return None
    if {WINDOW, CHUNK} & set(found) and (not s.window or s.window_if is False):
        problems.add(
            "layer_types has layers with a window, but no size is given.", CACHE
        )
        return None
    if set(found) == {FULL} and s.window and _window_everywhere(s):
        problems.add("layer_types says full, sliding_window says otherwise.", CACHE)
    return found


def _window_everywhere(s):
    if s.window_if and len(s.kinds) == 1:
        return True
    return not (s.full_every or s.full_where is not None or s.window_if is not None)


def _kind(s, i):
    if s.full_in is not None:
        return FULL if i in s.full_in else s.other
    if s.full_unless_listed:
        return FULL
    if s.every_other:
        return s.other
    if s.full_where is not None:
        return s.other if s.full_where[i] else FULL
    if s.rotary_interval and s.other == CHUNK:
        return s.other if (i + 1) % s.rotary_interval else FULL
    if s.period:
        return FULL if i % s.period == (s.offset or 0) else s.other
    if s.full_every:
        return s.other if (i + 1) % s.full_every else FULL
    if s.window_if is not None or s.window_from is not None:
        return s.other if s.window_if and i >= (s.window_from or 0) else FULL
    return s.other


LETTERS = {"M": "linear_attention", "*": FULL, "-": "mlp", "E": "moe"}


def _from_letters(s, problems):
    """Read a pattern such as ``MEM*``, as Nemotron-H writes it."""
    if s.pattern is None:
        problems.add("hybrid_override_pattern is missing: what is each layer?")
        return None
    if len(s.pattern) != s.layers or set(s.pattern) - set(LETTERS):
        said = f"hybrid_override_pattern {s.pattern!r}"
        problems.add(f"{said} does not say what {s.layers} layers are.")
        return None
    return [LETTERS[letter] for letter in s.pattern]


def has_experts(e, i, n_layers):
    """Say whether layer i holds experts.

    Parameters
    ----------
    e : dict
        The family's ``experts``, resolved.
    i, n_layers : int
    """
    if not e or not e.get("n"):
        return False
    if e.get("listed_types") is not None:
        return e["listed_types"][i] == "sparse"
    if e.get("listed") is not None:
        return i in e["listed"]
    if e.get("period"):
        return i % e["period"] == (e.get("offset") or 0) and e["n"] > 1
    last = e["last"] if (e.get("last") or -1) >= 0 else n_layers - 1
    between = (e.get("first") or 0) <= i <= last
    return (
        between
        and i not in (e.get("dense") or ())
        and (i + 1) % (e.get("every") or 1) == 0
    )
