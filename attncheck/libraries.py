"""Arrays of the kind that a function takes: NumPy's, PyTorch's, JAX's or CuPy's."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

KINDS = ("numpy", "torch", "jax")
JAX = ("jax", "jaxlib")  # the packages of its arrays' types
ALL_KINDS = (*KINDS, "cupy")  # which is of no use without a GPU: never tried unasked


def library_of(module: str) -> str:
    """Name the library of a type or a function that is defined in this module."""
    package = module.partition(".")[0]
    return "jax" if package in JAX else package


def check_arrays(kind: str | None) -> None:
    """Check that arrays of this kind can be made here."""
    if kind is None:
        return
    name, _, device = str(kind).partition(":")
    if name not in ALL_KINDS or (device and name != "torch"):
        known = ", ".join(map(repr, ALL_KINDS))
        rule = f"arrays must be one of {known}, or 'torch:' and a device"
        raise ValueError(f"ask: {rule}; got {kind!r}")
    if not is_there(name):
        raise ValueError(f"ask: arrays={kind!r} needs {name}, which is not installed")
    try:
        to_library(np.zeros(1), kind, "float32")
    except Exception as error:  # each library has errors of its own
        rule = f"there are no arrays of {kind!r} on this machine"
        raise ValueError(f"ask: {rule} ({error})") from error


def candidates(function: Callable[..., Any]) -> Iterator[str]:
    """Yield the kinds of arrays to try, the likeliest first."""
    owner = str(getattr(function, "__module__", "") or type(function).__module__)
    first = library_of(owner)
    first = first if first in ALL_KINDS else "numpy"
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
    if name == "cupy":
        cupy: Any = importlib.import_module("cupy")
        return cupy.asarray(_in_numpy(x, dtype))
    return _in_numpy(x, dtype)


def _in_numpy(x: np.ndarray, dtype: str) -> np.ndarray:
    return np.ascontiguousarray(x, bool if x.dtype == bool else _numpy_dtype(dtype))


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
    elif type(x).__module__.partition(".")[0] == "cupy":
        x = x.get()
    return np.asarray(x).astype(np.float64)


def place(x: Any) -> str:
    """Name the device on which an array lies: "cpu", or "cuda:0"."""
    device: Any = getattr(x, "device", "cpu")
    if not hasattr(device, "id"):
        return str(device)
    name = getattr(device, "platform", "cuda")  # JAX's has one, CuPy's does not
    return name if name == "cpu" else f"{name}:{device.id}"


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
