"""A step-by-step record of one self-attention, which prints its numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from attnlib._arrays import to_numpy
from attnlib._types import Array, Float

STEPS = {
    "x": "x",
    "query": "query = x @ w_query",
    "key": "key = x @ w_key",
    "value": "value = x @ w_value",
    "scores": "scores = query @ keyᵀ",
    "scaled_scores": "scaled_scores = scores / √d_k (+ mask)",
    "weights": "weights = softmax(scaled_scores)",
    "output": "output = weights @ value",
}
KEY_STEPS = ("scores", "scaled_scores", "weights")  # one column for each token
DECIMALS = 4
MAX_SHOWN = 12  # rows or columns; larger arrays show the first and last few
EDGE = 4


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """Every step of a self-attention, from the input to the output.

    `SelfAttention.trace` returns it. Printed, it shows each step with four decimals,
    and only the corners of large arrays; a notebook shows tables.

    Parameters
    ----------
    tokens : tuple of str or None
    x : array, (..., n_tokens, d_model)
    query, key : array, (..., n_tokens, d_k)
    value : array, (..., n_tokens, d_v)
    scores : array, (..., n_tokens, n_tokens)
        Plain dot products. For 16-bit inputs they stay in float32, as computed: they
        may be too large for 16 bits.
    scaled_scores : array, (..., n_tokens, n_tokens)
        The input of softmax: scores / √d_k with the mask applied, in the same dtype.
    weights : array, (..., n_tokens, n_tokens)
    output : array, (..., n_tokens, d_v)
    """

    tokens: tuple[str, ...] | None
    x: Float[Array, "... n_tokens d_model"]
    query: Float[Array, "... n_tokens d_k"]
    key: Float[Array, "... n_tokens d_k"]
    value: Float[Array, "... n_tokens d_v"]
    scores: Float[Array, "... n_tokens n_tokens"]
    scaled_scores: Float[Array, "... n_tokens n_tokens"]
    weights: Float[Array, "... n_tokens n_tokens"]
    output: Float[Array, "... n_tokens d_v"]

    def __repr__(self) -> str:
        names = "" if self.tokens is None else f": {' '.join(self.tokens)}"
        parts = [f"AttentionTrace of {self.x.shape[-2]} tokens{names}"]
        for name, formula in STEPS.items():
            step = getattr(self, name)
            parts.append(f"{formula}  {tuple(step.shape)}\n{_text(step)}")
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        tables = "".join(self._table(name) for name in STEPS)
        return f'<div class="attnlib-trace">{tables}</div>'

    def _table(self, name: str) -> str:
        """Write a step, the first of a batch, as a table with a row for each token."""
        step = to_numpy(getattr(self, name))
        caption = f"{STEPS[name]} {tuple(step.shape)}"
        if step.ndim > 2:
            caption += ", first of the batch"
            step = step.reshape(-1, *step.shape[-2:])[:1].reshape(-1, step.shape[-1])
        tokens = self.tokens or tuple(map(str, range(len(step))))
        heads = tokens if name in KEY_STEPS else tuple(map(str, range(step.shape[1])))
        header = _join(heads, lambda head: f'<th scope="col">{escape(head)}</th>')
        gap = f'<tr><th scope="row">…</th><td colspan="{step.shape[1]}">…</td></tr>'
        pairs = list(zip(tokens, step, strict=False))  # an empty batch has no rows
        body = _join(pairs, _row, gap)
        css = name.replace("_", "-")
        return (
            f'<table class="attnlib-{css}"><caption>{escape(caption)}</caption>'
            f"<thead><tr><td></td>{header}</tr></thead><tbody>{body}</tbody></table>"
        )


def _text(step: Array) -> str:
    array = to_numpy(step)
    large = any(size > MAX_SHOWN for size in array.shape)
    return np.array2string(
        array,
        precision=DECIMALS,
        suppress_small=True,
        threshold=0 if large else array.size + 1,
        edgeitems=EDGE,
        max_line_width=120,
    )


def _row(pair: tuple[str, np.ndarray]) -> str:
    token, numbers = pair
    cells = _join(numbers, lambda x: f"<td>{_number(x)}</td>")
    return f'<tr><th scope="row">{escape(token)}</th>{cells}</tr>'


def _join(items: Any, write: Callable[[Any], str], gap: str = "<td>…</td>") -> str:
    """Write all items of a short axis, or both ends of a long one and a gap."""
    if len(items) <= MAX_SHOWN:
        return "".join(map(write, items))
    ends = ("".join(map(write, end)) for end in (items[:EDGE], items[-EDGE:]))
    return gap.join(ends)


def _number(x: float) -> str:
    text = f"{float(x):.{DECIMALS}g}" if abs(x) >= 1e4 else f"{float(x):.{DECIMALS}f}"
    return text.replace("inf", "∞").replace("-", "−")
