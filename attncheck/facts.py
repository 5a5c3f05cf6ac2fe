"""Facts: a dict with fixed keys, rendered from a claim that explains all calls."""

from itertools import compress
from typing import Any

from attncheck.claim import Claim, Claimed
from attncheck.guess.bands import name_window
from attncheck.guess.scales import name_scale
from attncheck.model import SCALES, Model, scale_of
from attncheck.plan import Call
from attncheck.run import Run
from attncheck.verify import Verdict

FACTS = (
    *("scale", "scale_name", "softcap", "alignment", "window", "normalized", "mask"),
    *("grouping", "position", "empty_row", "large_scores", "layout"),
)
AS_KEYS = ("keys", "sink", "queries")
OF_KEYS = ("keys, no maximum", "twice", "relu", "hard", "key maximum", "averaged")
BLOCKS_OF_KEYS = (
    *("maximum of another", "all not rescaled", "ends", "overlap", "clamped"),
    *("by maximum", "by sum"),
)
PREFERRED = ("length-24", "plain", "length-12")


def facts_of(
    claim: Claimed,
    calls: list[Call],
    runs: list[Run],
    verdicts: list[Verdict],
    layout: str = "bhnd",
) -> tuple[dict[str, Any], dict[str, tuple[Any, Any]]]:
    """Render the facts; those on which two regimes differ are None, and stand apart."""
    by_part = []
    for part in claim.parts:
        held = [claim.of(run) is part for run in runs]
        some = list(compress(calls, held)), list(compress(runs, held))
        by_part.append(_of_claim(part, *some))
    first, last = by_part[0], by_part[-1]
    apart = {key: (x, last[key]) for key, x in first.items() if x != last[key]}
    found = dict.fromkeys(FACTS) | first | dict.fromkeys(apart)
    kinds = {verdict.empty for verdict in verdicts} - {""}
    found["empty_row"] = kinds.pop() if len(kinds) == 1 else "other" if kinds else None
    lost = any(verdict.lost for verdict in verdicts)
    found["large_scores"] = "nan" if lost else "fine"
    found["layout"] = layout
    return found, apart


def _of_claim(claim: Claim, calls: list[Call], runs: list[Run]) -> dict[str, Any]:
    at = {call.id: run for call, run in zip(calls, runs, strict=True)}
    run = next((at[name] for name in PREFERRED if name in at), runs[0])
    wide = next((r for r in runs if 1 < r.sizes.n < r.sizes.m), run)
    model, of_wide, s = claim.at(run), claim.at(wide), run.sizes
    scale = scale_of(model.scale, s.d, s.n_heads)
    alignment, window = _band(of_wide)
    if model.places is not None:
        alignment, window = None, None
    return {
        "scale": scale,
        "scale_name": _scale_name(claim, model, run),
        "softcap": model.softcap if model.squash == "tanh" else None,
        "alignment": alignment,
        "window": window,
        "normalized": _normalized(model, of_wide),
        "grouping": _grouping(claim, calls, runs),
        "position": None if model.places is not None else _position(model),
    }


def _scale_name(claim: Claim, model: Model, run: Run) -> str:
    rule = dict(claim.fitted).get("scale")
    if callable(rule):
        return str(rule)
    named = [v.name for v in claim.values if v.field == "scale" and v.name in SCALES]
    if named or isinstance(model.scale, str):
        return named[-1] if named else str(model.scale)
    if not rule and model.scale == claim.base.scale:
        return f"{model.scale:.5g}"
    s = run.sizes
    return name_scale({(s.d, s.n_heads): float(model.scale)}, 1e-4)


def _band(model: Model) -> tuple[str | None, Any]:
    rule = model.picture
    named = rule is None or rule.kind in ("chunks", "kept", "steps")
    return name_window(model) if named else (None, None)


def _normalized(model: Model, wide: Model) -> str:
    if model.factor != 1.0 or "after" in (model.masked, wide.masked):
        return "no"
    if model.kept is not None:
        return "no"
    if model.normalized in AS_KEYS:
        return model.normalized
    way = model.normalized.partition(", ")[0].partition(" in ")[0]
    known = model.normalized in OF_KEYS or way in (*OF_KEYS, *BLOCKS_OF_KEYS)
    return "keys" if known else "queries" if model.normalized == "all" else "no"


def _grouping(claim: Claim, calls: list[Call], runs: list[Run]) -> str:
    pairs = zip(calls, runs, strict=True)
    shared = [claim.at(run) for call, run in pairs if call.g < call.h]
    if not shared:
        return "refused"
    known = claim.base.heads is None and shared[0].grouping in ("repeat", "tile")
    return shared[0].grouping if known else "other"


def _position(model: Model) -> str | None:
    if model.rotary is not None:
        return "rotary"
    if model.slopes is not None:
        return "alibi"
    return "other" if model.relative is not None else None
