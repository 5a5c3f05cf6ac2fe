"""Read one run of attention: is it right, and which mistake would give just this."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.formats import FORMATS, Format
from attncheck.free import fit_free
from attncheck.libraries import to_numpy
from attncheck.model import Model, scale_of
from attncheck.patterns import Band, name_band
from attncheck.report import Report
from attncheck.run import Run, guess_format, prepare
from attncheck.scales import name_scale
from attncheck.search import Found, search
from attncheck.stages import first_wrong
from attncheck.where import describe, find_wrong, is_local


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
    number within what rounding can do in that number format.

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
    arrays = {"query": query, "key": key, "value": value, "output": output}
    q, k, v, out = prepare(arrays, layout)
    run = Run(q, k, v, out, guess_format(dtype, [out], out))
    meant = _meant(mask, is_causal, scale, softcap, window, query_offset)
    report = Report("This run")
    formats = [run.format]
    if dtype is None:
        of_inputs = guess_format(None, [q, k, v], out)
        formats += [of_inputs] if of_inputs.bits < run.format.bits else []
    report.details["format"] = run.format.name
    with np.errstate(all="ignore"):
        _read(report, run, meant, formats)
        if report.problems:
            stages = {"scores": scores, "weights": weights}
            given = {name: to_numpy(x) for name, x in stages.items() if x is not None}
            first_wrong(report, run, meant, given)
    return report


def _meant(
    mask: Any,
    is_causal: bool,
    scale: float | None,
    softcap: float | None,
    window: Any,
    query_offset: int,
) -> Model:
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


def _read(report: Report, run: Run, meant: Model, formats: list[Format]) -> None:
    for fmt in formats:
        share = run.error_everywhere(meant, fmt)
        if share <= 1:
            _tell_right(report, run, meant, share)
            return
    if np.isnan(run.output).any() and not _nan_is_meant(run, meant):
        _tell_nan(report, run, meant)
        return
    for fmt in formats:
        found = search(run, meant, fmt) or fit_free(run, meant, fmt)
        if found:
            _tell_mistakes(report, run, meant, found)
            return
    for fmt in (FORMATS["tfloat32"], FORMATS["bfloat16"]):
        narrower = fmt.bits < min(f.bits for f in formats)
        fits = narrower and run.error_everywhere(meant, fmt) <= 1
        if fits and not is_local(run, meant):
            _tell_coarse(report, run, meant, fmt)
            return
    _tell_unknown(report, run, meant)


def _nan_is_meant(run: Run, meant: Model) -> bool:
    return any(np.isnan(x).any() for x in (run.query, run.key, run.value))


def facts_of(model: Model, n_heads: int, n_kv_heads: int, d: int) -> dict[str, Any]:
    """Return the facts that a model alone tells."""
    scale = scale_of(model.scale, d, n_heads)
    named = name_scale({(d, n_heads): scale}, 1e-4)
    band = Band(*model.window, corner=model.corner)
    alignment, window = name_band(band)
    sums = {"keys": "keys", "queries": "queries", "sink": "sink", "hard": "keys"}
    sums |= {"twice": "keys", "relu": "keys"}
    facts = {
        "scale": scale,
        "scale_name": model.scale if isinstance(model.scale, str) else named,
        "softcap": model.softcap,
        "alignment": alignment,
        "window": window,
        "normalized": sums.get(model.normalized, "no"),
        "grouping": None,
        "layout": "bhnd",
    }
    if n_heads != n_kv_heads:
        facts["grouping"] = {"first": "other"}.get(model.grouping, model.grouping)
    return facts


def _tell_facts(report: Report, run: Run, model: Model) -> None:
    s, facts = run.sizes, report.facts
    facts.update(facts_of(model, s.n_heads, s.n_kv_heads, s.d))
    if model.rotary is not None or model.slopes is not None:
        facts["position"] = "rotary" if model.rotary is not None else "alibi"
    if model.masked == "after":
        facts["mask"], facts["normalized"] = "multiplied after", "no"
    elif model.allowed is not None:
        facts["mask"] = "may attend"
    elif model.bias is not None:
        facts["mask"] = "added"
    finite = np.isfinite(run.output).all()
    facts["large_scores"] = "fine" if finite else "nan"
    facts["empty_row"] = _empty(run, model)


def _empty(run: Run, model: Model) -> str:
    """Say what a query without a key gets, if there is one."""
    if model.over_queries:
        return "not reached"
    for rows in run.chunks():
        found = run.compute(model, rows)
        empty = ~np.isfinite(found.scores).any(-1)
        if empty.any():
            output = run.output[..., rows, :][empty]
            if np.isnan(output).any():
                return "nan"
            return "mean" if output.any() else "zeros"
    return "not reached"


def _tell_right(report: Report, run: Run, model: Model, share: float) -> None:
    _tell_facts(report, run, model)
    report.details["share_of_tolerance"] = share
    report.sentences.append(
        f"All {run.output.size:,} numbers are right: the largest error is {share:.0%} "
        f"of what rounding to {run.format.name} may do."
    )


def _tell_mistakes(report: Report, run: Run, meant: Model, found: list[Found]) -> None:
    best = found[0]
    _tell_facts(report, run, best.model)
    wrong = run.error_everywhere(meant, stop=False)
    others = [_words(other) for other in found[1:3]]
    for mistake in best.mistakes:
        report.add(
            mistake.code.partition(":")[0],
            _sentence(mistake.sentence),
            **{
                "error, in units of rounding, as meant": wrong,
                "with this mistake": best.share,
            },
        )
    report.details["mistakes"] = [mistake.code for mistake in best.mistakes]
    if "mask: may not attend" in report.details["mistakes"]:
        report.facts["mask"] = "may not attend"
    if others:
        report.notes.append("These would give the same numbers: " + "; ".join(others))
    report.details["or"] = [[m.code for m in other.mistakes] for other in found[1:]]


def _words(found: Found) -> str:
    return " and ".join(mistake.sentence for mistake in found.mistakes)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def _tell_nan(report: Report, run: Run, meant: Model) -> None:
    _tell_facts(report, run, meant)
    nan = np.isnan(run.output)
    report.facts["large_scores"] = "nan"
    report.add(
        "nan",
        f"It gives NaN: {describe(nan)}.",
        share=float(nan.mean()),
    )
    empty = _empty(run, meant)
    if empty == "nan":
        report.facts["large_scores"] = "fine"
        report.notes.append("Queries that may attend to nothing are NaN.")


def _tell_coarse(report: Report, run: Run, meant: Model, fmt: Format) -> None:
    _tell_facts(report, run, meant)
    report.unexplained = (
        f"The numbers are right to about {fmt.bits} bits only, and {run.format.name} "
        f"has {run.format.bits}: it computes in a narrower format (if so, dtype="
        f"'{fmt.name}' says it), or there is a small mistake that I do not know."
    )
    report.details["right_to"] = fmt.name


def _tell_unknown(report: Report, run: Run, meant: Model) -> None:
    _tell_facts(report, run, meant)
    for fact in ("scale", "scale_name", "alignment", "normalized"):
        report.facts[fact] = None
    wrong, worst = find_wrong(run, meant), run.error_everywhere(meant, stop=False)
    report.add(
        "unknown",
        f"No known mistake explains this; {describe(wrong)}.",
        **{"largest error, in units of rounding": worst},
    )
    report.details["wrong"] = describe(wrong)
