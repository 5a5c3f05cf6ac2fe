"""Says and does: what a configuration says of each layer, beside that layer's runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.layers.each import judge_layer
from attncheck.layers.page import Layers
from attncheck.layers.recorded import recorded

__all__ = ["layers"]
INSTALL = (
    "layers: attnconfig reads the configuration, and it is not installed: in a "
    "checkout, `pip install ./attnconfig`"
)
Read = str | os.PathLike[str]


def layers(config: Mapping[str, Any] | Read, runs: Mapping[str, Any] | Read) -> Layers:
    """Compare what a configuration says of each layer with what its runs show.

    Parameters
    ----------
    config : dict or path
        A ``config.json``, or its lines.
    runs : dict or path
        Arrays by name, or a ``.safetensors`` or ``.npz`` file of them:
        ``LAYER.CALL.query`` (..., n_heads, n_queries, d_k), as ``0.0.query``, and
        likewise ``key``, ``value`` and ``output``, after the rotation of queries and
        keys. ``sinks`` (n_heads,) are the learned logits; ``query_before`` and
        ``key_before`` are the rows that were given to the rotation, which is not seen
        without them.

    Returns
    -------
    Layers
        ``problems``: each layer that differs, with the field, what is said, what is
        shown, and the shortest input that shows it. ``unseen``: what these runs are too
        short for.

    Raises
    ------
    ValueError
        If the configuration cannot be read, or the runs make no sense.
    ImportError
        If attnconfig is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from attnlib import scaled_dot_product_attention
    >>> config = {"model_type": "mistral", "hidden_size": 32, "num_hidden_layers": 1}
    >>> config |= {"num_attention_heads": 4, "sliding_window": 5, "vocab_size": 9}
    >>> config |= {"num_key_value_heads": 4, "intermediate_size": 8}
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 4, 9, 8))
    >>> o = scaled_dot_product_attention(q, k, v, is_causal=True, window=(5, 0))
    >>> run = {"0.0.query": q, "0.0.key": k, "0.0.value": v, "0.0.output": o}
    >>> print(layers(config, run).problems[0])
    layer 0, window: said (4, 0), shown (5, 0) (shortest input: 6 tokens)
    """
    try:
        import attnconfig
    except ImportError as error:
        raise ImportError(INSTALL) from error
    lines = config
    if not isinstance(lines, Mapping):
        lines = json.loads(Path(lines).read_text(encoding="utf-8"))
    model, calls = attnconfig.read(lines), recorded(runs)
    if not model.layers:
        raise ValueError(f"layers: {next(iter(model.refused.values()))}")
    said = {i: layer.facts for i, layer in enumerate(model.layers) if layer.facts}
    page = Layers(str(model.family), len(model.layers), notes=list(model.unsaid))
    with np.errstate(all="ignore"):
        for i in sorted({*said, *calls}):
            judge_layer(page, i, said, calls)
    return page
