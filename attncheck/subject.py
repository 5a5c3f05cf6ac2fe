"""The function that is asked: its arrays, the order of its axes, how it is called."""

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.formats import Format, find_format, round_to

CANONICAL = "bhnd"


class Refused(Exception):
    """A call ended with an error, or gave something that is no output of attention."""


def check_layout(layout: str) -> str:
    """Check an order of axes: n and d, and perhaps b and h, each once."""
    letters = set(layout) if isinstance(layout, str) else set()
    if len(letters) != len(layout) or not {"n", "d"} <= letters <= set(CANONICAL):
        rule = "layout must name each axis once: b and h if there, n and d, as 'bhnd'"
        raise ValueError(f"ask: {rule}, got {layout!r}")
    return layout


def _at(x: np.ndarray, place: dict[int, int]) -> np.ndarray:
    """Take an item or a head; fewer key heads cannot be had without an axis."""
    for axis in sorted(place, reverse=True):
        x = x.take(min(place[axis], x.shape[axis] - 1), axis)
    return x


def _in_canonical(
    x: np.ndarray, order: list[int], wanted: tuple[int, ...]
) -> np.ndarray:
    """Bring an output back to the canonical order; heads may stand side by side."""
    if len(wanted) == 4 and x.shape == (wanted[0], wanted[2], wanted[1] * wanted[3]):
        return x.reshape(wanted[0], wanted[2], wanted[1], -1).swapaxes(1, 2)
    shape = tuple(wanted[axis] for axis in order)
    if x.shape != shape:
        raise Refused(f"it gives an array {x.shape} where {shape} was expected")
    return x.transpose(np.argsort(order))


LIBRARIES = {"numpy": "numpy", "torch": "torch", "jax": "jax.numpy", "cupy": "cupy"}
UNASKED = ("numpy", "torch", "jax")  # CuPy is of no use without a GPU
JAX = ("jax", "jaxlib")  # the packages of its arrays' types


def library_of(module: str) -> str:
    """Name the library of a type or a function that is defined in this module."""
    package = module.partition(".")[0]
    return "jax" if package in JAX else package


def check_arrays(kind: str | None) -> None:
    """Check that arrays of this kind can be made here."""
    if kind is None:
        return
    name, _, device = str(kind).partition(":")
    if name not in LIBRARIES or (device and name != "torch"):
        known = ", ".join(map(repr, LIBRARIES))
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
    first = first if first in LIBRARIES else "numpy"
    yield first
    rest = [kind for kind in UNASKED if kind != first]
    yield from sorted(rest, key=lambda kind: kind not in sys.modules)


def is_there(kind: str) -> bool:
    """Say whether a library can be imported."""
    name = kind.partition(":")[0]
    return name in sys.modules or importlib.util.find_spec(name) is not None


def to_library(x: np.ndarray, kind: str, dtype: str) -> Any:
    """Convert float64 or bool from NumPy; "torch:cuda" gives a GPU's tensors."""
    name, _, device = kind.partition(":")
    library: Any = importlib.import_module(LIBRARIES[name])
    x, where = np.ascontiguousarray(x), {"device": device} if device else {}
    if x.dtype == bool:
        return library.asarray(x, **where)
    if hasattr(library, dtype):
        return library.asarray(x, dtype=getattr(library, dtype), **where)
    if importlib.util.find_spec("ml_dtypes") is None:
        rule = "bfloat16 in NumPy needs the package ml_dtypes"
        raise ValueError(f"ask: {rule}; or ask with arrays='torch'")
    return library.asarray(x.astype(importlib.import_module("ml_dtypes").bfloat16))


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


def instead_of_a_module(function: Any) -> str:
    """Say what to pass in place of a module, or its class; "" if it is none."""
    kind = function if isinstance(function, type) else type(function)
    if not any(base.__name__ in ("Module", "Layer") for base in kind.__mro__):
        return ""  # (PyTorch's, Flax's and Equinox's are)
    return (
        f"{kind.__name__} is a module: it projects its input, so its calls do not show "
        "the attention inside. Pass the function in it that takes query, key and value "
        "(batch, heads, n, d) after the projections, as "
        "torch.nn.functional.scaled_dot_product_attention does; or catch those arrays "
        "and the output with a hook, and give them to read_run."
    )


