"""attnlib's attention beside the posts' recipe, PyTorch's kernel and onnxruntime's.

All run in turns in one process, on the same arrays, and medians are compared. PyTorch
and onnxruntime take part where they are installed; the environment of `make parity`
has them, and is used if it is there.
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

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from attnlib import (  # noqa: E402
    attention_vjp,
    blockwise_attention,
    scaled_dot_product_attention,
)
from attnlib._fast import MIN_ROWS  # noqa: E402

LONG, BATCH = (1, 8192, 64), (8, 2048, 64)
SHAPES = [*((1, 2**i, 64) for i in range(7, 13)), BATCH, LONG, (1, 16384, 64)]
SECONDS, FEWEST, MOST = 4, 3, 50  # a shape's time, and how often it runs at least
THREADS = os.cpu_count()
TARGETS = [  # what, of which function, beside what, at which shape, at most
    ("time", "blockwise", "recipe", LONG, 1 / 3),
    ("time", "blockwise", "in float32", LONG, 1 / 3),
    ("time", "blockwise", "pytorch", LONG, 3.2),
    ("memory", "blockwise", "in float32", LONG, 1 / 20),
    ("time", "attention", "recipe", BATCH, 1 / 2),
    ("time", "attention", "in float32", BATCH, 1 / 2),
]


def recipe(query, key, value, d_k=None):
    """Take the steps of post 4, exponentials twice, on a batch.

    The root of a Python integer is a float64, and NumPy 2 makes float64 of all that
    follows. `in_float32` is what the same recipe costs without that.
    """
    scores = query @ np.swapaxes(key, -1, -2)
    scaled = scores / np.sqrt(d_k or query.shape[-1])
    weights = np.exp(scaled) / np.sum(np.exp(scaled), axis=-1, keepdims=True)
    return weights @ value


def in_float32(query, key, value):
    """Take the same steps, and stay in float32."""
    return recipe(query, key, value, d_k=np.float32(query.shape[-1]))


def pytorch():
    """Make PyTorch's fused kernel a function of NumPy arrays; it wants four axes."""
    import torch

    torch.set_num_threads(THREADS)
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda *arrays: attend(*(torch.from_numpy(a)[None] for a in arrays)).numpy()


def onnx():
    """Make onnxruntime's attention a function of NumPy arrays."""
    import onnxruntime
    from onnx import TensorProto, helper

    names, shape = ["query", "key", "value"], [1, "heads", "n", "d"]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name in [*names, "output"]
    ]
    node = helper.make_node("Attention", names, ["output"])
    graph = helper.make_graph([node], "attention", ends[:3], ends[3:])
    opsets = [helper.make_opsetid("", 23)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=11)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return lambda *arrays: session.run(
        None, {n: a[None] for n, a in zip(names, arrays, strict=True)}
    )[0]


OURS = {"recipe": recipe, "in float32": in_float32}
OURS |= {"attention": scaled_dot_product_attention, "blockwise": blockwise_attention}
THEIRS = {"pytorch": (pytorch, "torch"), "onnx": (onnx, "onnxruntime")}


def draw(shape):
    """Draw query, key and value."""
    return np.random.default_rng(0).standard_normal((3, *shape), np.float32)


def medians(functions, arrays):
    """Run all in turns; return each one's median seconds."""
    expected = functions["recipe"](*arrays)
    for function in functions.values():
        output = function(*arrays).reshape(expected.shape)
        np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-5)
    times, end = {name: [] for name in functions}, time.perf_counter() + SECONDS
    for turn in range(MOST):
        for name, function in functions.items():
            times[name].append(timed(function, arrays))
        if turn >= FEWEST - 1 and time.perf_counter() > end:
            break
    return {name: statistics.median(found) for name, found in times.items()}


def traced(function, shape):
    """Measure the peak of NumPy's memory in a call, beside the inputs."""
    return peak(function, draw(shape))


