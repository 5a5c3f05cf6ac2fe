"""A layer's attention, as a configuration says it and as its runs show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attncheck.claim import Claim, Run
from attncheck.layers.recorded import Recorded
from attncheck.model.attending import attend
from attncheck.model.fields import Model, Rule
from attncheck.model.moves import slopes_of
from attncheck.search import search
from attncheck.verify import Verdict, judge
from attncheck.words import describe, describe_claim, parts, places

if TYPE_CHECKING:
    from attnconfig import Facts

# The mask: its alignment, and how many keys after one's own.
SIDES: dict[str, tuple[str, int | None]] = {
    "end": ("end", 0),
    "start": ("start", 0),
    "none": ("end", None),
    "strict": ("end", -1),
    "one-too-many": ("end", 1),
}
NO_SINKS: dict[str, Any] = {"normalized": "keys", "sink": None}
SHARED = {"repeat": "neighbors share", "tile": "every so many share"}
LEAST = 1e-5  # of a sum: what sinks take
ROWS = 32  # of a run: enough to measure them


Fields = list[tuple[str, Any, Any]]  # those that differ: said, and shown


def said_of(facts: Facts, calls: list[Recorded]) -> Claim:
    """Return what the facts of a layer claim of these calls."""
    alignment, right = SIDES[facts.alignment]
    model = Model(
        scale=facts.scale,
        softcap=facts.softcap,
        window=(facts.window[0] if facts.window else None, right),
        alignment=alignment,
        picture=Rule("chunks", facts.chunk) if facts.chunk else None,
    )
    if facts.position == "alibi":
        model = model.change(slopes=slopes_of(calls[0].run.sizes.n_heads))
    return Claim(_with_sinks(model, calls) if facts.sinks else model)


def _with_sinks(model: Model, calls: list[Recorded], given: bool = True) -> Model:
    """Add the learned logits on file, or what the longest call shows of them."""
    longest = max(calls, key=lambda record: record.run.sizes.n)
    sinks = longest.sinks if given else None
    sinks = measured_sinks(longest, model) if sinks is None else sinks
    return model.change(normalized="sink", sink=sinks)


def told(model: Model, said: Model) -> dict[str, Any]:
    """Return a model's fields by the names of a configuration."""
    alignment = {side: name for name, side in SIDES.items()}
    left, right = model.window
    others = "as given" if model.sink is said.sink else "measured"
    return {
        "scale": model.scale,
        "alignment": alignment[model.alignment, right],
        "window": None if left is None else (left, 0),
        "chunk": model.picture.size if model.picture else None,
        "softcap": model.softcap,
        "sinks": "none" if model.sink is None else others,
        "position": None if model.slopes is None else "alibi",
        "kv_heads": SHARED[model.grouping],
    }


def others(
    said: Model, calls: list[Recorded], elsewhere: list[Model]
) -> Iterator[Model]:
    """Yield what else a layer may do, the likeliest first.

    What the file says of other layers, one field off, a window of any width, and two
    of these.
    """
    right, measured = said.window[1], _with_sinks(said.change(**NO_SINKS), calls, False)
    sinks = [NO_SINKS, {"normalized": "sink", "sink": measured.sink}]
    apart = ("window", "picture", "softcap", "scale", "normalized", "sink", "slopes")
    changes = [{name: getattr(one, name) for name in apart} for one in elsewhere]
    changes += [*sinks, {"softcap": None}, {"window": (None, right), "picture": None}]
    d_k = calls[0].run.sizes.d
    changes += [{"slopes": None}, *({"scale": x} for x in (d_k**-0.5, 1.0, 1 / d_k))]
    changes += [
        {"alignment": alignment, "window": (said.window[0], side)}
        for alignment, side in SIDES.values()
    ]
    changes += [{"grouping": "tile"}]
    n_keys = max(record.run.sizes.m for record in calls)
    windows = [{"window": (left, right), "picture": None} for left in range(n_keys)]
    first = [said.change(**change) for change in changes]
    yield from first
    yield from (said.change(**window) for window in windows)
    yield from (one.change(**change) for one in first for change in changes)
    yield from (said.change(**x, **y) for y in sinks for x in windows)