class Subject:
    """Call a function with probes (batch, n_heads, n, d), in its own layout and arrays.

    `extra` are keywords of every call; the kind of arrays is found by trying.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        layout: str = CANONICAL,
        dtype: str = "float32",
        extra: dict[str, Any] | None = None,
        arrays: str | None = None,
    ):
        self.function = function
        self.layout = check_layout(layout)
        self.format: Format = find_format(dtype, "ask")
        self.extra = extra or {}
        self.arrays = arrays
        self.changed: set[str] = set()
        self.gives: str | None = None
        self.gives_arrays_of = ""
        self.few_shapes = arrays == "jax"  # it takes no others, and compiles each shape
        self.places = ("cpu", "cpu")  # of what goes in and of what comes out
        self.n_calls = 0

    def round(self, x: np.ndarray) -> np.ndarray:
        """Round to the format that the function is called with."""
        return round_to(x, self.format.name)

    def __call__(
        self, query: np.ndarray, key: np.ndarray, value: np.ndarray, **more: Any
    ) -> np.ndarray:
        """Return the output as float64, (batch, n_heads, n_queries, d_v).

        It takes a call for each place along an axis that the layout leaves out.
        """
        output = np.empty((*query.shape[:3], value.shape[-1]))
        kept = [letter for letter in CANONICAL if letter in self.layout]
        order = [kept.index(letter) for letter in self.layout]
        missing = [i for i, letter in enumerate("bh") if letter not in self.layout]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for place in np.ndindex(*(output.shape[i] for i in missing)):
                at = dict(zip(missing, place, strict=True))
                inputs = [_at(x, at).transpose(order) for x in (query, key, value)]
                index = tuple(at.get(i, slice(None)) for i in range(4))
                found = self.raw(*inputs, **more)
                output[index] = _in_canonical(found, order, output[index].shape)
        return output

    def raw(self, *inputs: np.ndarray, **more: Any) -> np.ndarray:
        """Call it once with arrays in its own layout."""
        if self.arrays is None:
            return self._find_arrays(inputs, more)
        dtype = self.format.stored
        given = [to_library(x.copy(), self.arrays, dtype) for x in inputs]
        kept = [to_library(x, self.arrays, dtype) for x in inputs]
        more = {
            name: to_library(x, self.arrays, dtype) if isinstance(x, np.ndarray) else x
            for name, x in more.items()
        }
        try:
            output = self.function(*given, **{**self.extra, **more})
            if isinstance(output, tuple | list):  # (output, weights), as some give
                output = output[0]
            self.gives_arrays_of = library_of(type(output).__module__)
            self.gives = str(getattr(output, "dtype", type(output).__name__))
            self.places = place(given[0]), place(output)
            result = to_numpy(output)
        except Exception as error:
            said = str(error).strip().splitlines()
            name = type(error).__name__
            raise Refused(f"{name}: {said[0][:200]}" if said else name) from error
        finally:
            self.n_calls += 1
        for name, x, before in zip(("query", "key", "value"), given, kept, strict=True):
            if not np.array_equal(to_numpy(x), to_numpy(before), equal_nan=True):
                self.changed.add(name)
        return result

    def _find_arrays(self, inputs: Any, more: dict[str, Any]) -> np.ndarray:
        """Try each kind of arrays; keep the first that works."""
        refused: list[str] = []
        for kind in filter(is_there, candidates(self.function)):
            self.arrays = kind
            try:
                output = self.raw(*inputs, **more)
                self._take_what_it_gives(inputs, more)
                return output
            except (Refused, ValueError, RuntimeError) as error:  # no bfloat16, no GPU
                refused.append(f"{kind}: {error}")
        self.arrays = None
        raise Refused("; ".join(refused))

    def _take_what_it_gives(self, inputs: Any, more: dict[str, Any]) -> None:
        """Go on with arrays of JAX or PyTorch where NumPy's are taken and those given.

        An index that is out of bounds, say, is an error in one, and clamped in the
        other; a mask may be taken as a tensor alone.
        """
        if self.arrays != "numpy" or self.gives_arrays_of not in ("jax", "torch"):
            self.few_shapes = self.arrays == "jax"
            return
        self.arrays = self.gives_arrays_of
        try:
            self.raw(*inputs, **more)
        except Refused:
            self.arrays = "numpy"


SIZES = {"b": 3, "h": 2, "n": 12, "d": 64}
AT = {"b": 2, "h": 0, "n": 6, "d": 3}
CHANGED = 1e-4  # of the largest change: less is rounding
LOUD = 8.0


def find_layout(subject: Subject) -> str:
    """Return the order of the axes: along which one changed value reaches others."""
    told = subject.layout
    axes = _reach(subject, told, 2)
    if len(axes) != 1 or axes == {"n"} or not axes <= set(told):
        return told
    tokens = axes.pop()
    sides = _reach(subject, told, 0) - {tokens}
    columns = "d" if "d" in sides or not sides else min(sides)
    rest = iter(letter for letter in "bh" if letter in told)
    letters = {tokens: "n", columns: "d"}
    return "".join(letters.get(x) or next(rest) for x in told)


def _reach(subject: Subject, layout: str, which: int) -> set[str]:
    """Name the axes along which one changed number reaches other outputs."""
    rng = np.random.default_rng(26)
    shape = tuple(SIZES[x] for x in layout)
    inputs = [subject.round(0.3 * rng.standard_normal(shape)) for _ in range(3)]
    at = tuple(AT[x] for x in layout)
    try:
        before = subject.raw(*inputs)
        inputs[which][at] += LOUD
        after = subject.raw(*inputs)
    except Refused:
        return set()
    if after.shape != shape:
        return set()
    change = np.abs(after - before)
    moved = np.argwhere(change > CHANGED * max(1.0, float(change.max(initial=0.0))))
    return {x for a, x in enumerate(layout) if (moved[:, a] != at[a]).any()}
