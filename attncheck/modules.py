"""Modules, where a function of query, key and value is asked for."""

from __future__ import annotations

from typing import Any


def is_module(function: Any) -> bool:
    """Say whether it is a module of PyTorch, Flax or Equinox, or its class."""
    kind = function if isinstance(function, type) else type(function)
    return any(base.__name__ in ("Module", "Layer") for base in kind.__mro__)


def instead_of_a_module(function: Any) -> str:
    """Say what to pass in its place."""
    kind = function if isinstance(function, type) else type(function)
    return (
        f"{kind.__name__} is a module: it projects its input, so its calls do not show "
        "the attention inside. Pass the function in it that takes query, key and value "
        "(batch, heads, n, d) after the projections, as "
        "torch.nn.functional.scaled_dot_product_attention does; or catch those arrays "
        "and the output with a hook, and give them to read_run."
    )
