"""Arrays of any library as (b, h, n, d) in float64; what is expected, as a model."""

from typing import Any

import numpy as np

from attncheck.formats import FORMATS, Format, find_format, round_to
from attncheck.layouts import CANONICAL
from attncheck.libraries import to_numpy
from attncheck.model import Model


def prepare(arrays: dict[str, Any], layout: str | None) -> list[np.ndarray]:
    """Bring arrays of any library to (b, h, n, d) in float64."""
    q, k, v, o = found = [to_numpy(x) for x in arrays.values()]
    names = layout or {2: "nd", 3: "hnd", 4: "bhnd"}.get(q.ndim, "")
    pairs = zip(arrays, found, strict=True)
    shapes = ", ".join(f"{name} {x.shape}" for name, x in pairs)
    if {x.ndim for x in found} != {len(names)} or not names:
        raise ValueError(
            "read_run: all arrays must have two, three or four axes, as 'nd', 'hnd' or "
            f"'bhnd', or as layout says; got {shapes}"
        )
    q, k, v, o = (_canonical(x, names) for x in found)
    fits = k.shape[:3] == v.shape[:3] and q.shape[0] == k.shape[0]
    fits = fits and q.shape[3] == k.shape[3] and q.shape[1] % k.shape[1] == 0
    if not fits or o.shape != (*q.shape[:3], v.shape[3]):
        raise ValueError(
            "read_run: query (b, h, n, d), key (b, g, m, d), value (b, g, m, d_v) and "
            f"output (b, h, n, d_v) must go together, h a multiple of g; got {shapes}"
        )
    return [q, k, v, o]


def _canonical(x: np.ndarray, layout: str) -> np.ndarray:
    kept = [letter for letter in CANONICAL if letter in layout]
    x = x.transpose([layout.index(letter) for letter in kept])
    for axis, letter in enumerate(CANONICAL):
        if letter not in layout:
            x = np.expand_dims(x, axis)
    return x


def guess_format(
    given: Any, inputs: list[np.ndarray], output: np.ndarray, stored: Any = None
) -> Format:
    """Find the format that the numbers were rounded to: at most that of `stored`."""
    if given is not None:
        return find_format(given, "read_run")
    of_output = _narrowest(output)
    of_inputs = _narrowest(np.concatenate([x.ravel() for x in inputs]))
    name = str(getattr(stored, "dtype", "")).removeprefix("torch.")
    found = (of_output, of_inputs, FORMATS.get(name, of_output))
    return min(found, key=lambda fmt: fmt.bits)


def _narrowest(x: np.ndarray) -> Format:
    """Return the narrowest format that holds all of these numbers."""
    x = x.ravel()[:: max(1, x.size // 20_000)]
    x = x[np.isfinite(x)]
    if len(np.unique(np.abs(x))) < 16:  # zeros and ones tell nothing
        return FORMATS["float64"]
    for name in ("bfloat16", "float16", "float32"):
        if np.array_equal(round_to(x, name), x):
            return FORMATS[name]
    return FORMATS["float64"]


def expected_model(
    *,
    mask: Any = None,
    is_causal: bool = False,
    alignment: str | None = None,
    scale: float | str | None = None,
    softcap: float | None = None,
    window: tuple[int | None, int | None] | None = None,
    query_offset: int = 0,
) -> Model:
    """Return the model that keywords of `scaled_dot_product_attention` mean.

    `alignment` is a fact: "start" or "end" is causal; a scale may have a name.
    """
    left, right = window or (None, None)
    model = Model(
        scale="1/√d_k" if scale is None else scale,
        softcap=softcap,
        window=(left, 0 if is_causal or alignment in ("start", "end") else right),
        corner="end" if alignment == "end" else "start",
        offset=query_offset,
    )
    if mask is None:
        return model
    array = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask)
    if array.dtype == bool:
        return model.change(allowed=array)
    if array.dtype.kind not in "fV":
        rule = "mask must be boolean (True = may attend) or floating (added)"
        raise ValueError(f"read_run: {rule}, got dtype {array.dtype}")
    return model.change(bias=array.astype(np.float64))
