"""The call of attnlib that computes a layer's attention."""


def call(layer):
    """Write the call that computes one layer's heads, or say that there is none.

    Parameters
    ----------
    layer : Layer

    Returns
    -------
    list of str
        Lines of Python over ``query``, ``key`` and ``value``, shaped (heads, n, d_k).
        ``gain_query``, ``gain_key`` and ``sinks`` are learned, ``rope`` is the file's
        own scaling and ``i`` counts the positions; empty for a layer that keeps a
        state instead of keys, or has no attention.
    """
    if layer.heads is None or layer.kind == "latent_attention":
        return []
    rotation = layer.features.get("rotation")
    turned = _rotate(rotation, layer.d_k) if rotation else []
    options = ", ".join(f"{name}={value}" for name, value in _options(layer).items())
    asked = f"scaled_dot_product_attention(query, key, value, {options})"
    return [*_normed(layer), *turned, asked]


def _options(layer):
    found = {"is_causal": True}
    if layer.kv_heads != layer.heads:
        found["enable_gqa"] = True
    if layer.kind == "sliding_attention":
        found["window"] = (layer.window - 1, 0)
    if layer.kind == "chunked_attention":
        found["mask"] = f"(i // {layer.window})[:, None] == i // {layer.window}"
    for name in ("softcap", "scale"):
        if name in layer.features:
            found[name] = layer.features[name]
    return found | ({"sinks": "sinks"} if layer.features.get("sinks") else {})


def _normed(layer):
    if "qk_norm" not in layer.features:
        return []
    return ["query, key = rms_norm(query, gain_query), rms_norm(key, gain_key)"]


def _rotate(rotation, d_k):
    options = []
    if rotation.get("base"):
        options.append(f"base={rotation['base']}")
    if rotation.get("share", 1) != 1:
        options.append(f"rotary_dim={int(rotation['share'] * d_k)}")
    if rotation.get("scaling"):
        options.append("scaling=rope")
    inside = "".join(f", {option}" for option in options)
    return [f"{x} = rotary_embedding({x}{inside})" for x in ("query", "key")]
