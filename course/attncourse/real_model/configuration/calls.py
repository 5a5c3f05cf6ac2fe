"""The call of attnlib that computes a layer's attention, from its facts."""

from typing import Any

from attnconfig import Facts, Layer, Model

STATE = "# No call: this layer keeps a state, and attnlib computes softmax attention."
CONVOLUTION = "# No call: a short convolution, and no attention."
NETWORK = "# No call: a network alone, and no attention."
NORMED_BEFORE = (
    "# Before the split into heads: rms_norm(query, gain_query), and the key so."
)
UNTRIED = "# No call: {}."
REFUSED = "a line of this file is not understood here"
# Stretches that attnlib has, by their names in files.
KNOWN = {"linear", "dynamic", "llama3", "yarn", "longrope"}


def calls(model: Model) -> list[list[str]]:
    """Write the call of each layer; none where a line of the file may change it."""
    reason = None
    if len(model.refused) == 3:
        reason = REFUSED
    elif model.unsaid:
        reason = f"{model.unsaid[0]} changes what is computed, in a way not told here"
    if reason:
        return [[UNTRIED.format(reason)]] * len(model.layers)
    return [call(layer) for layer in model.layers]


def call(layer: Layer) -> list[str]:
    """Write the call that computes one layer's heads, or say why there is none.

    Parameters
    ----------
    layer : Layer

    Returns
    -------
    list of str
        Lines of Python over ``query``, ``key`` and ``value``, shaped (heads, n, d_k).
        ``gain_query``, ``gain_key`` and ``sinks`` are learned, ``rope`` is the file's
        own scaling, ``i`` counts the positions, and ``chosen`` is a boolean mask of
        the keys that an indexer has chosen. Of latent attention, ``query`` and
        ``query_2`` are the columns that stay and those that are turned, ``latent``
        (n, rank) and ``key_2`` (n, columns) are what the cache holds, the second before
        it is turned, and ``up_key`` and ``up_value`` are (heads, rank, d). For a layer
        that computes no softmax attention, a comment that says so.
    """
    facts = layer.facts
    if facts is None:
        others = {"conv": CONVOLUTION, "network": NETWORK}
        return [others.get(layer.kind, STATE)]
    reason = facts.not_said or _untold(facts)
    if reason:
        return [UNTRIED.format(reason)]
    if facts.latent:
        return _latent(facts)
    steps = [_normed(facts), _rotate(facts)]
    steps = steps[::-1] if facts.norm_after else steps
    return [*steps[0], *steps[1], _attend(facts)]


def _untold(facts: Facts) -> str | None:
    """Say what attnlib has no keyword for, or None."""
    if facts.qk_norm == "heads":
        return "each head's norm has gains of its own"
    if facts.qk_norm == "plain" and facts.norm_after:
        return "queries and keys are normalized after the rotation"
    if facts.rotary and facts.rotary.columns % 2:
        return "an odd number of columns is rotated"
    if facts.rotary and facts.rotary.scaling and facts.rotary.stretch not in KNOWN:
        return f"{facts.rotary.stretch!r} is a stretch that attnlib has not"
    return None


def _latent(facts: Facts) -> list[str]:
    """Make the keys and values of all heads from the latent rows."""
    rows = {
        "query": "[query, query_2]",
        "key": "[latent @ up_key, np.broadcast_to(key_2, query_2.shape)]",
    }
    return [
        *_rotate(facts, ("query_2", "key_2")),
        *(f"{name} = np.concatenate({each}, axis=-1)" for name, each in rows.items()),
        "value = latent @ up_value",
        _attend(facts),
    ]


def _attend(facts: Facts) -> str:
    options = ", ".join(f"{name}={value}" for name, value in _options(facts).items())
    return f"scaled_dot_product_attention(query, key, value, {options})"


def _options(facts: Facts) -> dict[str, Any]:
    found: dict[str, Any] = {"is_causal": True}
    if facts.kv_heads != facts.heads and not facts.latent:
        found["enable_gqa"] = True
    if facts.window:
        found["window"] = facts.window
    if facts.chunk:
        found["mask"] = f"(i // {facts.chunk})[:, None] == i // {facts.chunk}"
    if facts.position == "alibi":
        found["mask"] = f"alibi_bias({facts.heads}, len(i))"
    if facts.chosen:
        found["mask"] = "chosen"
    if facts.softcap:
        found["softcap"] = facts.softcap
    if facts.scale != facts.d_k**-0.5:
        found["scale"] = written(facts.scale)
    return found | ({"sinks": "sinks"} if facts.sinks else {})


def written(scale: float) -> str:
    """Write a scale as Python: as the root of a whole number where it is one."""
    n = round(scale**-2)
    return f"{n} ** -0.5" if n > 1 and scale == n**-0.5 else repr(scale)


def _normed(facts: Facts) -> list[str]:
    if facts.qk_norm is None:
        return []
    if facts.qk_norm == "width":
        return [NORMED_BEFORE]
    more = "" if facts.norm_eps is None else f", eps={facts.norm_eps}"
    gained = facts.qk_norm == "head"
    return [
        f"{x} = rms_norm({x}{f', gain_{x}' if gained else ''}{more})"
        for x in ("query", "key")
    ]


def _rotate(facts: Facts, names: tuple[str, str] = ("query", "key")) -> list[str]:
    if facts.rotary is None:
        return []
    options = [f"base={facts.rotary.base}"]
    if facts.rotary.columns != facts.d_k and not facts.latent:
        options.append(f"rotary_dim={facts.rotary.columns}")
    if facts.rotary.pairs == "neighbors":
        options.append("interleaved=True")
    if facts.rotary.scaling:
        options.append("scaling=rope")
    return [f"{x} = rotary_embedding({x}, {', '.join(options)})" for x in names]
