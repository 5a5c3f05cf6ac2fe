"""The function that is asked: how it is called, and what was seen meanwhile."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.formats import Format, find_format, round_to
from attncheck.layouts import CANONICAL, check_layout, from_canonical, to_canonical
from attncheck.libraries import (
    candidates,
    is_there,
    library_of,
    place,
    to_library,
    to_numpy,
)


class Refused(Exception):
    """A call ended with an error, or gave something that is no output of attention."""


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
        """Return the output as float64, (batch, n_heads, n_queries, d_v)."""
        inputs = (query, key, value)
        shape = (*query.shape[:3], value.shape[-1])
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            calls = from_canonical(self.layout, inputs)
            outputs = [self.raw(*call, **more) for call in calls]
        try:
            return to_canonical(self.layout, outputs, shape)
        except ValueError as error:
            raise Refused(str(error)) from None

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
