"""Facts: what each can be, how a claim is rendered, and what was expected."""

import re
from collections.abc import Callable, Iterator
from itertools import compress
from numbers import Integral, Real
from typing import Any, NamedTuple

from attncheck.claim import Claim, Run
from attncheck.guess.numbers import name_scale
from attncheck.model.fields import SCALES, Model, read_rows, scale_of
from attncheck.plan import Call
from attncheck.subject import CANONICAL
from attncheck.verify import Scored, one_kind
from attncheck.words import rows_of, unpublished

NAMED = (*SCALES, "1/√n_keys")
NUMBER = r"[-+.e\d]+(, whatever d_k is)?"  # a scale that has no other name


KINDS: dict[str, Callable[[Any], bool]] = {
    "a number": lambda x: isinstance(x, Real),
    "the name of a scale": lambda x: x in NAMED,
    "a number in words": lambda x: bool(re.fullmatch(NUMBER, str(x))),
    "two bounds": lambda x: (
        isinstance(x, tuple | list)
        and len(x) == 2
        and all(side is None or isinstance(side, Integral) for side in x)
    ),
    "letters of bhnd": lambda x: (
        isinstance(x, str) and "n" in x and set(x) <= set(CANONICAL)
    ),
}
# What each fact can be, values or kinds; and what it is in plain attention.
TABLE = """
    scale | a number, the name of a scale | any
    scale_name | the name of a scale, a number in words | 1/√d_k
    softcap | a number, None | None
    alignment | none, start, end, strict, one-too-many, inverted | none, start, end
    window | two bounds, None | None
    normalized | keys, queries, sink, no | keys
    mask | may attend, may not attend, added, multiplied after, None | may attend
    grouping | repeat, tile, refused, other | repeat, refused
    position | rotary, alibi, other, None | None
    empty_row | zeros, mean, nan, refused, not reached | zeros, refused, not reached
    large_scores | fine, nan | fine
    layout | letters of bhnd | any
"""
# A fact, and what nobody means by it; expecting it makes it right.
NEVER = """
    alignment | one-too-many | a causal mask one key too wide: query i sees key i + 1
    alignment | inverted | queries see later keys, and none before their own
    alignment | strict | no query sees its own key
    normalized | no | the weights of a query do not add up to 1
    normalized | queries | softmax runs over the queries: the weights of a key add up
     to 1
    large_scores | nan | scores past the range of exp give NaN or 0: their row's largest
     score is not subtracted
    empty_row | other | fully masked rows get one thing here, and another there
"""


class Fact(NamedTuple):
    """What a fact can be; what it is in plain attention; what nobody means by it."""

    known: tuple[str | None, ...]
    plain: tuple[str | None, ...]
    never: dict[Any, str]


def _values(text: str) -> tuple[str | None, ...]:
    return tuple(None if x == "None" else x for x in text.split(", ") if x != "any")


FACTS = {
    name: Fact(
        _values(known),
        _values(plain),
        {value: words for fact, value, words in read_rows(NEVER, 3) if fact == name},
    )
    for name, known, plain in read_rows(TABLE, 3)
}
# What weights add up to 1 over, where not over the keys of each query.
NO_SUM = ("no", "sigmoid", "linear", "heads", "added", "output not rescaled")
TOTALS: dict[str, str] = dict.fromkeys((*NO_SUM, "sum not rescaled"), "no")
TOTALS |= {"queries": "queries", "all": "queries", "sink": "sink"}
PREFERRED = ("length-24", "plain", "length-12")


def render(
    report: Any, best: Scored, calls: list[Call], runs: list[Run], layout: str
) -> None:
    """Write into a report what was found: the claim, its calls, and its facts.

    Those on which two regimes differ are None, and stand apart.
    """
    claim, verdicts = best
    report.claim, report.explained = claim, best.whole
    report.calls = rows_of(calls, runs, verdicts, claim)
    if not best.whole:
        return
    by_part = []
    for part in claim.parts:
        held = [claim.of(run) is part for run in runs]
        some = list(compress(calls, held)), list(compress(runs, held))
        by_part.append(_of_claim(part, *some))
    first, last = by_part[0], by_part[-1]
    if "refused" in (kinds := {first["grouping"], last["grouping"]}):
        known = min(kinds - {"refused"}, default="refused")  # (one part shares none)
        first["grouping"] = last["grouping"] = known
    report.apart = {key: (x, last[key]) for key, x in first.items() if x != last[key]}
    report.facts |= first | dict.fromkeys(report.apart)
    report.facts["empty_row"] = one_kind(verdict.empty for verdict in verdicts) or None
    lost = any(verdict.lost for verdict in verdicts)
    report.facts |= {"large_scores": "nan" if lost else "fine", "layout": layout}


def _of_claim(claim: Claim, calls: list[Call], runs: list[Run]) -> dict[str, Any]:
    at = {call.id: run for call, run in zip(calls, runs, strict=True)}
    run = next((at[name] for name in PREFERRED if name in at), runs[0])
    wide = next((r for r in runs if 1 < r.sizes.n < r.sizes.m), run)
    model, of_wide, s = claim.at(run), claim.at(wide), run.sizes
    scale = scale_of(model.scale, s.d, s.n_heads)
    alignment, window = _band(of_wide)
    return {
        "scale": scale,
        "scale_name": _scale_name(claim, model, run),
        "softcap": model.softcap if model.squash == "tanh" else None,
        "alignment": alignment,
        "window": window,
        "normalized": _normalized(model, of_wide),
        "grouping": _grouping(claim, runs),
        "position": _position(claim, model),
    }


