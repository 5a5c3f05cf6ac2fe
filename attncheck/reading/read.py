"""Read one run of attention: is it right, and which mistake would give just this."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.formats import FORMATS, Format
from attncheck.layouts import CANONICAL
from attncheck.libraries import to_numpy
from attncheck.model import Model
from attncheck.reading.arrays import guess_format, prepare
from attncheck.reading.free import fit_free
from attncheck.reading.likelier import COARSE, is_nearer, likelier
from attncheck.reading.meant import meant_model
from attncheck.reading.run import Run
from attncheck.reading.search import Found, sample, search, search_pairs
from attncheck.reading.stages import allowed_by, first_wrong
from attncheck.reading.tell import (
    tell_coarse,
    tell_mistakes,
    tell_nan,
    tell_nothing,
    tell_right,
    tell_unknown,
)
from attncheck.reading.where import is_local
from attncheck.report import Report


def read_run(
    query: Any,
    key: Any,
    value: Any,
    output: Any,
    *,
    dtype: str | None = None,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    window: tuple[int | None, int | None] | None = None,
    query_offset: int = 0,
    layout: str | None = None,
    scores: Any = None,
    weights: Any = None,
) -> Report:
    """Read one run of attention, of any program in any language.

    Known mistakes, alone and in pairs, are tried: one counts if it explains every
    number within what rounding does in that format.

    Parameters
    ----------
    query : array, (..., n_heads, n_queries, d_k)
    key : array, (..., n_kv_heads, n_keys, d_k)
    value : array, (..., n_kv_heads, n_keys, d_v)
    output : array, (..., n_heads, n_queries, d_v)
    dtype : str, optional
        What it computed in: "float32", "tfloat32", "float16", "bfloat16" … By default
        the narrowest format that holds the numbers.
    mask, is_causal, scale, softcap, window, query_offset
        What was meant; as in `attnlib.scaled_dot_product_attention`.
    layout : str, optional
        Of the arrays, "bhnd" by default, or "hnd" or "nd" where there are fewer axes.
    scores, weights : array, (..., n_heads, n_queries, n_keys), optional
        What it computed on the way: scores after the scale (and the cap), weights after
        the softmax. The first stage that differs is named.

    Returns
    -------
    Report
        Facts are those of what explains the run.

    Raises
    ------
    ValueError
        If shapes do not go together, or dtype is not a format of ours.

    Examples
    --------
    >>> import numpy as np
    >>> from attnlib import scaled_dot_product_attention
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 2, 9, 8))
    >>> output = scaled_dot_product_attention(q, k, v, scale=1.0)
    >>> print(read_run(q, k, v, output).problems[0].code)
    scale
    """
    meant = meant_model(
        mask=mask,
        is_causal=is_causal,
        scale=scale,
        softcap=softcap,
        window=window,
        query_offset=query_offset,
    )
    arrays = {"query": query, "key": key, "value": value, "output": output}
    ways = {"scores": scores, "weights": weights}
    return read_arrays(arrays, meant, dtype=dtype, layout=layout, stages=ways)


def read_arrays(
    arrays: dict[str, Any],
    meant: Model,
    *,
    dtype: str | None = None,
    layout: str | None = None,
    stages: dict[str, Any] | None = None,
    pairs: bool = True,
) -> Report:
    """Do the same for a model that was meant; without `pairs`, for single mistakes."""
    q, k, v, out = prepare(arrays, layout)
    stored = arrays["output"] if dtype is None else None
    run = Run(q, k, v, out, guess_format(dtype, [out], out, stored))
    report = Report("This run")
    formats, of_inputs = [run.format], guess_format(dtype, [q, k, v], out, stored)
    if of_inputs.bits < run.format.bits:
        formats.append(of_inputs)
    report.details["format"] = run.format.name
    given = {n: to_numpy(x) for n, x in (stages or {}).items() if x is not None}
    with np.errstate(all="ignore"):
        _read(report, run, meant, formats, pairs, given)
        report.facts["layout"] = layout or CANONICAL[-to_numpy(arrays["query"]).ndim :]
        if report.problems:
            first_wrong(report, run, meant, given)
    return report


def _read(
    report: Report,
    run: Run,
    meant: Model,
    formats: list[Format],
    pairs: bool,
    given: dict[str, np.ndarray],
) -> None:
    for fmt in formats:
        share = run.error_everywhere(meant, fmt)
        if share <= 1:
            better = likelier(run, meant, fmt) if fmt.bits <= COARSE else None
            if better is None:
                tell_right(report, run, meant, share)
            else:
                tell_mistakes(report, run, meant, [better])
            return
    inputs = (run.query, run.key, run.value)
    if np.isnan(run.output).any() and not any(np.isnan(x).any() for x in inputs):
        tell_nan(report, run, meant)
        return
    if not run.output.any():
        tell_nothing(report, run, meant)
        return
    for fmt in formats:
        found = search(run, meant, fmt, pairs=False)
        if not found:
            found = _nearest(run, meant, fmt, pairs)
        found = [
            one
            for one in found
            if is_nearer(run, meant, fmt, one) and allowed_by(given, run, meant, one)
        ]
        if found:
            tell_mistakes(report, run, meant, found)
            return
    for fmt in (FORMATS["tfloat32"], FORMATS["bfloat16"]):
        narrower = fmt.bits < min(f.bits for f in formats)
        fits = narrower and run.error_everywhere(meant, fmt) <= 1
        if fits and not is_local(run, meant):
            tell_coarse(report, run, meant, fmt)
            return
    tell_unknown(report, run, meant)


def _nearest(run: Run, meant: Model, fmt: Format, pairs: bool) -> list[Found]:
    """Fit any scale, cap, window or factor; and try pairs, which have to be nearer."""
    free = fit_free(run, meant, fmt)
    both = search_pairs(run, meant, fmt) if pairs else []
    if not free or not both:
        return free or both
    rows = sample(run)
    times = 0.5 if fmt.bits <= 11 else 1.0
    nearer = run.left(both[0].model, rows) < times * run.left(free[0].model, rows)
    return both if nearer else free
