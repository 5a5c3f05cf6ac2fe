"""The progress bar: silent for scripts, drawn for a front end that names its cell."""

import sys
from types import SimpleNamespace

import IPython.display
import pytest

from attncourse.progress import progress


def asked_with(monkeypatch, metadata):
    """Pretend to run in a kernel that was asked with these metadata."""
    kernel = SimpleNamespace(get_parent=lambda channel: {"metadata": metadata})
    shell = SimpleNamespace(kernel=kernel)
    fake = SimpleNamespace(get_ipython=lambda: shell, display=IPython.display)
    monkeypatch.setitem(sys.modules, "IPython", fake)
    shown = []

    def display(bar, display_id):
        shown.append(repr(bar))
        return SimpleNamespace(update=lambda bar: shown.append(bar._repr_html_()))

    monkeypatch.setattr(IPython.display, "display", display)
    return shown


def test_bar_follows_the_loop(monkeypatch):
    shown = asked_with(monkeypatch, {"cellId": "train"})
    assert list(progress(iter("abc"), total=3)) == list("abc")
    assert shown[0] == "0 of 3"
    ends = [f"<progress value='{n}' max='3'></progress> {n} of 3" for n in (1, 2, 3, 3)]
    assert shown[1:] == ends


def test_a_long_loop_draws_few_bars(monkeypatch):
    shown = asked_with(monkeypatch, {"cellId": "train"})
    assert sum(progress(range(1000))) == 499500
    assert len(shown) == 52


def test_silent_without_a_front_end(monkeypatch):
    shown = asked_with(monkeypatch, {})
    assert list(progress(range(3))) == [0, 1, 2]
    assert shown == []


@pytest.mark.parametrize("loaded", [None, SimpleNamespace(get_ipython=lambda: None)])
def test_silent_outside_a_notebook(monkeypatch, capsys, loaded):
    monkeypatch.setitem(sys.modules, "IPython", loaded)
    assert list(progress(range(3))) == [0, 1, 2]
    assert capsys.readouterr().out == ""
