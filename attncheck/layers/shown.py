"""What the runs of a layer show: what was said, or else what they are explained by."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from attncheck.claim import Claim
from attncheck.layers.recorded import Recorded
from attncheck.layers.said import Said, others
from attncheck.model import attend
from attncheck.run import Run
from attncheck.search import search
from attncheck.unlike import unexpected
from attncheck.verify import Verdict, judge
from attncheck.where import describe, places
from attncheck.words import describe_claim

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