def peak(function, arrays):
    """Measure it for given arrays."""
    tracemalloc.start()
    function(*arrays)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def resident(name, shape):
    """Measure in a fresh process by how many bytes one call raises its peak."""
    command = [sys.executable, __file__, name, *map(str, shape)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def print_resident(name, *shape):
    """Be that fresh process. Linux counts the peak in KiB, macOS in bytes."""
    import resource

    function, arrays = THEIRS[name][0](), draw(tuple(map(int, shape)))
    function(*(a[:, :64] for a in arrays))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    function(*arrays)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print((after - before) * (1 if sys.platform == "darwin" else 1024))


def print_times(functions):
    """Measure and print a row for every shape; return the medians."""
    print(f"{THREADS} threads. Medians: the recipe's ms, then multiples of its time.")
    print(f"{'shape':>14}", *(f"{n:>10}" for n in functions))
    seconds = {}
    for s in SHAPES:
        found = seconds[s] = medians(functions, draw(s))
        ratios = [f"{t / found['recipe']:10.2f}" for t in found.values()]
        print(f"{s!s:>14} {found['recipe'] * 1e3:10.1f}", *ratios[1:], flush=True)
    return seconds


def print_savings(lengths=(2048, 4096, 8192, 16384)):
    """Measure a window and shared heads beside all past keys, by length."""
    print("4 heads of 64, causal: all past keys; heads share 2 of keys and values; a")
    print("window of 256. For each: ms, MB beside the inputs, MB of keys and values")
    for n in lengths:
        query, key, value = draw((4, n, 64))
        two = [x[:2] for x in (key, value)]
        row = [
            measured((query, key, value), is_causal=True),
            measured((query, *two), is_causal=True, enable_gqa=True),
            measured((query, key, value), window=(255, 0)),
        ]
        print(f"{n:8}", *row, flush=True)


def measured(arrays, **how):
    """Measure attention in blocks: time, memory, and what a cache would hold."""
    attend = partial(blockwise_attention, **how)
    seconds = min(timed(attend, arrays) for _ in range(FEWEST))
    kept = sum(x.nbytes for x in arrays[1:])
    megabytes = [f"{n_bytes / 1e6:8.1f}" for n_bytes in (peak(attend, arrays), kept)]
    return f"| {seconds * 1e3:10.1f} {megabytes[0]} {megabytes[1]}"


def print_backwards(lengths=(1024, 2048, 4096, 8192)):
    """Measure gradients by blocks of 128 queries beside all at once, by length."""
    print("Gradients of one head of 64, causal: all at once, and by blocks of 128; the")
    print("blocks alone from 4096 on. For each: ms, MB beside the inputs")
    for n in lengths:
        arrays, row = [*draw((1, n, 64)), draw((1, n, 64))[0]], [f"{n:8}"]
        for size in (n, 128):
            if size > 2048:
                row.append(f"| {'':10} {'':8}")
                continue
            back = partial(attention_vjp, is_causal=True, block_size=size)
            seconds = min(timed(back, arrays) for _ in range(FEWEST))
            row.append(f"| {seconds * 1e3:10.1f} {peak(back, arrays) / 1e6:8.1f}")
        print(*row, flush=True)


def print_shared_heads(n=2048, n_heads=32, n_kv_heads=4):
    """Measure heads that share keys and values beside copies of these for each head."""
    query, key, value = draw((n_heads, n, 64))
    key, value = key[:n_kv_heads], value[:n_kv_heads]
    group = n_heads // n_kv_heads

    def shared(*arrays):
        return blockwise_attention(*arrays, enable_gqa=True)

    def copied(query, *arrays):
        return blockwise_attention(
            query, *(np.repeat(a, group, axis=0) for a in arrays)
        )

    print(
        f"{n_heads} heads of queries, {n_kv_heads} of keys: shared, and copied; ms, MB"
    )
    arrays = (query, key, value)
    np.testing.assert_allclose(shared(*arrays), copied(*arrays), rtol=1e-4, atol=1e-5)
    for attend in (shared, copied):
        seconds = min(timed(attend, arrays) for _ in range(FEWEST))
        print(f"{seconds * 1e3:10.1f} {peak(attend, arrays) / 1e6:8.1f}")


def bare(query, key, value):
    """Compute the formula in as few calls of NumPy as there are, for one matrix."""
    scores = query @ key.T / query.shape[-1] ** 0.5
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True) @ value


