"""The facts of a run: those of the model that explains it."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.model import Model, scale_of
from attncheck.patterns import Band, name_band
from attncheck.reading.run import Run
from attncheck.report import Report
from attncheck.scales import name_scale


def facts_of(model: Model, n_heads: int, n_kv_heads: int, d: int) -> dict[str, Any]:
    """Return the facts that a model alone tells."""
    scale = scale_of(model.scale, d, n_heads)
    named = name_scale({(d, n_heads): scale}, 1e-4)
    band = Band(*model.window, corner=model.corner)
    alignment, window = name_band(band)
    sums = {"keys": "keys", "queries": "queries", "sink": "sink", "hard": "keys"}
    sums |= {"twice": "keys", "relu": "keys", "averaged": "keys"}
    sums |= {"all not rescaled": "keys"}
    facts = {
        "scale": scale,
        "scale_name": model.scale if isinstance(model.scale, str) else named,
        "softcap": model.softcap,
        "alignment": alignment,
        "window": window,
        "normalized": sums.get(model.normalized.partition(",")[0], "no"),
        "grouping": None,
        "layout": "bhnd",
    }
    if n_heads != n_kv_heads:
        facts["grouping"] = {"first": "other"}.get(model.grouping, model.grouping)
    return facts


def tell_facts(report: Report, run: Run, model: Model) -> None:
    """Fill in the facts that a model and the output tell."""
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
    facts["empty_row"] = empty_row(run, model)


def empty_row(run: Run, model: Model) -> str:
    """Say what a query without a key gets, if there is one."""
    if model.over_queries or model.moves_rows:
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
