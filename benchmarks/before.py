"""An older attnlib beside this one: `benchmarks/run.py --before FOLDER`.

`git worktree add FOLDER COMMIT` makes such a folder; any that holds attnlib will do.
Each version has a process of its own, with the same inputs. In every round both take a
turn, so that whatever else the machine does slows both alike. What counts is the ratio
of their medians; a ratio of lowest times far from it tells of a machine that was busy.
"""

import json
import math
import statistics
import subprocess
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np

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


def answer(folder):
    """Be the process of one version: measure what is asked for, line by line."""
    sys.path.insert(0, folder)
    import attnlib

    if not Path(attnlib.__file__).is_relative_to(Path(folder).resolve()):
        raise SystemExit(f"no attnlib in {folder}")
    known = cases(attnlib)
    print(json.dumps(list(known)), flush=True)
    for line in sys.stdin:
        what, name, times = json.loads(line)
        reply = {"seconds": seconds, "peak": peak, "total": total}[what]
        print(json.dumps(reply(known[name], times)), flush=True)


def seconds(function, times):
    """Measure one call, as the mean of several."""
    start = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - start) / times


def peak(function, times):
    """Measure how much memory NumPy holds at most during a call, in bytes."""
    tracemalloc.start()
    function()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def total(function, times):
    """Add up the sizes of all numbers that a call returns."""
    return float(np.abs(function(), dtype=float).sum())


class Version:
    """The process that measures one version."""

    def __init__(self, folder):
        command = [sys.executable, __file__, str(Path(folder).resolve())]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.names = self._read()

    def ask(self, what, name, times=1):
        """Ask for the seconds, the peak or the total of a case."""
        print(json.dumps([what, name, times]), file=self.process.stdin, flush=True)
        return self._read()

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a version stopped, and said why above")
        return json.loads(line)


def compare(versions, name, budget):
    """Let both take turns, the other one first each round; return times and peaks."""
    totals = [version.ask("total", name) for version in versions]
    if not math.isclose(*totals, rel_tol=1e-4):
        raise SystemExit(f"{name}: the versions compute different numbers, {totals}")
    once = max(version.ask("seconds", name) for version in versions)
    times, turns = max(1, round(TURN / once)), [[], []]
    end = time.perf_counter() + budget
    for turn in range(MOST):
        for i in (0, 1) if turn % 2 else (1, 0):
            turns[i].append(versions[i].ask("seconds", name, times))
        if turn >= FEWEST - 1 and time.perf_counter() > end:
            break
    return turns, [version.ask("peak", name) for version in versions]


def main(folder, budget=4):
    """Print a row for every case: before, now, and now as a multiple of before."""
    versions = [Version(folder), Version(ROOT)]
    print(f"{'':36}{'before':>10}{'now, ms':>10}{'ratio':>7}{'lowest':>7}{'rounds':>7}")
    peaks = {}
    for name in versions[1].names:
        turns, peaks[name] = compare(versions, name, budget)
        before, now = (statistics.median(turn) for turn in turns)
        lowest = min(turns[1]) / min(turns[0])
        row = f"{before * 1e3:10.3f}{now * 1e3:10.3f}{now / before:7.2f}{lowest:7.2f}"
        print(f"{name:36}{row}{len(turns[0]):7}", flush=True)
    print("\nPeak memory of a call beside its inputs, in MB: before, now, ratio")
    for name, (before, now) in peaks.items():
        row = f"{before / 1e6:10.3f}{now / 1e6:10.3f}{now / before:7.2f}"
        print(f"{name:36}{row}", flush=True)


if __name__ == "__main__":
    answer(sys.argv[1])
