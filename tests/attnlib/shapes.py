"""Shapes in annotations, enforced: every call of attnlib is compared with them.

`Float[ArrayLike[A], "... n d"]` has a batch of any shape, then n rows of d numbers. A
name stands for one length in the whole call, in what comes in and what goes out.
"""

import inspect
import pkgutil
import re
import types
from importlib import import_module

import numpy as np

import attnlib

SHAPE = re.compile(r"(Float|Int|Bool|Real|Shaped)\[[^\"']*, ?[\"']([^\"']*)[\"']\]")
KINDS = {"Float": "f", "Bool": "b"}
CALL = "def {name}(*args, **kwargs): return __compared__[{key!r}](*args, **kwargs)"


class ShapeError(AssertionError):
    """An array is not as its annotation says."""


def compare(place, annotation, array, sizes, *, is_result=False):
    """Compare one array with its annotation; learn what its names stand for."""
    found = SHAPE.findall(str(annotation))
    if len(found) != 1 or array is None or not hasattr(array, "shape"):
        return
    (kind, names), shape = (found[0][0], found[0][1].split()), tuple(array.shape)
    wrong = ShapeError(f"{place} is {shape}, not {' '.join(names)} with {sizes}")
    if names[:1] == ["..."]:
        names = names[1:]
        shape = shape[len(shape) - len(names) :] if len(shape) >= len(names) else None
    if shape is None or len(shape) != len(names):
        raise wrong
    for name, size in zip(names, shape, strict=True):
        expected = int(name) if name.isdigit() else sizes.setdefault(name, size)
        if expected != size:
            raise wrong
    numpy_kind = getattr(getattr(array, "dtype", None), "kind", None)
    if is_result and kind in KINDS and numpy_kind not in (None, KINDS[kind]):
        raise ShapeError(f"{place} is of dtype {array.dtype}, not {kind}")


def compared(function):
    """Call a function, then compare what came in and what goes out."""
    signature = inspect.signature(function)

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        given, sizes = signature.bind(*args, **kwargs).arguments, {}
        for name, x in given.items():
            annotation = signature.parameters[name].annotation
            x = x if x is None or hasattr(x, "shape") else _from_list(x)
            compare(f"{function.__qualname__}: {name}", annotation, x, sizes)
        text, where = signature.return_annotation, f"{function.__qualname__}: returned"
        if str(text).startswith("tuple[") and isinstance(result, tuple):
            parts = re.findall(r"(?:Float|Int|Bool|Real|Shaped)\[.*?[\"']\]", str(text))
            if len(parts) == len(result):
                for part, x in zip(parts, result, strict=True):
                    compare(where, part, x, sizes, is_result=True)
        else:
            compare(where, text, result, sizes, is_result=True)
        return result

    return call


def _from_list(x):
    try:
        return np.asarray(x) if type(x) in (list, tuple, int, float, bool) else None
    except (ValueError, TypeError, RuntimeError):  # uneven rows, another device
        return None


def functions():
    """Find all functions and methods with a shape in their annotations."""
    for info in pkgutil.iter_modules(attnlib.__path__):
        module = import_module(f"attnlib.{info.name}")
        things = [
            x
            for x in vars(module).values()
            if getattr(x, "__module__", "") == module.__name__
        ]
        for thing in things:
            members = vars(thing).values() if inspect.isclass(thing) else [thing]
            for one in members:
                one = (
                    inspect.unwrap(getattr(one, "__func__", one))
                    if callable(one) or hasattr(one, "__func__")
                    else one
                )
                plain = isinstance(one, types.FunctionType) and not one.__closure__
                if plain and SHAPE.search(str(one.__annotations__)):
                    yield one


def enforce():
    """Have every such function compare; return how many there are.

    A function stays the same object, whoever has imported it: only its code changes.
    """
    found = {f"{f.__module__}.{f.__qualname__}": f for f in functions()}
    for key, function in found.items():
        parts = (function.__code__, function.__globals__, function.__name__)
        original = types.FunctionType(
            *parts, function.__defaults__, function.__closure__
        )
        original.__kwdefaults__ = function.__kwdefaults__
        original.__annotations__ = function.__annotations__
        original.__qualname__ = function.__qualname__
        function.__globals__.setdefault("__compared__", {})[key] = compared(original)
        scope = {}
        exec(CALL.format(name=function.__name__, key=key), scope)
        function.__code__ = scope[function.__name__].__code__
        function.__defaults__ = function.__kwdefaults__ = None
        function.__wrapped__ = original
    return len(found)
