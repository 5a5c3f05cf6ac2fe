"""With arrays="torch:cuda" all that a function is given lies there, and comes back.

There is no GPU here. A stand-in for PyTorch refuses what PyTorch refuses: tensors
of two devices in one call, and a NumPy array of one that lies on a device.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from attncheck import ask, libraries
from attnlib import softmax

pytestmark = pytest.mark.slow


class Tensor:
    def __init__(self, array, device="cpu"):
        self.array, self.device = array, device

    @property
    def dtype(self):
        return f"torch.{self.array.dtype}"

    @property
    def shape(self):
        return self.array.shape

    def is_floating_point(self):
        return self.array.dtype.kind == "f"

    def to(self, what):
        if what == "cuda":
            return Tensor(self.array, what)
        return Tensor(self.array.astype(what), self.device)

    def detach(self):
        return self

    def cpu(self):
        return Tensor(self.array)

    def double(self):
        return Tensor(self.array.astype(np.float64), self.device)

    def __array__(self, dtype=None, copy=None):
        if self.device != "cpu":
            raise TypeError("can't convert a cuda tensor to numpy: use Tensor.cpu()")
        return np.asarray(self.array, dtype)


def attention(query, key, value, mask=None):
    given = [x for x in (query, key, value, mask) if x is not None]
    if {x.device for x in given} != {"cuda"}:
        raise RuntimeError("expected all tensors to be on the same device")
    q, k, v = (x.array for x in given[:3])
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(np.float32(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask.array, scores, np.float32(-1e30))
    return Tensor((softmax(scores) @ v).astype(q.dtype), "cuda")


@pytest.fixture
def pytorch(monkeypatch):
    stand_in = SimpleNamespace(
        from_numpy=Tensor, float32=np.float32, float64=np.float64, float16=np.float16
    )
    monkeypatch.setitem(sys.modules, "torch", stand_in)


def test_everything_lies_on_the_device(pytorch):
    meant = {"scale": "1/sqrt(d_k)", "alignment": "none", "mask": "may attend"}
    report = ask(attention, arrays="torch:cuda", meant=meant)
    assert report.status == 0, report
    assert report.facts["empty_row"] == "mean"
    assert report.details["arrays"] == "torch:cuda"
    assert report.details["device"] == "cuda"
    assert "Given arrays on" not in str(report)


def test_an_output_that_is_left_elsewhere_is_told(pytorch):
    def at_home(query, key, value):
        return attention(query, key, value).cpu()

    report = ask(at_home, arrays="torch:cuda")
    assert report.status == 0, report
    assert "Given arrays on cuda, it gives one on cpu." in str(report)


def test_without_the_device_it_is_refused(pytorch):
    report = ask(attention, arrays="torch")
    assert [problem.code for problem in report.problems] == ["refused"]
    assert "on the same device" in report.problems[0].sentence


@pytest.mark.parametrize("arrays", ["tensorflow", "cuda", "jax:cuda", ""])
def test_arrays_of_no_known_kind(arrays):
    said = f"'cupy', or 'torch:' and a device; got {arrays!r}$"
    with pytest.raises(ValueError, match=said):
        ask(attention, arrays=arrays)


def test_arrays_of_a_library_that_is_not_there(monkeypatch):
    monkeypatch.setattr(libraries, "is_there", lambda name: False)
    with pytest.raises(ValueError, match="needs cupy, which is not installed"):
        ask(attention, arrays="cupy")


def test_arrays_on_a_device_that_is_not_there(pytorch, monkeypatch):
    def refuse(array):
        raise AssertionError("Torch not compiled with CUDA enabled")

    monkeypatch.setattr(sys.modules["torch"], "from_numpy", refuse)
    with pytest.raises(ValueError, match=r"no arrays of 'torch:cuda'.*not compiled"):
        ask(attention, arrays="torch:cuda")


class Clamped(np.ndarray):
    """A stand-in for JAX's arrays: an index that is out of bounds is clamped."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(x) for x in inputs]
        return getattr(ufunc, method)(*plain, **kwargs).view(Clamped)

    def heads(self, index):
        return np.take(np.asarray(self), index, axis=1, mode="clip").view(Clamped)


@pytest.mark.parametrize(("module", "library"), [("jaxlib", "jax"), ("torch", "torch")])
def test_what_takes_numpys_arrays_and_gives_others_is_asked_with_those(
    monkeypatch, module, library
):
    def in_theirs(x, kind, dtype):
        return (
            x.view(Clamped) if kind == library else libraries.to_library(x, kind, dtype)
        )

    monkeypatch.setattr(Clamped, "__module__", module)
    monkeypatch.setattr("attncheck.subject.to_library", in_theirs)

    def by_groups(query, key, value):
        """Divide by the number of key heads, where it should be by that of sharers."""
        groups = key.shape[1]
        if groups != query.shape[1]:
            index = np.arange(query.shape[1]) // groups
            key, value = (
                x.heads(index) if isinstance(x, Clamped) else x[:, index]
                for x in (key, value)
            )
        scores = np.asarray(query) @ np.asarray(key).swapaxes(-1, -2) / 8
        return (softmax(scores) @ np.asarray(value)).view(Clamped)

    report = ask(by_groups)
    assert "Six query heads read the values of two heads thus: 0 0 1 1 1 1" in str(
        report
    )
