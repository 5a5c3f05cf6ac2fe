"""attnlib's attention beside the formula as posts write it, and PyTorch's fused kernel.

All run in turns in one process, on one thread and on the same arrays. Medians of
processor time are compared: what else the machine does counts for little. PyTorch takes
part where it is installed; the environment of `make parity` has it, and is used if it
is there.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from attnlib import attention_vjp, blockwise_attention  # noqa: E402
from attnlib import scaled_dot_product_attention as attention  # noqa: E402

BATCH, LONG = (8, 2048, 64), (1, 8192, 64)
SECONDS, FEWEST, MOST = 10, 5, 60  # a row's time, and how often each way runs
NEAR = {"window": (127, 0)}
ROWS = [  # shape, keywords, and by what multiple of whose time attnlib is to take
    ((1, 512, 64), {}, "formula", 1),
    (BATCH, {}, "kernel", 1.1),
    (BATCH, {"is_causal": True}, "kernel", 1.1),
    (LONG, {}, "kernel", 1.1),
    (LONG, {"is_causal": True}, "kernel", 1.1),
    (BATCH, NEAR, "kernel", 0.2),
    (LONG, NEAR, "kernel", 0.2),
]


def formula(query, key, value):
    """Compute all at once, and stay in the inputs' dtype."""
    scores = query @ np.swapaxes(key, -1, -2) / query.dtype.type(query.shape[-1] ** 0.5)
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True) @ value


def fused_kernel(is_causal=False, **_):
    """Make PyTorch's kernel a function of NumPy arrays; it wants four axes."""
    import torch

    torch.set_num_threads(1)
    attend = partial(
        torch.nn.functional.scaled_dot_product_attention, is_causal=is_causal
    )
    return lambda *arrays: attend(*(torch.from_numpy(a)[None] for a in arrays))


def draw(shape):
    """Draw query, key and value."""
    return np.random.default_rng(0).standard_normal((3, *shape), np.float32)


def timed(function, arrays, times=1):
    """Measure the thread's seconds in one call, as a mean of several."""
    start = time.thread_time()
    for _ in range(times):
        function(*arrays)
    return (time.thread_time() - start) / times


def medians(functions, arrays, times=1):
    """Run all in turns; return each one's median seconds."""
    found, end = {name: [] for name in functions}, time.perf_counter() + SECONDS
    for turn in range(MOST):
        for name, function in functions.items():
            found[name].append(timed(function, arrays, times))
        if turn >= FEWEST - 1 and time.perf_counter() > end:
            break
    return {name: statistics.median(some) for name, some in found.items()}


def peak(function, arrays):
    """Measure how much memory NumPy holds at most in a call, beside the inputs."""
    tracemalloc.start()
    function(*arrays)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def judge(label, seconds, other, most):
    """Print a row: both times, their ratio, and whether that is small enough."""
    ratio = seconds["attnlib"] / seconds[other]
    times = (
        f"{seconds['attnlib'] * 1e3:10.3f} ms, {other} {seconds[other] * 1e3:10.3f} ms"
    )
    verdict = "met" if ratio <= most else "MISSED"
    print(f"{label:44}{times}: {ratio:.2f}, at most {most}: {verdict}", flush=True)


def print_rows(has_torch):
    """Measure small calls beside the formula, and large ones beside the kernel."""
    small = np.random.default_rng(0).normal(size=(3, 5, 4))
    functions = {"attnlib": attention, "formula": formula}
    judge("(5, 4)", medians(functions, small, 200), "formula", 2.2)
    for shape, how, other, most in ROWS:
        functions = {"attnlib": partial(attention, **how), "formula": formula}
        if other == "kernel":
            if not has_torch:
                continue
            functions["kernel"] = fused_kernel(**how)
            del functions["formula"]
        judge(f"{shape} {how}", medians(functions, draw(shape)), other, most)


def print_memory():
    """Measure what long inputs need: at once, by blocks, with a window, going back."""
    arrays = draw(LONG)
    back = (*arrays, arrays[0])
    for name, megabytes in {
        "formula": peak(formula, arrays),
        "by blocks": peak(blockwise_attention, arrays),
        "window": peak(partial(blockwise_attention, **NEAR), arrays),
        "gradients": peak(partial(attention_vjp, block_size=128), back),
    }.items():
        print(f"{LONG}, {name}: {megabytes / 1e6:.1f} MB beside the inputs", flush=True)


def main():
    """Print times, whether they are as wanted, and memory."""
    parity = ROOT / ".venv" / "parity" / "bin" / "python"
    has_torch = importlib.util.find_spec("torch") is not None
    if parity.exists() and not has_torch:
        subprocess.run([parity, __file__], check=True)
        return
    print_rows(has_torch)
    print_memory()


if __name__ == "__main__":
    main()