def show(
    calls: list[Recorded], said: Claim, elsewhere: list[Model]
) -> tuple[Fields, str]:
    """Judge what was said of the runs; where it fails, look for what explains them.

    Returns the fields that differ, and the shortest input that shows it.
    """
    runs = [record.run for record in calls]
    verdicts = [judge(run, said, most=np.inf) for run in runs]
    pairs = zip(calls, verdicts, strict=True)
    hard, verdict = next(((c, v) for c, v in pairs if not v.ok), (None, verdicts[0]))
    if hard is None:
        return [], ""
    for claim in map(Claim, others(said.base, calls, elsewhere)):
        alike = judge(hard.run, claim, part=True).ok
        if alike and all(judge(run, claim).ok for run in runs):
            before, now = told(said.base, said.base), told(claim.base, said.base)
            differ = [(x, before[x], now[x]) for x in now if before[x] != now[x]]
            return differ, _shortest(hard, verdict, said, claim)
    found = search(runs, [said], None)  # whose models have more fields
    if not found.whole:
        shown = describe(places(verdict.wrong))
        return [("unexplained", describe_claim(said), shown)], ""
    if not isinstance(found.claim, Claim):
        return [("calls", "one model", describe_claim(found.claim))], ""
    told_of = parts(found.claim, said.base)
    fields = [(code, "as in the file", words) for code, words in told_of]
    return fields, _shortest(hard, verdict, said, found.claim)


def measured_sinks(record: Recorded, model: Model) -> np.ndarray:
    """Fit a sink to each head: outputs are shorter, by what it takes of the sum.

    Where outputs are not shorter in any head, there is none: 0, which explains nothing.
    """
    run = record.run
    none = np.zeros(run.sizes.n_heads)
    rows = np.unique(np.linspace(0, run.sizes.n - 1, ROWS).astype(int))
    try:
        found = attend(run.query, run.key, run.value, model, rows)
    except ValueError:
        return none
    output = run.output[..., rows, :]
    kept = (output * found.output).sum(-1) / (found.output**2).sum(-1)
    top = found.scores.max(-1)
    total = np.log(np.exp(found.scores - top[..., None]).sum(-1)) + top
    sinks = np.median(total + np.log(1 / kept - 1), (0, 2))
    taken = np.median(1 - kept, (0, 2)).max()
    return sinks if np.isfinite(sinks).all() and taken > LEAST else none


def _shortest(record: Recorded, verdict: Verdict, said: Claim, shown: Claim) -> str:
    """Say how few of the first tokens tell two claims apart."""
    if record.cached:
        rows = np.asarray(verdict.wrong).any((0, 1, 3))
        return first_rows(record, int(np.argmax(rows)))
    few, many = 0, record.run.sizes.m
    while many - few > 1:
        middle = (few + many) // 2
        apart = _apart(record, middle, said, shown)
        few, many = (few, middle) if apart else (middle, many)
    return first_rows(record, many - 1)


def _apart(record: Recorded, n: int, said: Claim, shown: Claim) -> bool:
    """Say whether two claims give the first n tokens other outputs."""
    run = record.run
    q, k, v, out = (x[:, :, :n] for x in (run.query, run.key, run.value, run.output))
    first = Run(q, k, v, out, run.format)
    model = shown.at(first)
    parts = [attend(q, k, v, model, rows).output for rows in first.chunks(model)]
    given = replace(first, output=np.concatenate(parts, -2))
    return not judge(given, said, most=np.inf).ok


def not_reached(calls: list[Recorded], said: Claim) -> Iterator[tuple[str, str]]:
    """Yield what was said and does not show in these runs, with what would show it."""
    without: dict[str, tuple[dict[str, Any], str]] = {}
    left, right = said.base.window
    if left is not None:
        without["window"] = {"window": (None, right)}, f"{left + 2:,} tokens"
    if said.base.picture:
        tokens = f"{said.base.picture.size + 1:,} tokens"
        without["chunk"] = {"picture": None}, tokens
    if said.base.softcap:
        without["softcap"] = {"softcap": None}, "larger scores"
    start = {"alignment": "start", "window": (left, 0)}
    without["alignment"] = start, "a call with more keys than queries"
    for field, (change, needs) in without.items():
        if all(judge(record.run, said.on(**change)).ok for record in calls):
            yield field, needs


def first_rows(record: Recorded, row: int) -> str:
    """Say how much of a call holds its first rows, up to one."""
    tokens = f"{row + 1} token{'s' * (row > 0)}"
    return f"{tokens} after {record.cached} kept" if record.cached else tokens