def _scale_name(claim: Claim, model: Model, run: Run) -> str:
    rule, s = dict(claim.fitted).get("scale"), run.sizes
    named = [v.name for v in claim.values if v.field == "scale" and v.name in SCALES]
    if callable(rule) or named or isinstance(model.scale, str):
        return str(rule if callable(rule) else [model.scale, *named][-1])
    if not rule and model.scale == claim.base.scale:
        return f"{model.scale:.5g}"
    return name_scale({(s.d, s.n_heads): float(model.scale)}, 1e-4)


def _band(model: Model) -> tuple[str | None, Any]:
    """Return the alignment and the window, unless no rule that has them is known."""
    (left, right), rule = model.window, model.picture
    known = rule is None or rule.kind in ("chunks", "kept", "steps")
    if model.places is not None or not known:
        return None, None
    strict = {0: model.alignment, -1: "strict"}
    if left is not None and right is not None:
        return strict.get(right, "none"), model.window
    if left is None:
        name = "none" if right is None else {**strict, 1: "one-too-many"}.get(right)
        return (name, None) if name else ("none", model.window)
    return ("inverted", None) if left in (0, -1) else ("none", model.window)


def _normalized(model: Model, wide: Model) -> str:
    late = "after" in (model.masked, wide.masked) or model.kept is not None
    way = model.normalized.partition(", ")[0].partition(" in ")[0]
    return "no" if late or model.factor != 1.0 else TOTALS.get(way, "keys")


def _grouping(claim: Claim, runs: list[Run]) -> str:
    shared = (run for run in runs if run.sizes.n_kv_heads < run.sizes.n_heads)
    run = next(shared, None)
    if run is None:
        return "refused"
    found = claim.at(run).grouping
    known = claim.base.heads is None and found in ("repeat", "tile")
    return found if known else "other"


def _position(claim: Claim, model: Model) -> str | None:
    if model.rotary is not None and model.places is None:
        return "rotary"
    if model.slopes is not None:
        slopes = model.slopes if claim.base.slopes is None else claim.base.slopes
        return "other" if unpublished(slopes) else "alibi"
    return "other" if model.relative is not None else None


def in_our_spelling(expected: dict[str, Any]) -> dict[str, Any]:
    """Return what is expected with the names of scales in their own signs.

    "1/sqrt(d_k)", "1/sqrt(d)" and "d_k**-0.5" are 1/√d_k.
    """
    ours = {_signs(name): name for name in SCALES}
    ours |= {"d_k**−0.5": "1/√d_k", "none": "1 (none)"}
    names = {key: x for key, x in expected.items() if "scale" in key}
    return expected | {
        key: ours.get(_signs(x), x) for key, x in names.items() if isinstance(x, str)
    }


def _signs(name: str) -> str:
    """Leave out spaces and the note in parentheses; write √ for sqrt, d_k for d."""
    name = re.sub(r" \(.*| ", "", name).replace("-", "−").replace("·", "*")
    name = re.sub(r"sqrt\((\w+)\)", r"√\1", re.sub(r"\bd\b", "d_k", name))
    return name.replace("sqrt", "√")


def check_expected(expected: dict[str, Any]) -> None:
    """Refuse a name or a value that no report can have."""
    unknown = set(expected) - set(FACTS)
    if unknown:
        rule = f"expected names facts: {', '.join(FACTS)}"
        raise ValueError(f"ask: {rule}, got {', '.join(map(repr, sorted(unknown)))}")
    for name, value in expected.items():
        known = FACTS[name].known
        if not any(KINDS[x](value) if x in KINDS else x == value for x in known):
            rule = f"is one of {', '.join(map(str, known))}"
            names = f" ({', '.join(NAMED)})" if "scale" in name else ""
            raise ValueError(f"ask: in expected, {name} {rule}{names}, got {value!r}")


NEAR = 1e-3  # of a number: what was measured may be so far off


def compare(
    facts: dict[str, Any], expected: dict[str, Any], apart: dict[str, tuple[Any, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield a code and words for each fact that differs from what was expected.

    `apart`: the facts on which two regimes differ.
    """
    for key, wanted in expected.items():
        if wanted == "not reached":  # whoever hands facts on expects nothing of it
            continue
        named = key == "scale" and isinstance(wanted, str)
        fact = "scale_name" if named else key
        words = f"it is {facts[fact]!r}"
        if fact in apart:
            rest, one = apart[fact]
            words = f"it is {one!r} in some calls, {rest!r} in the others"
        elif _same(facts[fact], wanted):
            continue
        elif facts[fact] is None and None not in FACTS[fact].known:
            of_mask = fact == "alignment"
            words = f"the mask has no {fact}" if of_mask else "has no name"
        code = "scale" if key == "scale_name" else key.replace("_", "-")
        yield code, f"{key} {wanted!r} was expected, and {words}"


def _same(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, Real) and isinstance(got, int | float):
        return abs(got - float(wanted)) <= NEAR * abs(float(wanted))
    if isinstance(wanted, tuple | list):
        return got is not None and tuple(got) == tuple(wanted)
    return bool(got == wanted)
