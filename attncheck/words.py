"""A claim in words, made from its fields; and where in a call it is wrong."""

from collections.abc import Callable, Iterable
from textwrap import wrap
from typing import Any

import numpy as np

from attncheck.claim import Claim, Claimed, Regimes, Run, differing
from attncheck.model.domain import DOMAIN
from attncheck.model.fields import Measured, Model
from attncheck.model.moves import slopes_of
from attncheck.plan import Call
from attncheck.verify import Verdict, marked_along

WIDTH = 88


def bullets(lines: Iterable[str], bullet: str = "- ") -> list[str]:
    """Wrap each line behind a bullet."""
    space = " " * len(bullet)
    return [
        part
        for line in lines
        for part in wrap(line, WIDTH, initial_indent=bullet, subsequent_indent=space)
    ]


def as_plain(x: Any) -> Any:
    """Return numbers, lists and dicts of Python, with what is not finite as text."""
    if isinstance(x, dict):
        return {str(name): as_plain(y) for name, y in x.items()}
    if isinstance(x, list | tuple):
        return [as_plain(y) for y in x]
    if isinstance(x, np.ndarray | np.generic):
        return as_plain(x.tolist())
    if isinstance(x, float) and not np.isfinite(x):
        return str(x)
    return x


AXES = ("batch items", "heads", "queries", "columns")
ONE = dict(zip(AXES, ("batch item", "head", "query", "column"), strict=True))
BLOCKS = (256, 128, 64, 32, 16, 8)


def places(wrong: np.ndarray | None) -> dict[str, Any]:
    """Return how many of (b, h, n, d_v) differ, and where if not along a whole axis."""
    if wrong is None:
        return {"shapes": "do not fit"}
    found: dict[str, Any] = {"wrong": int(wrong.sum()), "of": int(wrong.size)}
    for name, some in zip(AXES, marked_along(wrong), strict=True):
        if not some.all():
            found[name] = np.flatnonzero(some).tolist()
            found[f"of {name}"] = len(some)
    return found


def describe(where: dict[str, Any]) -> str:
    """Say it in words."""
    if "shapes" in where:
        return "the shape is another"
    share = where["wrong"] / max(where["of"], 1)
    if share == 1:
        return "every number differs"
    words = f"{min(share, 0.99):.0%} of the numbers differ"
    if share < 0.005:
        differ = "differs" if where["wrong"] == 1 else "differ"
        words = f"{where['wrong']} of {where['of']:,} numbers {differ}"
    on = []
    for name in AXES:
        if name in where:
            one = len(where[name]) == 1
            shown = ONE[name] if one else name
            on.append(f"{shown} {name_places(where[name])} of {where[f'of {name}']}")
    return f"{words}, in {', '.join(on)}" if on else words


def name_places(found: list[int]) -> str:
    """Write places 3, 4, 5 as 3–5, and say where blocks begin."""
    if len(found) < 3:
        return " and ".join(map(str, found)) or "none"
    first, steps = found[0], {*np.diff(found).tolist()}
    if steps == {1}:
        block = next((b for b in BLOCKS if first and first % b == 0), None)
        note = f" (from a multiple of {block} on)" if block else ""
        return f"{first}–{found[-1]}{note}"
    if len(steps) == 1:
        return f"{first}, {found[1]}, … (every {steps.pop()})"
    return ", ".join(map(str, found[:4])) + ", …" * (len(found) > 4)


SIZES = ("id", "b", "h", "g", "n", "m", "d", "d_v", "shows")


def rows_of(
    calls: list[Call],
    runs: list[Run],
    verdicts: list[Verdict],
    claim: Claimed | None = None,
) -> list[dict[str, Any]]:
    """Return a row for each call: its sizes, whether it is explained, and where not.

    "overflow": numbers past the range of exp are no longer those of the model. "model":
    which of two, 1 where their condition is true.
    """
    rows = []
    for call, run, verdict in zip(calls, runs, verdicts, strict=True):
        row = {name: getattr(call, name) for name in SIZES}
        row |= {"mask": None, "explained": verdict.ok, "overflow": verdict.lost}
        row["model"] = int(isinstance(claim, Regimes) and run.of(claim.where))
        row["where"] = {} if verdict.ok else places(verdict.wrong)
        rows.append(row)
    return rows


PLAIN = "softmax(query · key / √d_k) · value"
SHOWN = 8  # of the heads whose slopes or sinks are shown


def describe_claim(claim: Claimed) -> str:
    """Return what a claim computes: the fields that are not those of plain attention.

    Examples
    --------
    >>> describe_claim(Claim(Model(window=(None, 0), scale=1.0)))
    'scores × 1; causal: query i sees the keys j ≤ i'
    """
    if isinstance(claim, Regimes):
        one, rest = map(describe_claim, (claim.one, claim.rest))
        return f"where {claim.words}: {one}; elsewhere: {rest}"
    return "; ".join(words for _, words in parts(claim, Model())) or PLAIN


