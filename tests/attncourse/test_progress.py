"""The progress bar: silent for scripts, tqdm's for a front end that names its cell."""

import sys
from types import SimpleNamespace

import pytest
import tqdm.auto

from attncourse.progress import progress


def asked_with(monkeypatch, metadata):
    """Pretend to run in a kernel that was asked with these metadata; note the bars."""
    kernel = SimpleNamespace(get_parent=lambda channel: {"metadata": metadata})
    shell = SimpleNamespace(kernel=kernel)
    fake = SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    bars = []

    def bar(steps, **options):
        bars.append(options)
        return steps

    monkeypatch.setattr(tqdm.auto, "tqdm", bar)
    return bars


def test_a_front_end_gets_a_bar(monkeypatch):
    bars = asked_with(monkeypatch, {"cellId": "train"})
    assert list(progress(iter("abc"), total=3)) == list("abc")
    assert bars == [{"total": 3}]


def test_silent_without_a_front_end(monkeypatch):
    bars = asked_with(monkeypatch, {})
    assert list(progress(range(3), total=3)) == [0, 1, 2]
    assert bars == []


@pytest.mark.parametrize("loaded", [None, SimpleNamespace(get_ipython=lambda: None)])
def test_silent_outside_a_notebook(monkeypatch, capsys, loaded):
    monkeypatch.setitem(sys.modules, "IPython", loaded)
    assert list(progress(range(3))) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")
