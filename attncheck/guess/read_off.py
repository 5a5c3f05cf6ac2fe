"""Where no rule is known: which heads are read, and who sees whom, at every size."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.readings import Readings
from attncheck.model import Measured
from attncheck.run import Run
from attncheck.subject import Refused
from attncheck.verify import judge

LOUD = 12.0  # one key's query · key is its square
Places = dict[tuple[int, int, int], tuple[np.ndarray, np.ndarray]]
SOME, USUAL = 8, 400  # runs that tell first whether masks alone explain; their scores


def heads_read(r: Readings, runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield a claim with the key head and the value head that each query head reads."""
    found: dict[tuple[int, int], Any] = {}
    sizes = (run.sizes for run in runs)
    for h, g in dict.fromkeys((s.n_heads, s.n_kv_heads) for s in sizes):
        try:
            read = _heads_of(r, h, g)
        except (Refused, IndexError):
            continue
        if read is None:
            return
        found[h, g] = read
    if found:
        kept = tuple(v for v in claim.values if v.field not in ("grouping", "gives"))
        of = ("n_heads", "n_kv_heads")
        yield replace(claim, values=kept).on(heads=Measured(of, found))


def _heads_of(r: Readings, h: int, g: int) -> tuple[list[int], list[int]] | None:
    """Give each key head a loud key of its own place, and each value head a tag."""
    n = r.near(16)
    q, k = np.zeros((1, h, n, r.d)), np.zeros((1, g, n, r.d))
    tags, places = np.zeros((1, g, n, r.d)), np.zeros((1, g, n, r.d))
    head, token = np.arange(g), np.arange(min(n, r.d))
    tags[0, head, :, head] = 1
    q[..., 0], places[..., token, token] = LOUD, 1
    k[0, head, head, 0] = LOUD
    by_value, by_key = r.subject(q, k, tags)[0], r.subject(q, k, places)[0]
    row = int(np.nan_to_num(by_key).sum((0, 2)).argmax())
    seen = by_value[:, row, :g]
    if not np.allclose(seen.max(-1), by_value[:, row].sum(-1), rtol=1e-4):
        return None
    return by_key[:, row, :g].argmax(-1).tolist(), seen.argmax(-1).tolist()


def places_read(r: Readings, runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield a claim with the weights of equal scores at every size that was called."""
    bare = claim.base.change(
        window=(None, None),
        picture=None,
        corner="start",
        slopes_from="",
        slopes_signed=False,
    )
    fitted = tuple(pair for pair in claim.fitted if pair[0] == "scale")
    found: Places = {}
    places = Measured(("n_heads", "n", "m"), found)
    scales = dict.fromkeys((bare.scale, "1/√d_k"))
    models = [bare.change(scale=x, places=places) for x in scales]
    claims = [Claim(model, fitted=fitted) for model in models]
    some = sorted(runs, key=lambda run: abs(run.sizes.n * run.sizes.m - USUAL))[:SOME]
    _read_places(r, some, found)
    if any(judge(run, one, True).ok for one in claims for run in some):
        _read_places(r, runs, found)
        yield from claims


def _read_places(r: Readings, runs: list[Run], found: Places) -> None:
    sizes = (run.sizes for run in runs)
    for h, n, m in dict.fromkeys((s.n_heads, s.n, s.m) for s in sizes):
        w = None if (h, n, m) in found else r.even(n, m, h)
        if w is None:
            continue
        w = np.nan_to_num(w)
        w = w * (w > 1e-7 * w.max(-1, keepdims=True))
        found[h, n, m] = (w > 0)[None], np.log(np.where(w > 0, w, 1))[None]