def parts(claim: Claim, beside: Model) -> list[tuple[str, str]]:
    """Return a code and words for each field that is not as in another model."""
    model = claim.base.change(**dict(claim.fitted))
    later = {name for name, _ in claim.fitted} | {x.field for x in claim.values}
    codes = {"rounded": "few-bits"}
    if model.window != (None, None):
        codes["alignment"] = "window"
    names = [name for name in differing(claim.base, beside) if name not in later]
    found = [(codes.get(x, x), _of_field(x, claim.base)) for x in names]
    found += [(value.field, value.words) for value in claim.values]
    found += [(name, _of_field(name, model)) for name, _ in claim.fitted]
    if claim.format:
        found.append(("few-bits", f"right to the bits of {claim.format} only"))
    return [pair for pair in dict.fromkeys(found) if pair[1]]


def _of_field(name: str, model: Model) -> str:
    x = getattr(model, name)
    if name in WORDS:
        return WORDS[name](x, model)
    known = {value.name: value.words for value in DOMAIN.get(name, [])}
    return known.get(x, f"{name} {x}")


def _window(x: Any, model: Model) -> str:
    left, right = x
    more = " + n_keys − n_queries" if model.alignment == "end" else ""
    if left is None:
        side = f" {'+' if right > 0 else '−'} {abs(right)}" if right else ""
        return f"causal: query i sees the keys j ≤ i{more}{side}"
    after = f"i {'+' if right > 0 else '−'} {abs(right)}" if right else "i"
    if right is None:
        side = f" {'−' if left > 0 else '+'} {abs(left)}" if left else ""
        return f"query i sees the keys j ≥ i{more}{side}"
    where = f", from i{more}" if more else ""
    return f"a window: query i sees the keys i − {left} … {after}{where}"


def _rotary(x: dict[str, Any], model: Model) -> str:
    how = "neighbors" if x.get("interleaved") else "halves"
    words = f"rotary positions, pairs of {how}, base {x.get('base', 1e4):,.6g}"
    part = x.get("part", 1.0)
    if part != 1:
        words += f", {part:.0%} of the columns" if part < 1 else f", {part:g} columns"
    return words + (f", places × {x['step']:g}" if "step" in x else "")


WORDS: dict[str, Callable[[Any, Model], str]] = {
    "scale": lambda x, m: f"scores × {_number(x)}",
    "softcap": lambda x, m: (
        f"scores {'clipped' if m.squash == 'clip' else 'capped'} "
        f"{'before the scale' if callable(x) else f'at {x:.6g}'}"
    ),
    "squash": lambda x, m: "",
    "window": _window,
    "alignment": lambda x, m: (
        "places from the last key" if m.window == (None, None) else _window(m.window, m)
    ),
    "rotary": _rotary,
    "picture": lambda x, m: x.words,
    "normalized": lambda x, m: "",  # its sinks are told
    "factor": lambda x, m: f"weights × {_number(x)}",
    "fill": lambda x, m: f"hidden scores become {x:g}, not −∞".replace("-", "−"),
    "order": lambda x, m: "the cap follows the mask",
    "slopes_signed": lambda x, m: "later keys get more, by their distance",
    "slopes_from": lambda x, m: f"distances from the {x}",
    "slopes": lambda x, m: f"ALiBi with the slopes {_by_heads(x)}{_other_slopes(x)}",
    "sink": lambda x, m: f"sinks {_by_heads(x)}",
    "relative": lambda x, m: (
        "a bias that depends on key − query alone, measured for "
        f"{', '.join(str(h) for h in _measured(x))} heads"
    ),
    "allowed": lambda x, m: "the mask that was passed",
    "bias": lambda x, m: "the mask that was passed is added",
    "heads": lambda x, m: "query heads read other key and value heads than their own",
    "places": lambda x, m: "the mask was read at each size: it follows no known rule",
    "rounded": lambda x, m: f"queries and keys are rounded to {x} first",
}


def _number(x: Any) -> str:
    return str(x) if isinstance(x, str) or callable(x) else f"{x:.6g}"


def _measured(x: Any) -> dict[int, np.ndarray]:
    """Return what was measured by the number of heads."""
    if isinstance(x, Measured):
        return {h: values for (h,), values in x.values.items()}
    return {len(x): x}


def _by_heads(x: Any) -> str:
    values = _measured(x)
    heads = max((h for h in values if h <= SHOWN), default=min(values))
    shown = " ".join(f"{round(number, 6) + 0.0:.4g}" for number in values[heads])
    return f"{shown} (of {heads} head{'s' * (heads > 1)})"


def unpublished(slopes: Any) -> list[int]:
    """Return the numbers of heads for which slopes are other than ALiBi's."""
    measured = _measured(slopes).items()
    return [h for h, y in measured if not np.allclose(y, slopes_of(h), rtol=1e-3)]


def _other_slopes(x: Any) -> str:
    others = ", ".join(map(str, unpublished(x)))
    return f", other than published for {others} heads" if others else ""
