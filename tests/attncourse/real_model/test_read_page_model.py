"""Python reads the model from a site's scripts, in the page too."""

import io
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from attncourse.real_model import load_minilm, read_page_model
from attncourse.real_model.page.read import Scripts

pytestmark = pytest.mark.slow

HUNGRY = "A dog ate the food because it was hungry"


def same(trace, expected):
    assert trace.tokens == expected.tokens
    np.testing.assert_array_equal(trace.weights, expected.weights)
    np.testing.assert_array_equal(trace.hidden, expected.hidden)


def test_it_is_the_rounded_model(packed, rounded):
    model = read_page_model(packed)
    same(model(HUNGRY), rounded(HUNGRY))
    same(
        model("Zebras like 犬 and photosynthesis"),
        rounded("Zebras like 犬 and photosynthesis"),
    )
    assert len(model.words) == 30522


def test_words_are_read_when_they_are_needed(packed, monkeypatch):
    read, plain = [], Scripts.bytes
    monkeypatch.setattr(Scripts, "bytes", lambda s, n: (read.append(n), plain(s, n))[1])
    model = read_page_model(packed)
    assert not [name for name in read if "words" in name]
    model(HUNGRY)
    once = len(read)
    model("the dog was hungry")
    assert len(read) == once
    assert 3 < len([name for name in read if "words" in name]) < 11


@pytest.fixture
def copy(packed, tmp_path):
    shutil.copytree(packed, tmp_path / "minilm")
    return tmp_path / "minilm"


def test_a_changed_piece_is_refused(copy):
    path = copy / "weights-3.js"
    path.write_text(path.read_text().replace("A", "B", 1))
    with pytest.raises(ValueError, match="SHA-256 of weights-3 must be"):
        read_page_model(copy)
    path.write_text("<!doctype html>")
    with pytest.raises(ValueError, match=r"weights-3\.js must hand over a piece"):
        read_page_model(copy)


def test_a_site_without_weights_says_so(tmp_path):
    (tmp_path / "manifest.js").write_text('receivePiece("manifest",{"there":false});\n')
    with pytest.raises(FileNotFoundError, match="built without the model's weights"):
        read_page_model(tmp_path)


def test_in_the_page_it_comes_from_the_site(packed, rounded, monkeypatch):
    """As Pyodide has it: its worker's address says where the site is."""
    asked = []

    def open_url(address):
        asked.append(address)
        return io.StringIO((packed / Path(address).name).read_text())

    worker = "https://example.org/book/_static/nokernel/worker.mjs?v=1"
    js, http = ModuleType("js"), ModuleType("pyodide.http")
    js.self, http.open_url = (
        SimpleNamespace(location=SimpleNamespace(href=worker)),
        open_url,
    )
    modules = {"js": js, "pyodide": ModuleType("pyodide"), "pyodide.http": http}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys, "platform", "emscripten")
    same(load_minilm(page_sized=True)(HUNGRY), rounded(HUNGRY))
    home = "https://example.org/book/_static/minilm/"
    assert asked[0] == f"{home}manifest.js"
    assert all(address.startswith(home) for address in asked)