def print_bound(shape=BATCH):
    """Measure attention beside the steps it cannot do without, block by block."""
    query, key, value = draw(shape)
    scores = query[:, :MIN_ROWS] @ np.swapaxes(key, -1, -2)
    n_blocks = -(-shape[-2] // MIN_ROWS)

    def products(query, key, value):
        for one in range(shape[0]):
            (query[one] @ key[one].T) @ value[one]

    def exponentials(*arrays):
        for _ in range(n_blocks):
            np.exp(arrays[0], out=scores)

    def sums(*arrays):
        for _ in range(n_blocks):
            scores @ np.ones((shape[-2], 1), np.float32)

    inputs, past = (query, key, value), (np.minimum(scores, 0),)
    causal = partial(scaled_dot_product_attention, is_causal=True)
    calls = {
        "products": (products, inputs),
        "exp": (exponentials, past),
        "sums": (sums, past),
        "full": (scaled_dot_product_attention, inputs),
        "causal": (causal, inputs),
    }
    times = {name: [] for name in calls}
    for _ in range(MOST // 2):
        for name, call in calls.items():
            times[name].append(timed(*call))
    ms = {name: statistics.median(found) * 1e3 for name, found in times.items()}
    least = (ms["products"] + ms["exp"] + ms["sums"]) / ms["products"]
    print(f"{shape}, ms:", *(f"{n} {t:.1f}" for n, t in ms.items()))
    print(f"  full: {ms['full'] / ms['products']:.2f} times its own two products;")
    print(f"  {least:.2f} with exp and sums, which NumPy computes on one core")
    print(f"  causal: {ms['causal'] / ms['full']:.2f} of full; in blocks of {MIN_ROWS}")
    print(f"  {(1 + MIN_ROWS / shape[-2]) / 2:.2f} of the products are needed")


def print_beside_pytorch(shape=BATCH):
    """Measure attention beside PyTorch's fused kernel, all keys and past ones alone.

    The least of many turns says more than the median where others use the machine.
    """
    import torch

    arrays = draw(shape)
    tensors = [torch.from_numpy(a)[None] for a in arrays]
    kernel = torch.nn.functional.scaled_dot_product_attention
    for is_causal in (False, True):
        functions = {
            "attnlib": partial(scaled_dot_product_attention, is_causal=is_causal),
            "pytorch": partial(kernel, is_causal=is_causal),
        }
        times = {name: [] for name in functions}
        for _ in range(MOST):
            for name, given in (("attnlib", arrays), ("pytorch", tensors)):
                times[name].append(timed(functions[name], given))
        for take in (statistics.median, min):
            ours, theirs = (take(found) * 1e3 for found in times.values())
            keys = "past keys" if is_causal else "all keys"
            print(f"{shape}, {keys}, {take.__name__}: {ours:.1f} ms,", end=" ")
            print(f"{ours / theirs:.2f} times PyTorch's fused kernel ({theirs:.1f})")
    block = np.minimum(arrays[0][:, :MIN_ROWS] @ np.swapaxes(arrays[1], -1, -2), 0)
    for exp, scores in ((np.exp, block), (torch.exp, torch.from_numpy(block))):
        seconds = min(timed(exp, (scores,)) for _ in range(MOST))
        ms = seconds * 1e3 * shape[-2] / MIN_ROWS
        print(f"  exp of all scores takes {type(scores).__module__} {ms:.1f} ms")


def print_small():
    """Measure what validating costs: arrays of 5 by 4, beside the bare formula."""
    arrays = np.random.default_rng(0).normal(size=(3, 5, 4))
    functions = {"bare formula": bare, "attention": scaled_dot_product_attention}
    times = {name: [] for name in functions}
    for _ in range(2000):
        for name, function in functions.items():
            seconds = timed(lambda *a, f=function: [f(*a) for _ in range(20)], arrays)
            times[name].append(seconds / 20)
    found = {name: statistics.median(some) for name, some in times.items()}
    ratio = found["attention"] / found["bare formula"]
    print("5 by 4, in µs:", *(f"{n} {s * 1e6:.1f}" for n, s in found.items()), end="; ")
    print(f"{ratio:.2f} times the bare formula's time")


def timed(function, arrays):
    """Measure the seconds of one call."""
    start = time.perf_counter()
    function(*arrays)
    return time.perf_counter() - start


def print_targets(seconds, memory):
    """Say which targets are met; those beside what is not installed are left out."""
    print("Targets")
    for what, name, other, s, most in TARGETS:
        found = {"time": seconds, "memory": memory}[what][s]
        if other in found:
            ratio = found[name] / found[other]
            verdict = "met" if ratio <= most else "MISSED"
            text = (
                f"{what} of {name}, {s}: {ratio:.3f} of {other}'s, at most {most:.3f}"
            )
            print(f"  {text}: {verdict}")


def main():
    """Print times, memory, and whether the targets are met."""
    parity = ROOT / ".venv" / "parity" / "bin" / "python"
    if parity.exists() and not importlib.util.find_spec("torch"):
        subprocess.run([parity, __file__], check=True)
        return
    there = {n: t for n, t in THEIRS.items() if importlib.util.find_spec(t[1])}
    # First of all, for a large process would show in the peaks of its children.
    memory = {s: {n: resident(n, s) for n in there} for s in (LONG, BATCH)}
    functions = OURS | {name: make() for name, (make, _) in there.items()}
    seconds = print_times(functions)
    print("Peak memory of a call beside its inputs, in MB")
    for s, found in memory.items():
        found.update({n: traced(f, s) for n, f in OURS.items()})
        print(f"{s!s:>14}", *(f"{found[n] / 1e6:10.1f}" for n in functions))
    print_small()
    print_bound()
    if "pytorch" in there:
        print_beside_pytorch()
    print_savings()
    print_shared_heads()
    print_backwards()
    print_targets(seconds, memory)


if __name__ == "__main__":
    main() if len(sys.argv) == 1 else print_resident(*sys.argv[1:])
