"""Ask right functions what they compute: `ask` has to explain each, and blame none.

    python benchmarks/run.py right_functions

Programs times conventions times what they are called with: formats, layouts, sizes. JAX
and PyTorch take part where they are installed. It fails where there is a problem.
"""

import importlib.util
import os
import sys
import time
from collections import Counter
from functools import partial
from itertools import product
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attncheck import ask
from attnlib import alibi_bias, blockwise_attention, rotary_embedding
from attnlib import scaled_dot_product_attention as attention


# Programs: query, key, value (b, h, n, d), and what is added to scores.
def by_einsum(q, k, v, *, mask, scale=None, softcap=None, sinks=None):
    """Follow the formula."""
    k, v = (np.repeat(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    s = np.einsum("bhnd,bhmd->bhnm", q, k) * (scale or q.shape[-1] ** -0.5)
    s = (softcap * np.tanh(s / softcap) if softcap else s) + mask
    rest = -np.inf if sinks is None else sinks[:, None, None]
    top = np.maximum(np.maximum(s.max(-1, keepdims=True), rest), np.finfo("f4").min)
    e = np.exp(s - top)
    total = e.sum(-1, keepdims=True) + np.exp(rest - top)
    return np.einsum("bhnm,bhmd->bhnd", e / np.where(total > 0, total, 1), v)


def online(q, k, v, *, mask, scale=None, softcap=None, sinks=None, block=32):
    """Keep a running maximum and a running sum over blocks of keys."""
    k, v = (np.repeat(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    low = np.finfo(q.dtype).min if sinks is None else sinks[:, None, None]
    top = np.broadcast_to(low, (*q.shape[:3], 1))
    total, output = np.full_like(top, sinks is not None), np.zeros((1, 1, 1, 1))
    for start in range(0, k.shape[2], block):
        keys = np.s_[..., start : start + block, :]
        s = q @ k[keys].swapaxes(-1, -2) * (scale or q.shape[-1] ** -0.5)
        s = softcap * np.tanh(s / softcap) if softcap else s
        s = s + mask[..., start : start + block]
        new = np.maximum(top, s.max(-1, keepdims=True))
        e, kept = np.exp(s - new), np.exp(top - new)
        total, output = total * kept + e.sum(-1, keepdims=True), output * kept
        output, top = output + e @ v[keys], new
    return output / np.where(total > 0, total, 1)


def by_head(q, k, v, *, sinks=None, **how):
    """Compute one head of one batch item after the other."""
    output, mask = np.empty((*q.shape[:3], v.shape[3]), q.dtype), how.pop("mask")
    for b, h in np.ndindex(q.shape[:2]):
        g, bias = h * k.shape[1] // q.shape[1], mask[h % len(mask)]
        own = None if sinks is None else sinks[h]
        one = attention(q[b, h], k[b, g], v[b, g], mask=bias, sinks=own, **how)
        output[b, h] = one
    return output


PROGRAMS = {
    "formula": by_einsum,
    "online": online,
    "head by head": by_head,
    "attnlib": partial(attention, enable_gqa=True),
    "attnlib, in blocks": partial(blockwise_attention, enable_gqa=True, block_size=16),
}


# Conventions: keywords of a program, or how queries and keys are turned, "turn"; what a
# query sees, "sees", of queries i, keys j and how many more keys there are.
def rotated(x, more=0, **how):
    """Rotate rows by their places."""
    return rotary_embedding(x, positions=np.arange(x.shape[-2]) + more, **how)


def normalized(x, more=0):
    """Divide rows by their root mean square."""
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)


CAUSAL, AT_END = (lambda i, j, more: j <= i), (lambda i, j, more: j <= i + more)
CONVENTIONS = {
    "plain": {},
    "causal": {"sees": CAUSAL},
    "causal at the end": {"sees": AT_END},
    "window": {"sees": lambda i, j, more: (j <= i + more) & (j > i + more - 8)},
    "two sides": {"sees": lambda i, j, more: abs(i - j) < 4},
    "chunks": {"sees": lambda i, j, more: (j <= i) & (i // 16 == j // 16)},
    "scale": {"scale": 0.125},
    "cap": {"softcap": 30.0, "sees": CAUSAL},
    "sinks": {"sinks": lambda h: np.linspace(-1, 1, h), "sees": AT_END},
    "rotary": {"turn": rotated, "sees": AT_END},
    "rotary pairs": {"turn": partial(rotated, interleaved=True, base=5e5)},
    "QK-norm": {"turn": normalized, "sees": CAUSAL},
    "ALiBi": {"bias": alibi_bias, "sees": CAUSAL},
}
TILES = {"d": 128, "n": range(64, 513, 64), "m": range(64, 513, 64)}
CALLED = {
    **{dtype: {"dtype": dtype} for dtype in ("float32", "float64", "float16")},
    "tokens first": {"layout": "bnhd"},
    "tiles": {"shapes": TILES},
}


def right(program, layout="bhnd", turn=None, sees=None, bias=None, sinks=None, **how):
    """Return a right function: a program that keeps to a convention."""

    def function(query, key, value):
        order = [layout.index(letter) for letter in "bhnd"]
        q, k, v = (x.transpose(order) for x in (query, key, value))
        wide = np.promote_types(query.dtype, np.float32)  # sums of half precision
        q, k, v = (x.astype(wide) for x in (q, k, v))
        h, n, m = q.shape[1], q.shape[2], k.shape[2]
        if turn:
            q, k = turn(q, m - n if sees is AT_END else 0), turn(k)
        mask = np.zeros((h, n, m)) if bias is None else bias(h, n, m)
        if sees:
            seen = sees(np.arange(n)[:, None], np.arange(m), m - n)
            mask = np.where(seen, mask, -np.inf)
        own = {} if sinks is None else {"sinks": sinks(h)}
        output = program(q, k, v, mask=mask, **how, **own)
        return output.astype(query.dtype).transpose(np.argsort(order))

    return function


def functions():
    """Yield a name, a function, and with what it is called."""
    for names in product(PROGRAMS, CONVENTIONS, CALLED):
        program, convention, called = names
        how = CALLED[called]
        layout = how.get("layout", "bhnd")
        function = right(PROGRAMS[program], layout, **CONVENTIONS[convention])
        yield " · ".join(names), function, how
    for library in filter(importlib.util.find_spec, ("jax", "torch")):
        yield from LIBRARIES[library]()


def of_jax():
    """Yield JAX's own function."""
    from jax.nn import dot_product_attention as f

    for own in ({}, {"is_causal": True}, {"scale": 0.3}, {"local_window_size": (3, 0)}):
        yield f"jax · {own}", f, {"layout": "bnhd", **own}


def of_torch():
    """Yield PyTorch's own function."""
    from torch.nn.functional import scaled_dot_product_attention as f

    own = ({}, {"is_causal": True}, {"scale": 0.3}, {"enable_gqa": True})
    for more, dtype in product(own, ("float32", "bfloat16")):
        yield f"torch · {dtype} · {more}", f, {"dtype": dtype, **more}


LIBRARIES = {"jax": of_jax, "torch": of_torch}


def main():
    """Ask all of them; return how many are blamed or not explained."""
    started, found = time.process_time(), Counter()
    for name, function, how in functions():
        report = ask(function, **how)
        found[report.status] += 1
        if report.status:
            print(f"{name}: {report}\n")
    seconds = time.process_time() - started
    words = f"{found[1]} alarms, {found[2]} unexplained; {seconds:.0f} seconds of CPU"
    print(f"{found.total()} right functions: {words}")
    return found[1] + found[2]


if __name__ == "__main__":
    sys.exit(main() > 0)
