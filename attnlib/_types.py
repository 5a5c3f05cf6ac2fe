"""Private: the types in signatures, for readers and type checkers.

`Float[Array, "... n d"]` is an array of floats whose last two axes are called n and d.
"""

from __future__ import annotations

from collections.abc import Sequence

# Type checkers see only the array; its shape and kind are for readers.
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias
from typing import Annotated as Bool
from typing import Annotated as Float
from typing import Annotated as Int
from typing import Annotated as Real
from typing import Annotated as Shaped

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import TypeVar
else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name, *, bound, default):
        return _TypeVar(name, bound=bound)


__all__ = ["A", "AnyLike", "Array", "ArrayLike", "DType", "Inputs", "Mask", "Window"]
__all__ += ["Bool", "Float", "Int", "Real", "Shaped"]


class Array(Protocol):
    """What the arrays of NumPy, PyTorch, JAX and CuPy have in common."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def T(self) -> Any: ...
    def __array__(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __matmul__(self, other: Any, /) -> Any: ...
    def __eq__(self, other: object, /) -> Any: ...
    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...
    def __gt__(self, other: Any, /) -> Any: ...
    def __ge__(self, other: Any, /) -> Any: ...


# Results have the array type of the inputs; for lists, NumPy's.
A = TypeVar("A", bound=Array, default=np.ndarray[Any, Any])
ArrayLike: TypeAlias = "A | Sequence[Any] | float"
Inputs: TypeAlias = "dict[str, ArrayLike[A] | None]"
AnyLike: TypeAlias = "Array | Sequence[Any] | float"
Mask: TypeAlias = "AnyLike | None"
Window: TypeAlias = tuple[int | None, int | None]


class DType(Generic[A]):
    """A dtype typed by its library's arrays: an array cast to it has type A."""
