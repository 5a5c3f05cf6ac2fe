"""Private: hints for callers who use another library's name for the same thing."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type[Any])

# Keywords of PyTorch, transformers and others, and what they are called here.
OURS = {
    "attn_mask": "mask",
    "key_padding_mask": "mask: padding_mask(lengths, n_keys) makes one",
    "need_weights": "weights(...), a method,",
    "num_heads": "n_heads",
    "nhead": "n_heads",
    "num_key_value_heads": "n_kv_heads",
    "embed_dim": "d_model",
    "head_dim": "d_k",
    "dim_feedforward": "d_ff",
    "causal": "is_causal",
    "scaling": "scale",
    "sliding_window": "window",
    "window_size": "window, and (left, right) leaves the query's own key out",
    "s_aux": "sinks",
    "rope_theta": "base, or rotary_base in a layer",
    "dim": "axis",
    "weight": "gain",
    "max_new_tokens": "n_new",
    "input_ids": "ids",
}


def hinted(function: F) -> F:
    """Make a function's TypeError name the keyword that was meant."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if hint := _hint(function, args, kwargs):
                raise TypeError(f"{error}; {hint}") from None
            raise

    return cast(F, call)


def hinted_class(cls: C) -> C:
    """Apply `hinted` to the constructor of a class."""
    cls.__init__ = hinted(cls.__init__)
    return cls


def _hint(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> str:
    known = inspect.signature(function).parameters
    for name in kwargs:
        if name not in known and name in OURS:
            return f"{name} is called {OURS[name]} here"
    by_place = [p for p in known.values() if p.kind is not p.KEYWORD_ONLY]
    by_name = [name for name, p in known.items() if p.kind is p.KEYWORD_ONLY]
    if len(args) > len(by_place) and by_name:
        return f"give these by name: {', '.join(f'{name}=' for name in by_name)}"
    return ""
