"""Arrays of the kind that a function takes: NumPy's, PyTorch's or JAX's."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

KINDS = ("numpy", "torch", "jax")


def candidates(function: Callable[..., Any], wanted: str | None) -> Iterator[str]:
    """Yield the kinds of arrays to try, the likeliest first."""
    if wanted is not None:
        yield wanted
        return
    owner = str(getattr(function, "__module__", "") or type(function).__module__)
    first = owner.partition(".")[0]
    first = {"jaxlib": "jax", "jax": "jax", "torch": "torch"}.get(first, "numpy")
    yield first
    rest = [kind for kind in KINDS if kind != first]
    yield from sorted(rest, key=lambda kind: kind not in sys.modules)


def is_there(kind: str) -> bool:
    """Say whether a library can be imported."""
    name = kind.partition(":")[0]
    return name in sys.modules or importlib.util.find_spec(name) is not None


def to_library(x: np.ndarray, kind: str, dtype: str) -> Any:
    """Convert float64 or bool from NumPy; "torch:cuda" gives a GPU's tensors."""
    name, _, device = kind.partition(":")
    is_bool = x.dtype == bool
    if name == "torch":
        torch: Any = importlib.import_module("torch")
        tensor = torch.from_numpy(np.ascontiguousarray(x))
        tensor = tensor if is_bool else tensor.to(getattr(torch, dtype))
        return tensor.to(device) if device else tensor
    if name == "jax":
        jnp: Any = importlib.import_module("jax.numpy")
        return jnp.asarray(x, dtype=bool if is_bool else getattr(jnp, dtype))
    return np.ascontiguousarray(x, bool if is_bool else _numpy_dtype(dtype))


def _numpy_dtype(dtype: str) -> Any:
    if dtype != "bfloat16":
        return np.dtype(dtype)
    if importlib.util.find_spec("ml_dtypes") is None:
        rule = "bfloat16 in NumPy needs the package ml_dtypes"
        raise ValueError(f"ask: {rule}; or ask with arrays='torch'")
    return importlib.import_module("ml_dtypes").bfloat16


def to_numpy(x: Any) -> np.ndarray:
    """Convert an array of any library to float64 in NumPy."""
    if hasattr(x, "detach"):
        x = x.detach().cpu()
        x = x.double() if x.is_floating_point() else x
    return np.asarray(x).astype(np.float64)


def same_bits(x: Any, copy: Any) -> bool:
    """Say whether an array still holds what its copy holds."""
    return bool(np.array_equal(to_numpy(x), to_numpy(copy), equal_nan=True))
