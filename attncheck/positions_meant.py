"""Rotary positions and ALiBi's slopes: what was meant of them, and what is usual."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.report import Report
from attnlib import alibi_bias, rotary_frequencies

NEAR = 0.03  # bases and slopes are measured
USUAL = "1/√d_k"  # the scale
MORE = ("rotary", "slopes")  # what `meant` may name beside the facts


def check_positions(meant: dict[str, Any]) -> None:
    """Refuse what `rotary` and `slopes` of `meant` cannot be.

    Raises
    ------
    ValueError
        If rotary is no dict of base, interleaved and rotary_dim, or slopes are neither
        "published" nor numbers.
    """
    rotary, slopes = meant.get("rotary", {}), meant.get("slopes", "published")
    names = ("base", "interleaved", "rotary_dim", "scaling")
    if not isinstance(rotary, dict) or set(rotary) - set(names):
        rule = f"rotary is a dict of {', '.join(names)}"
        raise ValueError(f"ask: in meant, {rule}, got {rotary!r}")
    _check_scaling(rotary.get("scaling"))
    if slopes != "published" and (isinstance(slopes, str) or not np.ndim(slopes)):
        rule = 'slopes are "published" or a number for each head'
        raise ValueError(f"ask: in meant, {rule}, got {slopes!r}")


def _check_scaling(scaling: Any) -> None:
    """Refuse what is no `rope_scaling`."""
    per_pair = scaling.get("long_factor") if isinstance(scaling, dict) else None
    d = 2 * len(per_pair) if isinstance(per_pair, list) else 64
    try:
        rotary_frequencies(d, scaling=scaling)
    except ValueError as error:
        raise ValueError(f"ask: in meant, rotary's scaling: {error}") from error


def scaling_in_words(rotary: dict[str, Any]) -> str:
    """Say how angles are scaled, after a semicolon; empty if they are not."""
    if "step" in rotary:
        return f"; places are multiplied by {rotary['step']:.3g}"
    scaling = rotary.get("scaling")
    return f"; the angles are scaled: {_named(scaling)}" if scaling else ""


def _named(scaling: dict[str, Any] | None) -> str:
    """Name a scaling, with its numbers."""
    if scaling is None:
        return "none"
    names = [name for name in scaling if name not in ("rope_type", "type")]
    numbers = {name: x for name in names if not isinstance(x := scaling[name], list)}
    shown = ", ".join(f"{name} {x}" for name, x in numbers.items())
    return f"{scaling.get('rope_type', scaling.get('type'))} ({shown})"


def kind_of_positions(report: Report, meant: dict[str, Any]) -> dict[str, str]:
    """Return the position that is meant where its rotary or slopes alone are named.

    Nothing where a known mistake says already what became of it.
    """
    if any(p.code.startswith(("rotary", "alibi")) for p in report.problems):
        return {}
    kinds = {"rotary": "rotary", "slopes": "alibi"}
    named = [kind for name, kind in kinds.items() if name in meant]
    return {"position": named[0]} if len(named) == 1 else {}


def compare_positions(report: Report, meant: dict[str, Any]) -> None:
    """Add the problem that positions are not those that were meant."""
    found = report.details.get("rotary")
    wanted = meant.get("rotary")
    if wanted is not None and found is not None:
        if report.details.get("scaling_untold") and "scaling" not in found:
            wanted = {name: x for name, x in wanted.items() if name != "scaling"}
            words = "On probes as short as these, the scaling of rotary angles that was"
            report.notes.append(f"{words} meant cannot be told from none.")
        differ = {n: x for n, x in wanted.items() if not _near(found.get(n), x)}
        if "scaling" in found and "scaling" not in wanted:
            words = f"their angles are scaled: {_named(found['scaling'])}"
            report.add("rotary-scaling", f"Rotary positions: {words}.")
        if "step" in found and "step" not in wanted:
            words = f"Rotary positions: places are multiplied by {found['step']:.3g}."
            report.add("rotary-step", words)
        for name, x in differ.items():
            told = _named if name == "scaling" else _in_digits
            words = f"{name} was meant to be {told(x)}; it is {told(found.get(name))}"
            why = _why_base(found, x) if name == "base" else ""
            code = f"rotary-{name.replace('_', '-')}"
            report.add(code, f"Rotary positions: {words}{why}.")
        if found.get("backwards"):
            words = "Rotary positions turn in the opposite direction."
            report.add("rotary-backwards", words)
    slopes = report.details.get("slopes")
    if "slopes" in meant and slopes and min(map(min, slopes.values())) >= 0:
        _compare_slopes(report, slopes, meant["slopes"])


def _in_digits(x: Any) -> str:
    """Write a number with six digits; anything else as it is."""
    return repr(float(f"{x:.6g}")) if isinstance(x, float) else repr(x)


def _why_base(found: dict[str, Any], wanted: float) -> str:
    """Say whether angles run to 1/base itself, as a base that goes with columns."""
    half = found["rotary_dim"] / 2
    if not found["base"] or abs(found["base"] ** (1 - 1 / half) / wanted - 1) > 0.01:
        return ""
    return (
        f" at {2 * half:.0f} columns, as when pair i turns by {wanted:g}^(−i/"
        f"({half:.0f} − 1)), not {wanted:g}^(−i/{half:.0f})"
    )


def _compare_slopes(report: Report, found: dict[str, Any], wanted: Any) -> None:
    """Compare with the paper's slopes, or with numbers, one for each head."""
    published = {h: -np.asarray(alibi_bias(int(h), 2))[:, 1, 0] for h in found}
    expected = published if isinstance(wanted, str) else {str(len(wanted)): wanted}
    for heads, slopes in expected.items():
        if heads not in found:
            told = " or ".join(found)
            words = f"Slopes were told of {told} heads; {heads} were meant."
            report.notes.append(words)
        elif not np.allclose(found[heads], np.asarray(slopes, float), rtol=NEAR):
            words = f"The slopes of {heads} heads are not those that were meant."
            why = _why(report, np.array(found[heads]), np.asarray(slopes, float))
            words = f"{words}{why}"
            report.add("slopes", words, **{"meant": slopes, "found": found[heads]})


