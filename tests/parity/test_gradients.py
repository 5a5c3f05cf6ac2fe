"""Every gradient of attnlib against PyTorch's autograd, and against differences.

What PyTorch differentiates is written in its own words (in_torch.py). How many numbers
were compared, and how far apart they are at most, is printed at the end of the run.

Run by `make parity`, which installs what it needs.
"""

import inspect
from functools import partial

import numpy as np
import pytest
import torch

import attnlib
from attncourse.toys import gradients
from tests.attncourse.toys.test_gradients import LAYERS
from tests.attnlib import keywords
from tests.attnlib.differences import by_differences
from tests.attnlib.gradient_cases import BATCHES, QKV, WAYS
from tests.parity import in_torch


def by_autograd(function, inputs, grad):
    """Let PyTorch differentiate; None stays None."""
    tensors = [None if x is None else torch.tensor(x).requires_grad_() for x in inputs]
    pulled = (function(*tensors) * torch.as_tensor(grad)).sum()
    found = iter(torch.autograd.grad(pulled, [x for x in tensors if x is not None]))
    return [None if x is None else next(found).numpy() for x in inputs]


def compare(row, vjp, found, *others):
    """Compare all numbers with autograd's, and all with differences."""
    names = list(inspect.signature(vjp).parameters)[: len(found)]
    named = [dict(zip(names, each, strict=True)) for each in (found, *others)]
    row.compare(named[0], named[1], named[0], named[2])


OFFSETS = {"is_causal": True, "query_offset": np.array([[0], [3]])}
ATTENTION = {
    **{name: (shapes, {}) for name, shapes in BATCHES.items()},
    **{name: (QKV, how) for name, how in WAYS.items()},
    **{name: (keywords.shapes(**how), how) for name, how in keywords.ELSEWHERE.items()},
    "offsets of a batch": ([(2, 3, *shape) for shape in QKV], OFFSETS),
}


@pytest.mark.parametrize(("shapes", "how"), ATTENTION.values(), ids=ATTENTION)
def test_attention(row, rng, shapes, how):
    inputs = [rng.normal(size=shape) for shape in shapes]
    attend = partial(attnlib.scaled_dot_product_attention, **how)
    grad = rng.normal(size=attend(*inputs).shape)
    expected = by_autograd(partial(in_torch.attention, **how), inputs, grad)
    slopes, vjp = by_differences(attend, inputs, grad), attnlib.attention_vjp
    for name, size in (("attention_vjp", None), ("attention_vjp, blocks", 2)):
        found = vjp(*inputs, grad, **how, block_size=size)
        compare(row(name), vjp, found, expected, slopes)


@pytest.mark.parametrize("axis", [-1, 0, 1, 2])
def test_softmax(row, rng, axis):
    (scores, grad), vjp = rng.normal(size=(2, 3, 5, 7)), attnlib.softmax_vjp
    found = [vjp(attnlib.softmax(scores, axis), grad, axis)]
    expected = by_autograd(partial(torch.softmax, dim=axis), [scores], grad)
    slopes = by_differences(partial(attnlib.softmax, axis=axis), [scores], grad)
    compare(row("softmax_vjp"), vjp, found, expected, slopes)


@pytest.mark.parametrize("case", LAYERS.values(), ids=LAYERS)
def test_layers(row, rng, case):
    function, vjp, shapes, options = case
    inputs = [None if s is None else rng.normal(size=s) for s in shapes]
    grad = rng.normal(size=function(*inputs, **options).shape)
    in_its_words = partial(getattr(in_torch, function.__name__), **options)
    expected = by_autograd(in_its_words, inputs, grad)
    slopes = by_differences(partial(function, **options), inputs, grad)
    found = vjp(*inputs, grad, **options)
    compare(row(vjp.__name__), vjp, found, expected, slopes)


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_cross_entropy(row, rng, batch):
    logits, grad = rng.normal(size=(*batch, 5)), rng.normal(size=batch)
    given, vjp = {"targets": rng.integers(5, size=batch)}, gradients.cross_entropy_vjp
    found = [vjp(logits, **given, grad_output=grad)]
    expected = by_autograd(partial(in_torch.cross_entropy, **given), [logits], grad)
    slopes = by_differences(partial(attnlib.cross_entropy, **given), [logits], grad)
    compare(row("cross_entropy_vjp"), vjp, found, expected, slopes)


def test_no_gradient_is_left_out():
    compared = {"attention_vjp", "softmax_vjp", "cross_entropy_vjp"}
    compared |= {vjp.__name__ for _, vjp, *_ in LAYERS.values()}
    there = [*attnlib.__all__, *vars(gradients)]
    assert compared == {name for name in there if name.endswith("_vjp")}
