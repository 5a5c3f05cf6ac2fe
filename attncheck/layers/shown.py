"""What a layer's attention is said to compute, and what its runs show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from attncheck.claim import Claim, Run
from attncheck.layers.recorded import Recorded
from attncheck.model import Bounds, Model, Rule, attend
from attncheck.never import unexpected
from attncheck.search import search
from attncheck.verify import Verdict, judge
from attncheck.words import describe, describe_claim, places
from attnlib import alibi_bias

if TYPE_CHECKING:
    from attnconfig import Facts

# Who sees whom: the corner that places are counted from, and keys after one's own.
SIDES: dict[str, tuple[str, int | None]] = {
    "end": ("end", 0),
    "start": ("start", 0),
    "none": ("end", None),
    "strict": ("end", -1),
    "one-too-many": ("end", 1),
}
SINKS = ("none", "measured")


@dataclass(frozen=True)
class Said:
    """The fields of a configuration that show in queries, keys, values and outputs."""

    scale: float
    alignment: str = "end"
    window: Bounds | None = None
    chunk: int | None = None
    softcap: float | None = None
    sinks: str = "none"  # or "as given", or "measured", and so others
    position: str | None = None  # "alibi", which shows in scores
    kv_heads: str = "neighbors share"  # or "every so many share"

    def claim(self, sinks: np.ndarray | None, n_heads: int) -> Claim:
        """Return what it claims of runs whose heads have these sinks."""
        corner, right = SIDES[self.alignment]
        left = self.window[0] if self.window else None
        model = Model(
            scale=self.scale,
            softcap=self.softcap,
            window=(left, right),
            corner=corner,
            grouping="repeat" if self.kv_heads == "neighbors share" else "tile",
            picture=Rule("chunks", self.chunk) if self.chunk else None,
        )
        if self.sinks != "none" and sinks is not None:
            model = model.change(normalized="sink", sink=sinks)
        if self.position == "alibi":
            slopes = -np.asarray(alibi_bias(n_heads, 2))[:, 1, 0]
            model = model.change(slopes=slopes)
        return Claim(model)

    def differs(self, shown: Said) -> Iterator[tuple[str, Any, Any]]:
        """Yield each field that is shown otherwise: its name, said, shown."""
        found = asdict(shown)
        for name, said in asdict(self).items():
            if said != found[name]:
                yield name, said, found[name]


def said_of(facts: Facts) -> Said:
    """Return what the facts of a layer say."""
    return Said(
        scale=facts.scale,
        alignment=facts.alignment,
        window=facts.window,
        chunk=facts.chunk,
        softcap=facts.softcap,
        sinks="as given" if facts.sinks else "none",
        position="alibi" if facts.position == "alibi" else None,
    )


def others(said: Said, d_k: int, n_keys: int, elsewhere: list[Said]) -> Iterator[Said]:
    """Yield what else a layer may do, the likeliest first.

    What the file says of other layers, one field off, a window of any width, and two
    of these.
    """
    apart = ("window", "chunk", "softcap", "scale", "sinks", "position")
    changes: list[dict[str, Any]]
    changes = [{name: getattr(one, name) for name in apart} for one in elsewhere]
    changes += [{"sinks": "none"}, {"sinks": "measured"}, {"softcap": None}]
    changes += [{"window": None, "chunk": None}, {"position": None}]
    changes += [{"scale": x} for x in (d_k**-0.5, 1.0, 1 / d_k)]
    changes += [{"alignment": side} for side in SIDES]
    changes += [{"kv_heads": "every so many share"}]
    windows: list[dict[str, Any]]
    windows = [{"window": (left, 0), "chunk": None} for left in range(n_keys)]
    first = [replace(said, **change) for change in changes]
    second = [replace(one, **change) for one in first for change in changes]
    second += [replace(said, **x, sinks=y) for y in SINKS for x in windows]
    wide = [replace(said, **change) for change in windows]
    yield from (one for one in dict.fromkeys([*first, *wide, *second]) if one != said)


LEAST = 1e-5  # of a sum: what sinks take
ROWS = 32  # of a run: enough to measure them


class Shown(NamedTuple):
    """The fields that differ, and the shortest input that shows it."""

    fields: list[tuple[str, Any, Any]]
    shortest: str = ""


def show(calls: list[Recorded], said: Said, elsewhere: list[Said]) -> Shown:
    """Judge what was said of the runs; where it fails, look for what explains them."""
    verdicts = [_judge(record, said, np.inf) for record in calls]
    if all(verdict.ok for verdict in verdicts):
        return Shown([])
    pairs = zip(calls, verdicts, strict=True)
    hard, verdict = next((c, v) for c, v in pairs if not v.ok)
    n_keys = max(record.run.sizes.m for record in calls)
    for one in others(said, hard.run.sizes.d, n_keys, elsewhere):
        if not judge(hard.run, _claim(hard, one), part=True).ok:
            continue
        if all(_judge(record, one).ok for record in calls):
            words = _shortest(hard, verdict, _claim(hard, said), _claim(hard, one))
            return Shown(list(said.differs(one)), words)
    return _searched(calls, said, hard, verdict)


def _claim(record: Recorded, said: Said) -> Claim:
    sinks = record.sinks
    if said.sinks == "measured" or (said.sinks != "none" and sinks is None):
        sinks = measured_sinks(record, said)
    return said.claim(sinks, record.run.sizes.n_heads)


def _judge(record: Recorded, said: Said, most: float = 0.1) -> Verdict:
    return judge(record.run, _claim(record, said), most=most)


def measured_sinks(record: Recorded, said: Said) -> np.ndarray:
    """Fit a sink to each head: outputs are shorter, by what it takes of the sum.

    Where outputs are not shorter in any head, there is none: 0, which explains nothing.
    """
    run = record.run
    model = replace(said, sinks="none").claim(None, run.sizes.n_heads).at(run)
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


def _searched(
    calls: list[Recorded], said: Said, hard: Recorded, verdict: Verdict
) -> Shown:
    """Ask the engine, whose models have more fields than a configuration."""
    expected = _claim(hard, said)
    found = search([record.run for record in calls], [expected], None)
    if not found.whole:
        shown = describe(places(verdict.wrong))
        return Shown([("unexplained", describe_claim(expected), shown)])
    if not isinstance(found.claim, Claim):
        return Shown([("calls", "one model", describe_claim(found.claim))])
    told = unexpected(found.claim, expected)
    fields = [(code, "as in the file", words) for code, words in told]
    return Shown(fields, _shortest(hard, verdict, expected, found.claim))


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
    parts = [attend(q, k, v, model, rows).output for rows in first.chunks()]
    given = replace(first, output=np.concatenate(parts, -2))
    return not judge(given, said, most=np.inf).ok


def not_reached(calls: list[Recorded], said: Said) -> Iterator[tuple[str, str]]:
    """Yield what was said and does not show in these runs, with what would show it."""
    without: dict[str, tuple[Said, str]] = {}
    if said.window:
        n = (said.window[0] or 0) + 2
        without["window"] = replace(said, window=None), f"{n:,} tokens"
    if said.chunk:
        without["chunk"] = replace(said, chunk=None), f"{said.chunk + 1:,} tokens"
    if said.softcap:
        without["softcap"] = replace(said, softcap=None), "larger scores"
    start = replace(said, alignment="start")
    without["alignment"] = start, "a call with more keys than queries"
    for field, (one, needs) in without.items():
        if all(_judge(record, one).ok for record in calls):
            yield field, needs


def first_rows(record: Recorded, row: int) -> str:
    """Say how much of a call holds its first rows, up to one."""
    tokens = f"{row + 1} token{'s' * (row > 0)}"
    return f"{tokens} after {record.cached} kept" if record.cached else tokens
