"""An older attnlib beside this one: `benchmarks/run.py --before FOLDER`.

`git worktree add FOLDER COMMIT` makes such a folder; any that holds attnlib will do.
Both are imported into this process, and get the same inputs. In every round both take a
turn, so that whatever else the machine does slows both alike. What counts is the ratio
of their medians; a ratio of lowest times far from it tells of a machine that was busy.
"""

import importlib
import math
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from attention import peak, timed

ROOT = Path(__file__).resolve().parent.parent
FEWEST, MOST = 5, 100  # how many rounds a case has
TURN = 0.02  # seconds; what is faster runs several times in a turn
HEADS, LONG = (8, 2048, 64), [2**i for i in range(11, 15)]
ENCODERS = [((1, 32, 64), (64, 8, 256)), ((2, 128, 512), (512, 8, 2048))]


def cases(attnlib):
    """Name what is measured, each a function without arguments."""
    attend = attnlib.scaled_dot_product_attention
    by_blocks = attnlib.blockwise_attention
    rng = np.random.default_rng(0)

    def called(function, shape, dtype=np.float32, **how):
        return partial(function, *rng.standard_normal((3, *shape)).astype(dtype), **how)

    def masks(n):
        mask = rng.random((n, n)) < 0.7
        return {
            "boolean mask": {"mask": mask},
            "float mask": {"mask": np.where(mask, 0, -1).astype(np.float32)},
            "causal": {"is_causal": True},
        }

    found = {"5 by 4": called(attend, (5, 4), float)}
    for name, how in masks(5).items():
        found[f"5 by 4, {name}"] = called(attend, (5, 4), float, **how)
    for shape in [*((1, 2**i, 64) for i in range(7, 13)), HEADS]:
        found[f"attention {shape}"] = called(attend, shape)
    for name, how in masks(HEADS[1]).items():
        found[f"attention {HEADS}, {name}"] = called(attend, HEADS, **how)
    for n in LONG:
        found[f"in blocks, {n}"] = called(by_blocks, (1, n, 64))
        found[f"in blocks, {n}, causal"] = called(by_blocks, (1, n, 64), is_causal=True)
    for shape, sizes in ENCODERS:
        layers = attnlib.Encoder.random(6, *sizes, rng=np.random.default_rng(0))
        found[f"6 layers {shape}"] = partial(layers, rng.standard_normal(shape))
    return found


def load(folder):
    """Import the attnlib of a folder, whichever was imported before."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "attnlib"]:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    attnlib = importlib.import_module("attnlib")
    del sys.path[0]
    if not Path(attnlib.__file__).is_relative_to(folder):
        raise SystemExit(f"no attnlib in {folder}")
    return attnlib


def total(function):
    """Add up the sizes of all numbers that a call returns."""
    return float(np.abs(function(), dtype=float).sum())


def compare(both, name, budget):
    """Let both take turns, the other one first each round; return their seconds."""
    totals = list(map(total, both))
    if not math.isclose(*totals, rel_tol=1e-4):
        raise SystemExit(f"{name}: the versions compute different numbers, {totals}")
    times = max(1, round(TURN / max(timed(one, ()) for one in both)))
    turns, end = ([], []), time.perf_counter() + budget
    for turn in range(MOST):
        for i in (0, 1) if turn % 2 else (1, 0):
            turns[i].append(timed(both[i], (), times))
        if turn >= FEWEST - 1 and time.perf_counter() > end:
            break
    return turns


def main(folder, budget=4):
    """Print a row for every case: before, now, and now as a multiple of before."""
    before, now = (cases(load(place)) for place in (Path(folder).resolve(), ROOT))
    print(f"{'':36}{'before':>10}{'now, ms':>10}{'ratio':>7}{'lowest':>7}{'rounds':>7}")
    for name, function in now.items():
        turns = compare((before[name], function), name, budget)
        old, new = (1e3 * statistics.median(turn) for turn in turns)
        lowest = min(turns[1]) / min(turns[0])
        row = f"{old:10.3f}{new:10.3f}{new / old:7.2f}{lowest:7.2f}"
        print(f"{name:36}{row}{len(turns[0]):7}", flush=True)
    print("\nPeak memory of a call beside its inputs, in MB: before, now, ratio")
    for name, function in now.items():
        old, new = (peak(one, ()) / 1e6 for one in (before[name], function))
        print(f"{name:36}{old:10.3f}{new:10.3f}{new / old:7.2f}", flush=True)
