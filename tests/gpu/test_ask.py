"""`ask` on a GPU: no false alarm, and faults named."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention

from attncheck import ask
from attnlib import scaled_dot_product_attention as of_attnlib
from tests.gpu import kernel

EXPECTED = {"scale": "1/sqrt(d_k)", "normalized": "keys"}
ON_GPU = {"arrays": "torch:cuda"}
DTYPES = ("float32", "float16", "bfloat16")


def textbook(query, key, value, mask=None):
    scores = query / math.sqrt(query.shape[-1]) @ key.transpose(-1, -2)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, -1) @ value


def said_of(function, expected=None, **how):
    report = ask(function, expected={**EXPECTED, **(expected or {})}, **how)
    print(report)
    return report


def assert_right(report, arrays="torch:cuda"):
    assert report.status == 0, report
    assert report.arrays == arrays
    assert report.device in ("cuda:0", "gpu:0")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("backend", ["MATH", "EFFICIENT_ATTENTION", "FLASH_ATTENTION"])
@pytest.mark.parametrize("is_causal", [False, True])
def test_pytorch_s_kernels(backend, dtype, is_causal):
    if (backend, dtype) == ("FLASH_ATTENTION", "float32"):
        return

    def attention(query, key, value, **more):
        with sdpa_kernel(getattr(SDPBackend, backend)):
            return scaled_dot_product_attention(query, key, value, **more)

    alignment = {"alignment": "start" if is_causal else "none"}
    more = {"is_causal": True} if is_causal else {}
    assert_right(said_of(attention, alignment, dtype=dtype, **more, **ON_GPU))


@pytest.mark.parametrize("dtype", DTYPES)
def test_written_out(dtype):
    assert_right(said_of(textbook, {"mask": "may attend"}, dtype=dtype, **ON_GPU))


def test_compiled():
    compiled = torch.compile(textbook, dynamic=True)
    assert_right(said_of(compiled, {"mask": "may attend"}, **ON_GPU))


def test_flex_attention():
    torch._dynamo.config.recompile_limit = 64
    assert_right(said_of(torch.compile(flex_attention, dynamic=True), **ON_GPU))


def test_the_mask_on_a_gpu_is_asked():
    def attention(query, key, value, attn_mask=None):
        return textbook(query, key, value, None if attn_mask is None else ~attn_mask)

    report = said_of(attention, {"mask": "may attend"}, **ON_GPU)
    assert "mask 'may attend' was expected" in str(report.problems[0])


def test_what_is_left_on_the_processor_is_told():
    weight = torch.eye(4, device="cuda")

    def attention(query, key, value):
        return textbook(query, key, value) + weight[0, 1]

    def at_home(query, key, value):
        return textbook(query + weight.sum() * 0, key, value).cpu()

    assert_right(said_of(attention, **ON_GPU))
    assert "it gives one on cpu" in str(said_of(at_home, **ON_GPU))


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_kernel_in_triton(dtype, is_causal):
    expected = {"alignment": "end" if is_causal else "none", "grouping": "repeat"}
    how = {"dtype": dtype, "is_causal": is_causal}
    assert_right(said_of(kernel.attention, expected, **how, **ON_GPU))


NAMED = {
    "tail": "keys of 0 that fill a block of 32 are attended to",
    "sum": "sum is not rescaled when the maximum rises (blocks of 32 keys)",
    "corner": "alignment 'end' was expected, and it is 'start'",
    "base": "scale '1/√d_k' was expected",
    "heads": "grouping 'repeat' was expected, and it is 'tile'",
    "narrow": "few-bits",
}


@pytest.mark.parametrize("fault", kernel.FAULTS)
def test_what_is_wrong_with_a_kernel(fault):
    is_causal = fault != "tail"  # which a causal mask that ends at the last key hides
    expected = {"alignment": "end" if is_causal else "none", "grouping": "repeat"}
    report = said_of(kernel.wrong(fault), expected, is_causal=is_causal, **ON_GPU)
    found = " ".join(map(str, report.problems))
    assert NAMED[fault] in " ".join(found.split())


def test_cupy():
    cupy = pytest.importorskip("cupy")

    def attention(query, key, value, mask=None):
        assert isinstance(query, cupy.ndarray)
        return of_attnlib(query, key, value, mask=mask, is_causal=True)

    expected = {"alignment": "start", "mask": "may attend"}
    assert_right(said_of(attention, expected, arrays="cupy"), "cupy")


@pytest.mark.parametrize("precision", ["highest", None])
def test_jax(precision):
    jax = pytest.importorskip("jax")
    with jax.default_matmul_precision(precision):
        attention = jax.nn.dot_product_attention
        report = said_of(attention, layout="bnhd", arrays="jax")
    codes = [problem.code for problem in report.problems]
    assert codes == (["few-bits"] if precision is None else [])  # products of 10 bits