def _why(report: Report, found: np.ndarray, wanted: np.ndarray) -> str:
    """Say how slopes became others, if it is by a factor, or by their order."""
    for order, words in ((1, ""), (-1, "They are in reversed order. ")):
        times = found[::order] / wanted
        if np.ptp(times) > NEAR * abs(times.mean()):
            continue
        factor, scale = float(times.mean()), report.facts["scale"]
        if abs(factor - 1) <= NEAR:
            return f" {words}".rstrip()
        if scale and abs(factor / scale - 1) <= NEAR:
            return f" {words}They are added before the scale: it multiplies them too."
        return f" {words}Each is {factor:.4g} times as large."
    return ""


def _near(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return bool(found == wanted)
    return bool(abs(found - wanted) <= NEAR * abs(wanted))


def remarks(report: Report, meant: dict[str, Any]) -> list[str]:
    """Return what the verdict has to add: nobody said whether it is meant."""
    found, asked = [], set(meant)
    name = report.facts["scale_name"]
    unusual = name is not None and name != USUAL
    if unusual and not asked & {"scale", "scale_name"}:
        few = "with few tokens, " * report.tells_of("wrong-when-long")
        found.append(f"{few}its scale is {name}")
    lost = report.tells_of("low-scores-lost")  # of low scores alone, and told
    if report.facts["large_scores"] == "nan" and not lost | ("large_scores" in meant):
        top = report.details["nan_at"]
        found.append(f"with random scores of up to {top:.4g} it gives NaN")
    if report.facts["normalized"] == "sink" and "normalized" not in meant:
        found.append("a sink takes part of each query's weight")
    if report.details.get("slopes_as_published") is False and "slopes" not in meant:
        found.append(
            "its ALiBi slopes for 6 heads are not those of the authors' own code"
            if report.details.get("slopes_of_8_as_published")
            else "its ALiBi slopes are not those of the paper"
        )
    elif report.facts["position"] == "alibi" and not asked & {"position", "slopes"}:
        found.append("its scores fall with distance (ALiBi)")
    elif "relative_bias" in report.details and "position" not in meant:
        found.append("a bias that depends on key − query is added to its scores")
    if "slopes_signed" in report.details and report.facts["alignment"] == "none":
        found.append("its scores rise from each key to the next, later keys too")
    rotary = report.details.get("rotary")
    wanted = meant.get("rotary", {})
    if rotary is not None and "rotary" in meant and "rotary_dim" not in wanted:
        if rotary["rotary_dim"] != report.details["columns"]:
            turned = f"{rotary['rotary_dim']} of {report.details['columns']} columns"
            found.append(f"{turned} are rotated")
    elif rotary is not None and "rotary" not in meant:
        unusual = _unusual(rotary, report.details["columns"])
        if unusual:
            found.append(f"its rotary positions have {', '.join(unusual)}")
        elif "position" not in meant:
            found.append("queries and keys are rotated by their place (rotary)")
    return found


def _unusual(rotary: dict[str, Any], columns: int) -> list[str]:
    """Say how rotary positions differ from halves of all columns, base 10,000."""
    words = []
    if rotary["interleaved"]:
        words.append("pairs of neighbors (halves are more common)")
    if not _near(rotary["base"], 10_000):
        words.append(f"base {rotary['base']:,.6g} (10,000 is more common)")
    if rotary["rotary_dim"] != columns:
        words.append(f"{rotary['rotary_dim']} of {columns} columns")
    if rotary.get("backwards"):
        words.append("the opposite direction")
    if "scaling" in rotary:
        words.append(f"angles that are scaled: {_named(rotary['scaling'])}")
    if "step" in rotary:
        words.append(f"places multiplied by {rotary['step']:.3g}")
    return words
