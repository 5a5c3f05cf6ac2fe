"""What is expected, as a model: from the keywords of attnlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.model import Model


def expected_model(
    *,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    window: tuple[int | None, int | None] | None = None,
    query_offset: int = 0,
) -> Model:
    """Return the model that keywords of `scaled_dot_product_attention` mean.

    Raises
    ------
    ValueError
        If the mask is neither boolean nor floating.
    """
    left, right = window or (None, None)
    model = Model(
        scale="1/√d_k" if scale is None else float(scale),
        softcap=softcap,
        window=(left, 0 if is_causal else right),
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
