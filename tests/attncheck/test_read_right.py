"""First of all, no false alarm: right runs are right, in every format."""

import itertools

import numpy as np
import pytest

from attncheck import read_run
from attncheck.formats import round_to
from attncheck.model import Model, attend

SHAPES = [(1, 1, 1, 5, 5, 3), (2, 6, 2, 33, 33, 16), (1, 4, 4, 17, 65, 64)]
SHAPES += [(1, 2, 1, 130, 130, 64)]
FORMATS = ["float32", "float16", "bfloat16"]
KEYWORDS = {
    "plain": {},
    "causal": {"is_causal": True},
    "window": {"is_causal": True, "window": (7, 0)},
    "cache": {"is_causal": True, "query_offset": 3},
    "cap": {"softcap": 5.0},
    "scale": {"scale": 1.0},
}


def draw(shape, name, size=1.0, seed=0):
    b, h, g, n, m, d = shape
    rng = np.random.default_rng(seed)
    sizes = ((b, h, n, d), (b, g, m, d), (b, g, m, d))
    return [round_to(size * rng.standard_normal(s), name) for s in sizes]


def roughly(q, k, v, keywords, name, mask=None):
    """Attention with every step rounded to the format, as a plain program does it."""
    d = q.shape[-1]
    group = q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, group, axis=1) for x in (k, v))
    scores = round_to(q @ k.swapaxes(-1, -2), name)
    scores = round_to(scores * keywords.get("scale", d**-0.5), name)
    if cap := keywords.get("softcap"):
        scores = round_to(cap * np.tanh(scores / cap), name)
    n, m = scores.shape[-2:]
    i = np.arange(n)[:, None] + keywords.get("query_offset", 0)
    j = np.arange(m)
    allowed = np.ones((n, m), bool) if mask is None else mask
    if "is_causal" in keywords:
        allowed = allowed & (j <= i)
    if "window" in keywords:
        allowed = allowed & (j >= i - keywords["window"][0])
    scores = np.where(allowed, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    e = round_to(
        np.exp(round_to(scores - np.where(np.isfinite(top), top, 0), name)), name
    )
    total = e.sum(-1, keepdims=True)
    weights = round_to(e / np.where(total > 0, total, 1), name)
    return round_to(weights @ v, name)


CASES = list(itertools.product(SHAPES, FORMATS, KEYWORDS))


@pytest.mark.parametrize(("shape", "name", "what"), CASES)
@pytest.mark.parametrize("size", [0.3, 3.0])
def test_right_runs_raise_no_alarm(shape, name, what, size):
    keywords = KEYWORDS[what]
    q, k, v = draw(shape, name, size)
    output = roughly(q, k, v, keywords, name)
    report = read_run(q, k, v, output, dtype=name, **keywords)
    assert report.status == 0, str(report)
    assert read_run(q, k, v, output, **keywords).status == 0


@pytest.mark.parametrize("name", FORMATS)
def test_masks_that_are_given(name):
    q, k, v = draw((2, 2, 2, 9, 21, 8), name)
    mask = np.random.default_rng(1).random((2, 1, 9, 21)) > 0.4
    mask[0, 0, 3] = False  # nobody
    output = roughly(q, k, v, {}, name, mask)
    report = read_run(q, k, v, output, dtype=name, mask=mask)
    assert report.status == 0, str(report)
    assert report.facts["empty_row"] == "zeros"


def test_axes_may_be_fewer_or_in_another_order():
    q, k, v = draw((1, 3, 3, 7, 9, 4), "float64")
    output = attend(q, k, v, Model()).output
    assert read_run(q[0], k[0], v[0], output[0]).status == 0
    assert read_run(q[0, 0], k[0, 0], v[0, 0], output[0, 0]).status == 0
    turned = [x.swapaxes(1, 2) for x in (q, k, v, output)]
    assert read_run(*turned, layout="bnhd").status == 0


def test_what_computes_in_a_narrower_format_cannot_be_told():
    q, k, v = draw((1, 2, 2, 40, 40, 64), "float32")
    output = roughly(q, k, v, {}, "tfloat32").astype(np.float32)
    output += np.float32(1e-7) * output
    report = read_run(q, k, v, output, dtype="float32")
    assert (report.status, report.problems) == (2, [])
    assert read_run(q, k, v, output, dtype="tfloat32").status == 0
