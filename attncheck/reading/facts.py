"""The facts of a run: those of the model that explains it."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.model import Model, scale_of
from attncheck.patterns import Band, name_band
from attncheck.reading.run import Run
from attncheck.report import Report
from attncheck.rules import Rule
from attncheck.scales import name_scale

OVERFLOWS = 89.0  # a score whose exponential float32 cannot hold


def facts_of(model: Model, n_heads: int, n_kv_heads: int, d: int) -> dict[str, Any]:
    """Return the facts that a model alone tells."""
    scale = scale_of(model.scale, d, n_heads)
    named = name_scale({(d, n_heads): scale}, 1e-4)
    band = Band(*model.window, corner=model.corner)
    name, window = name_band(band)
    moved = bool(np.ndim(model.offset) or model.offset)  # a corner of its own
    alignment = None if moved and name != "none" else name
    sums = {"keys": "keys", "queries": "queries", "sink": "sink", "hard": "keys"}
    sums |= {"twice": "keys", "relu": "keys", "averaged": "keys"}
    sums |= {"all not rescaled": "keys", "ends": "keys", "overlap": "keys"}
    sums |= {"by maximum": "keys", "by sum": "keys", "clamped": "keys"}
    sums |= {"key maximum": "keys", "maximum of another": "keys"}
    way = model.normalized.partition(",")[0].partition(" in ")[0]
    facts = {
        "scale": scale,
        "scale_name": model.scale if isinstance(model.scale, str) else named,
        "softcap": model.softcap,
        "alignment": alignment,
        "window": window,
        "normalized": sums.get(way, "no"),
        "grouping": None,
        "layout": "bhnd",
    }
    rule = getattr(model.picture, "__self__", None)  # of a mask that is no band
    if isinstance(rule, Rule):
        kept = rule.band if rule.keeps_its_band else None
        facts["alignment"], facts["window"] = name_band(kept) if kept else (None, None)
    if n_heads != n_kv_heads:
        known = model.grouping in ("repeat", "tile")
        facts["grouping"] = model.grouping if known else "other"
    return facts


def tell_facts(report: Report, run: Run, model: Model) -> None:
    """Fill in the facts that a model and the output tell."""
    s, facts = run.sizes, report.facts
    facts.update(facts_of(model, s.n_heads, s.n_kv_heads, s.d))
    if model.offset is not None and not np.ndim(model.offset) and model.offset:
        report.details["query_offset"] = int(model.offset)
        at_end = model.corner == "start" and model.offset == s.m - s.n
        if at_end and facts["alignment"] is None:
            ended = facts_of(model.change(offset=0, corner="end"), 1, 1, 1)
            facts["alignment"] = ended["alignment"]
    if model.rotary is not None or model.slopes is not None:
        facts["position"] = "rotary" if model.rotary is not None else "alibi"
    if model.masked == "after":
        facts["mask"], facts["normalized"] = "multiplied after", "no"
    elif model.allowed is not None:
        facts["mask"] = "may attend"
    elif model.bias is not None:
        facts["mask"] = "added"
    facts["large_scores"] = _large(run, model)
    facts["empty_row"] = empty_row(run, model)


def _large(run: Run, model: Model) -> str | None:
    """Say what scores gave whose exponentials overflow; None if there were none."""
    if not np.isfinite(run.output).all():
        return "nan"
    scale = scale_of(model.scale, run.sizes.d, run.sizes.n_heads)
    longest = [np.linalg.norm(x, axis=-1).max() for x in (run.query, run.key)]
    if abs(scale) * longest[0] * longest[1] <= OVERFLOWS:
        return None
    parts = (run.compute(model, rows).scores for rows in run.chunks())
    largest = (np.abs(x[np.isfinite(x)]).max(initial=0) for x in parts)
    return "fine" if any(x > OVERFLOWS for x in largest) else None


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
