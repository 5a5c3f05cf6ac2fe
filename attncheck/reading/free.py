"""Mistakes with a number of their own: any scale, cap, window or factor."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from attncheck.formats import Format
from attncheck.mistakes import Mistake
from attncheck.model import Model, of_first, scale_of
from attncheck.patterns import Band
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found
from attncheck.rules import Rule


def fit_free(run: Run, model: Model, fmt: Format) -> list[Found]:
    """Fit a scale, a cap, a window or a factor; return what fits, or nothing."""
    for fit in (_scale, _cap, _window, _rule, _factor):
        found = fit(run, model, fmt)
        if found is not None:
            return [found]
    return []


def _rows(run: Run) -> np.ndarray:
    n = run.query.shape[2]
    return np.unique([0, n // 3, n // 2, (2 * n) // 3, n - 1])


def _confirm(
    run: Run, model: Model, fmt: Format, code: str, sentence: str
) -> Found | None:
    first = run.take(0)
    if first.error(of_first(model), _rows(run), fmt, EXPLAINED) > 1:
        return None
    share = run.error_everywhere(model, fmt, most=EXPLAINED)
    if share > 1:
        return None
    group = code.partition(":")[0]
    return Found((Mistake(code, group, sentence, lambda m, s: model),), model, share)


def _minimize(run: Run, make: object, grid: np.ndarray, rounds: int = 9) -> float:
    """Find the number in a grid that leaves least, finer and finer."""
    rows, small = _rows(run), run.take(0).part(1, 8)
    wanted = small.output[..., rows, :]

    def left(x: float) -> float:
        output = small.compute(of_first(make(x)), rows).output  # type: ignore[operator]
        value = float(((output - wanted) ** 2).sum())
        return value if np.isfinite(value) else np.inf

    best = min(grid, key=left)
    step = grid[1] / grid[0]
    for _ in range(rounds):
        step = step**0.4
        best = min(best * step ** np.arange(-3, 4), key=left)
    return float(best)


def _scale(run: Run, model: Model, fmt: Format) -> Found | None:
    s = run.sizes
    now = abs(scale_of(model.scale, s.d, s.n_heads)) or 1.0
    for sign in (1.0, -1.0):
        scale = _minimize(
            run,
            lambda x, sign=sign: model.change(scale=sign * x),
            now * np.geomspace(1 / 64, 64, 31),
            rounds=18,
        )
        words = f"scores are multiplied by {sign * scale:.6g}"
        changed = model.change(scale=sign * scale)
        found = _confirm(run, changed, fmt, "scale: another", words)
        if found is not None:
            return found
    return None


def _cap(run: Run, model: Model, fmt: Format) -> Found | None:
    for squash, done in (("tanh", "capped"), ("clip", "clipped")):
        capped = model.change(squash=squash)
        cap = _minimize(
            run,
            lambda x, capped=capped: capped.change(softcap=x),
            np.geomspace(0.5, 200, 31),
            rounds=18,
        )
        words = f"scores are {done} at {cap:.6g}"
        changed = capped.change(softcap=cap)
        found = _confirm(run, changed, fmt, "softcap: another", words)
        if found is not None:
            return found
    return None


def _window(run: Run, model: Model, fmt: Format) -> Found | None:
    """Try every left side, with the right side that was meant or causal."""
    n, m = run.query.shape[2], run.key.shape[2]
    small, last = run.take(0).part(1, 8), np.array([n - 1])
    for right in {model.window[1], 0}:
        for corner in ("start", "end"):
            for left in range(min(m, 4096)):
                changed = model.change(window=(left, right), corner=corner)
                if changed == model or (left > 256 and left % 64 not in (0, 1, 63)):
                    continue
                if small.error(of_first(changed), last, fmt, EXPLAINED) > 1:
                    continue
                words = f"a query sees {left} keys before its own"
                found = _confirm(run, changed, fmt, "window: another", words)
                if found is not None:
                    return found
    return None


def _rule(run: Run, model: Model, fmt: Format) -> Found | None:
    """Try masks that are no band: chunks, a prefix, first keys kept, every so many."""
    n, m = run.query.shape[2], run.key.shape[2]
    if np.ndim(model.offset) or model.offset:  # (rules count from a corner)
        return None
    small, rows = run.take(0).part(1, 8), _rows(run)
    for rule in _rules(n, m, model):
        changed = model.change(picture=rule.mark, corner=rule.band.corner)
        if small.error(of_first(changed), rows[1:], fmt, EXPLAINED) > 1:
            continue
        words = str(rule).rstrip(".")
        found = _confirm(run, changed, fmt, "rule: another", words)
        if found is not None:
            return found
    return None


def _rules(n: int, m: int, model: Model) -> Iterator[Rule]:
    """Yield rules with sizes in use, under the band that was meant or a causal one."""
    left, right = model.window
    sizes = [x for x in (*range(1, 17), *2 ** np.arange(5, 13)) if x < m]
    for corner in ("start", "end") if n != m else ("start",):
        bands = {Band(left, right, corner), Band(None, 0, corner)}
        yield Rule("not its own", 1, Band(None, None, corner))
        yield Rule("sign", 0, Band(None, None, corner))
        for size, band in itertools.product(map(int, sizes), bands):
            for kind in ("chunks", "prefix", "steps"):
                if size > 1 or kind == "prefix":
                    yield Rule(kind, size, band)
            if band.left is not None:
                yield Rule("kept", size, band)
        for size in map(int, sizes[1:]):
            for kind in ("restarts", "key restarts", "lags", "blocks"):
                if (
                    kind.endswith("restarts") and size == m - 1
                ):  # for the last key alone
                    continue
                yield Rule(kind, size, Band(None, None, corner))


def _factor(run: Run, model: Model, fmt: Format) -> Found | None:
    """Ask whether the output is right but for a factor."""
    rows = _rows(run)
    expected = run.compute(model, rows).output
    output = run.output[..., rows, :]
    norm = float((expected * expected).sum())
    factor = float((expected * output).sum()) / norm if norm else 1.0
    if not np.isfinite(factor) or factor == 0:
        return None
    by_row = (expected * output).sum(-1) / np.maximum((expected**2).sum(-1), 1e-300)
    if np.std(by_row) > 0.2 * abs(1 - factor):  # what differs from row to row is none
        return None
    scaled = Run(run.query, run.key, run.value, run.output / factor, run.format)
    share = scaled.error_everywhere(model, fmt, most=EXPLAINED)
    if share > 1:
        return None
    words = f"the output is right but for a factor of {factor:.6g}"
    mistake = Mistake("factor: another", "factor", words, lambda m, s: m)
    return Found((mistake,), model, share)
