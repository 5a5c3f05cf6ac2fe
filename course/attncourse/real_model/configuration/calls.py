"""The call of attnlib that computes a layer's attention."""

from typing import Any

STATE = "# No call: this layer keeps a state, and attnlib computes softmax attention."
CONVOLUTION = "# No call: a short convolution, and no attention."
NETWORK = "# No call: a network alone, and no attention."
NORMED_BEFORE = (
    "# Before the split into heads: rms_norm(query, gain_query), and the key so."
)
UNTRIED = "# No call: {}."


def call(layer):
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
    reason = layer.features.get("no_call")
    if layer.features.get("qk_norm") == "heads":
        reason = "each head's norm has gains of its own"
    if reason:
        return [UNTRIED.format(reason)]
    if layer.kind == "latent_attention":
        return _latent(layer)
    if layer.heads is None:
        others = {"conv": CONVOLUTION, "network": NETWORK}
        return [others.get(layer.kind, STATE)]
    rotation = layer.features.get("rotation")
    if rotation and int(rotation.get("share", 1) * layer.d_k) % 2:
        return [UNTRIED.format("an odd number of columns is rotated")]
    turned = _rotate(rotation, layer.d_k) if rotation else []
    steps = [_normed(layer), turned]
    steps = steps[::-1] if "norm_after" in layer.features else steps
    return [*steps[0], *steps[1], _attend(layer)]


def _latent(layer):
    """Make the keys and values of all heads from the latent rows."""
    names = ("query_2", "key_2")
    rotation = layer.features.get("rotation", {"base": None})
    rows = {
        "query": "[query, query_2]",
        "key": "[latent @ up_key, np.broadcast_to(key_2, query_2.shape)]",
    }
    return [
        *_rotate(rotation, layer.d_k, names),
        *(f"{name} = np.concatenate({each}, axis=-1)" for name, each in rows.items()),
        "value = latent @ up_value",
        _attend(layer),
    ]


def _attend(layer):
    options = ", ".join(f"{name}={value}" for name, value in _options(layer).items())
    return f"scaled_dot_product_attention(query, key, value, {options})"


def _options(layer):
    found: dict[str, Any] = {"is_causal": True}
    if layer.kv_heads != layer.heads and layer.kind != "latent_attention":
        found["enable_gqa"] = True
    if layer.kind == "sliding_attention":
        found["window"] = (layer.window - 1, 0)
    if layer.kind == "chunked_attention":
        found["mask"] = f"(i // {layer.window})[:, None] == i // {layer.window}"
    if "alibi" in layer.features:
        found["mask"] = f"alibi_bias({layer.heads}, len(i))"
    if "chosen" in layer.features:
        found["mask"] = "chosen"
    for name in ("softcap", "scale"):
        if name in layer.features:
            found[name] = layer.features[name]
    return found | ({"sinks": "sinks"} if layer.features.get("sinks") else {})


def _normed(layer):
    kind = layer.features.get("qk_norm")
    if kind is None:
        return []
    if kind == "width":
        return [NORMED_BEFORE]
    eps = layer.features.get("eps")
    more = "" if eps is None else f", eps={eps}"
    return [f"{x} = rms_norm({x}, gain_{x}{more})" for x in ("query", "key")]


def _rotate(rotation, d_k, names=("query", "key")):
    options = []
    if rotation.get("base"):
        options.append(f"base={rotation['base']}")
    if rotation.get("share", 1) != 1:
        options.append(f"rotary_dim={int(rotation['share'] * d_k)}")
    if rotation.get("neighbors"):
        options.append("interleaved=True")
    if rotation.get("scaling"):
        options.append("scaling=rope")
    inside = "".join(f", {option}" for option in options)
    return [f"{x} = rotary_embedding({x}{inside})" for x in names]
