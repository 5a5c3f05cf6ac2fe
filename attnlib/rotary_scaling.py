"""Rotary positions beyond the length a model was trained on: slower rotations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._checks import require

LENGTH = "original_max_position_embeddings"
# The keys that each kind of scaling requires, and the optional ones.
NEEDED = {
    "default": (),
    "linear": ("factor",),
    "dynamic": ("factor", LENGTH),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", LENGTH),
    "yarn": ("factor", LENGTH),
    "longrope": ("factor", "short_factor", "long_factor", LENGTH),
}
OPTIONAL = {
    "yarn": (
        *("attention_factor", "mscale", "mscale_all_dim"),
        *("beta_fast", "beta_slow", "truncate"),
    ),
    "longrope": ("attention_factor",),
}
ELSEWHERE = {"rope_theta": "base", "partial_rotary_factor": "rotary_dim"}


def rotary_frequencies(
    rotary_dim: int,
    *,
    base: float = 10_000.0,
    scaling: Mapping[str, Any] | None = None,
    n_positions: int = 1,
) -> tuple[np.ndarray[Any, Any], float]:
    r"""Compute how fast each pair of columns rotates, in radians per position.

    Without scaling, pair i has the frequency :math:`base^{-2i / rotary\_dim}`.

    Parameters
    ----------
    rotary_dim : int
        Even: two columns for each pair.
    base : number
        Positive.
    scaling : dict, optional
        The `rope_scaling` of a model's `config.json`: `rope_type` is its kind, and
        `original_max_position_embeddings` the length of sequences in training.

        ``linear``
            All pairs rotate `factor` times as slowly.
        ``dynamic``
            The base grows with the number of positions beyond the configuration's
            `max_position_embeddings`.
        ``llama3``
            Pairs that turn less than `low_freq_factor` times in the original length
            rotate `factor` times as slowly, those that turn more than
            `high_freq_factor` times are unchanged, and the rest mix both frequencies.
        ``yarn``
            The same with a mixture that is linear in i, from `beta_fast` (32) turns
            to `beta_slow` (1); unless `truncate` is False, both ends are rounded
            outward to a pair. All rotated columns are multiplied by
            `attention_factor`, by default 0.1 ln(factor) + 1. With `mscale` m and
            `mscale_all_dim` a, neither of them 0, the default is
            (0.1 m ln(factor) + 1) / (0.1 a ln(factor) + 1); one of them alone changes
            nothing. For a factor below 1, ln counts as 0.
        ``longrope``
            Pair i rotates `long_factor[i]` times as slowly beyond the original length,
            else `short_factor[i]` times. `attention_factor` is √(1 + ln(factor) /
            ln(original)) by default.
    n_positions : int
        The length of the sequence, for the kinds that depend on it.

    Returns
    -------
    frequencies : NumPy array of float64, (rotary_dim / 2,)
    attention_factor : float
        Multiplies cosines and sines: 1 except for ``yarn`` and ``longrope``.

    Examples
    --------
    >>> rotary_frequencies(4, scaling={"rope_type": "linear", "factor": 2.0})[0]
    array([0.5  , 0.005])

    References
    ----------
    Peng et al. (2023), YaRN, section 3. Ding et al. (2024), LongRoPE. Grattafiori et
    al. (2024), The Llama 3 Herd of Models. `mscale` and `mscale_all_dim` are those of
    DeepSeek-AI (2024), DeepSeek-V2, as `transformers` reads them
    (`modeling_rope_utils.py`). The numbers are those of `transformers`.
    """
    operation = "rotary_frequencies"
    rule = "rotary_dim must be even"
    rotary_dim = check.count(operation, "rotary_dim", rotary_dim)
    require(rotary_dim % 2 == 0, operation, rule, rotary_dim=rotary_dim)
    base = check.number(operation, "base", base, positive=True)
    n_positions = check.count(operation, "n_positions", n_positions, minimum=0)
    scaling = check_scaling(operation, scaling, rotary_dim)
    periods, factor = rotary_periods(rotary_dim, base, scaling, n_positions)
    return 1 / periods, factor


def rotary_periods(
    rotary_dim: int, base: float, scaling: Mapping[str, Any], n_positions: int
) -> tuple[np.ndarray[Any, Any], float]:
    """Return the positions each pair takes per radian, and the attention factor."""
    if scaling["rope_type"] == "dynamic":
        factor, original = scaling["factor"], scaling[LENGTH]
        stretch = factor * max(n_positions, original) / original - (factor - 1)
        base *= stretch ** (rotary_dim / (rotary_dim - 2))
    periods = base ** (np.arange(0, rotary_dim, 2) / rotary_dim)
    if rescale := RESCALE.get(scaling["rope_type"]):
        periods = rescale(periods, base, scaling, n_positions)
    return periods, _attention_factor(scaling)


def _llama3(periods: Any, base: float, scaling: Any, n: int) -> Any:
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    turns = scaling[LENGTH] / (2 * np.pi * periods)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return periods / (kept + (1 - kept) / scaling["factor"])


def _yarn(periods: Any, base: float, scaling: Any, n: int) -> Any:
    first, last = (
        # The fractional index of the pair that turns this often in that length.
        len(periods) * math.log(scaling[LENGTH] / (2 * np.pi * turns)) / math.log(base)
        for turns in (scaling.get("beta_fast") or 32, scaling.get("beta_slow") or 1)
    )
    if scaling.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, 2 * len(periods) - 1)
    width = last - first or 0.001
    kept = 1 - np.clip((np.arange(len(periods)) - first) / width, 0, 1)
    return periods / (kept + (1 - kept) / scaling["factor"])


def _longrope(periods: Any, base: float, scaling: Any, n: int) -> Any:
    name = "long_factor" if n > scaling[LENGTH] else "short_factor"
    return periods * np.asarray(scaling[name])


RESCALE: dict[str, Callable[..., Any]] = {
    "linear": lambda periods, _, scaling, n: periods * scaling["factor"],
    "llama3": _llama3,
    "yarn": _yarn,
    "longrope": _longrope,
}


def _attention_factor(scaling: Mapping[str, Any]) -> Any:
    """Return the factor that multiplies cosines and sines."""
    kind, factor = scaling["rope_type"], scaling.get("factor", 1.0)
    if kind not in ("yarn", "longrope"):
        return 1.0
    if scaling.get("attention_factor") is not None:
        return scaling["attention_factor"]
    if kind == "longrope":
        growth = math.log(max(factor, 1.0)) / math.log(scaling[LENGTH])
        return math.sqrt(1 + growth)
    above, below = scaling.get("mscale"), scaling.get("mscale_all_dim")
    if not above or not below:
        above, below = 1.0, 0.0
    growth = 0.1 * math.log(max(factor, 1.0))
    return (above * growth + 1) / (below * growth + 1)


def check_scaling(operation: str, scaling: Any, rotary_dim: int) -> Mapping[str, Any]:
    """Check a `rope_scaling`; return it with every key that its kind needs."""
    if scaling is None:
        return {"rope_type": "default"}
    rule = "scaling must be a dict, such as a configuration's rope_scaling"
    require(isinstance(scaling, Mapping), operation, rule, scaling=scaling)
    given = {name: x for name, x in scaling.items() if x is not None}
    kind = given.pop("type", None)
    kind = given.pop("rope_type", kind)
    rule = f"rope_type of scaling must be one of {', '.join(NEEDED)}"
    require(isinstance(kind, str) and kind in NEEDED, operation, rule, rope_type=kind)
    _use_longest(kind, given)
    for name in given:
        rule = f"scaling of rope_type {kind!r} has no {name}"
        if name in ELSEWHERE:
            rule += f": it is given as {ELSEWHERE[name]}="
        known = name in NEEDED[kind] + OPTIONAL.get(kind, ())
        require(known, operation, rule, scaling=sorted(given))
    for name in NEEDED[kind]:
        rule = f"scaling of rope_type {kind!r} needs {name}"
        require(name in given, operation, rule, scaling=sorted(given))
    checked = {n: _check_key(operation, n, x, rotary_dim) for n, x in given.items()}
    rule = "high_freq_factor of scaling must be more than low_freq_factor"
    if kind == "llama3":
        fits = checked["high_freq_factor"] > checked["low_freq_factor"]
        require(fits, operation, rule, scaling=checked)
    rule = "dynamic scaling needs a rotary_dim of more than 2"
    require(kind != "dynamic" or rotary_dim > 2, operation, rule, rotary_dim=rotary_dim)
    return {"rope_type": kind, **checked}


def _use_longest(kind: str, given: dict[str, Any]) -> None:
    """Replace `max_position_embeddings` with the key it stands for in this kind."""
    longest = given.pop("max_position_embeddings", None)
    if longest is not None and kind == "dynamic":
        given[LENGTH] = longest
    elif longest is not None and given.get(LENGTH) and "factor" in NEEDED[kind]:
        given.setdefault("factor", longest / given[LENGTH])


def _check_key(operation: str, name: str, x: Any, rotary_dim: int) -> Any:
    """Check one value of a scaling: a number, a flag, or a number for each pair."""
    label = f"{name} of scaling"
    if name == "truncate":
        check.flag(operation, label, x)
        return bool(x)
    if name in ("short_factor", "long_factor"):
        rule = f"{label} must be {rotary_dim // 2} positive numbers, one for each pair"
        factors = np.asarray(x, float)
        fits = factors.shape == (rotary_dim // 2,) and (factors > 0).all()
        require(bool(fits), operation, rule, **{name: x})
        return factors
    if name == LENGTH:
        return check.count(operation, label, x)
    return check.number(operation, label, x, positive=not name.startswith("mscale"))
