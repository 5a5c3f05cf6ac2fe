"""A cache of keys and values, so that none is computed twice."""

from __future__ import annotations

import math
from typing import Any

from attnlib import _checks as check
from attnlib._arrays import as_arrays, as_floats, cast, namespace
from attnlib._checks import require
from attnlib._types import A, ArrayLike, Float


class KVCache:
    """Keep the keys and values of the tokens so far, and append those of new ones.

    A token's key and value do not depend on what follows. A model that writes token by
    token therefore computes each once, and then needs a query for the new token only.

    Attributes
    ----------
    key : array, (..., n, d_k), or None while the cache is empty
    value : array, (..., n, d_v), or None while the cache is empty

    Examples
    --------
    >>> cache = KVCache()
    >>> key, value = cache.append([[1.0, 0.0]], [[10.0, 0.0, 0.0]])
    >>> key, value = cache.append([[0.0, 1.0]], [[0.0, 10.0, 0.0]])
    >>> key
    array([[1., 0.],
           [0., 1.]])
    >>> cache
    KVCache(n=2, n_bytes=80)

    References
    ----------
    Pope et al. (2022), Efficiently Scaling Transformer Inference, section 2.
    """

    def __init__(self) -> None:
        self.key: Any = None
        self.value: Any = None
        self._owner: object | None = None

    def append(
        self,
        key: Float[ArrayLike[A], "... n_new d_k"],
        value: Float[ArrayLike[A], "... n_new d_v"],
    ) -> tuple[Float[A, "... n d_k"], Float[A, "... n d_v"]]:
        """Append keys and values; return all that are in the cache now.

        Parameters
        ----------
        key : array, (..., n_new, d_k)
        value : array, (..., n_new, d_v)

        Returns
        -------
        key, value : array, (..., n, d_k) and (..., n, d_v)
            The inputs are copied; arrays returned by earlier calls do not change.
        """
        operation = "KVCache.append"
        dtype, arrays = as_floats(operation, key=key, value=value)
        new_key, new_value = (cast(x, dtype) for x in arrays)
        check.rows(operation, key=new_key, value=new_value)
        rule = "key and value must have the same batch dimensions and n_keys"
        same = tuple(new_key.shape[:-1]) == tuple(new_value.shape[:-1])
        require(same, operation, rule, key=new_key, value=new_value)
        if self.key is None:
            xp = namespace(new_key)
            new_key = xp.asarray(new_key, copy=True)
            new_value = xp.asarray(new_value, copy=True)
        else:
            new_key = _join(operation, "cached_key", self.key, new_key)
            new_value = _join(operation, "cached_value", self.value, new_value)
        self.key, self.value = new_key, new_value
        return new_key, new_value

    def claim(self, operation: str, owner: object) -> None:
        """Raise unless `owner` is the first layer to use this cache."""
        known = self._owner is None or self._owner is owner
        rule = "every layer needs a cache of its own"
        require(known, operation, rule, cache=self, of=self._owner)
        self._owner = owner

    @property
    def n_bytes(self) -> int:
        """The memory that keys and values take, in bytes."""
        if self.key is None:
            return 0
        bits = namespace(self.key).finfo(self.key.dtype).bits
        n_numbers = math.prod(self.key.shape) + math.prod(self.value.shape)
        return int(n_numbers * bits // 8)

    def __len__(self) -> int:
        return 0 if self.key is None else self.key.shape[-2]

    def __repr__(self) -> str:
        return f"KVCache(n={len(self)}, n_bytes={self.n_bytes})"


def _join(operation: str, name: str, old: Any, new: A) -> A:
    """Put new rows after those in the cache."""
    xp, (old, new) = as_arrays(operation, old=old, new=new)
    rule = "new rows must fit those in the cache"
    old_shape, new_shape = ((*x.shape[:-2], x.shape[-1]) for x in (old, new))
    require(old_shape == new_shape, operation, rule, **{name: old, "new": new})
    both: A = xp.concat([old, new], axis=-2)
    return both
