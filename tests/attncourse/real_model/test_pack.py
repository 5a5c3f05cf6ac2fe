"""The scripts that a site serves: whole, checked, and honest when there is nothing."""

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from attncourse.real_model import files, load_minilm, read_page_model
from attncourse.real_model.page import pack as packing
from attncourse.real_model.page.quantize import quantize
from attncourse.real_model.page.read import Scripts
from tests.attncourse.real_model.conftest import NODE

pytestmark = pytest.mark.slow

SCRIPT = re.compile(r'receivePiece\("([\w-]+)",(.*)\);\n', re.DOTALL)


def read(path):
    name, content = SCRIPT.fullmatch(path.read_text("utf-8")).groups()
    assert name == path.stem
    return json.loads(content)


@pytest.fixture(scope="module")
def manifest(packed):
    return read(packed / "manifest.js")


def test_every_piece_is_listed_with_its_length_and_hash(packed, manifest):
    assert {path.stem for path in packed.glob("*.js")} == {
        "manifest",
        *manifest["pieces"],
    }
    for name, (length, sha256) in manifest["pieces"].items():
        data = base64.b64decode(read(packed / f"{name}.js"), validate=True)
        assert len(data) == length
        assert hashlib.sha256(data).hexdigest() == sha256


def test_sizes_are_those_of_the_files(packed, manifest):
    lengths = {name: length for name, (length, _) in manifest["pieces"].items()}
    assert manifest["total"] == sum(lengths.values())
    opening = ["worker", *manifest["opening"]]
    assert len(set(opening)) == len(opening)
    assert manifest["first"] == sum(lengths[name] for name in opening)
    assert manifest["first"] < 13e6 < manifest["total"] < 25e6
    on_disk = sum(path.stat().st_size for path in packed.glob("*.js"))
    assert manifest["total"] < on_disk < 1.34 * manifest["total"]
    assert (packed / "manifest.js").stat().st_size < 15_000


def test_the_license_comes_along(packed):
    legal = {path.name for path in packed.iterdir() if path.suffix != ".js"}
    assert legal == {"NOTICE.txt", "LICENSE-APACHE.txt"}
    assert "were\nchanged" in (packed / "NOTICE.txt").read_text("utf-8")


def test_a_word_is_where_its_id_says(packed, manifest, model):
    token = model.pieces.ids(["photos"])[0]
    piece, row = divmod(token, manifest["idsAPiece"])
    data = base64.b64decode(read(packed / f"words-{piece}.js"))
    d = manifest["dModel"]
    levels = np.frombuffer(data, np.int8)[row * d : (row + 1) * d]
    expected, _ = quantize(model.words[token : token + 1])
    np.testing.assert_array_equal(levels, expected[0])


def test_packing_twice_gives_the_same_bytes(packed, tmp_path):
    (tmp_path / "words-999.js").write_text("of an earlier build")
    packing.pack(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*")}
    assert made == {path.name: path.read_bytes() for path in packed.glob("*")}


def test_the_worker_is_one_script_without_imports(packed, tmp_path):
    source = base64.b64decode(read(packed / "worker.js")).decode()
    assert not re.search(r"^(import|export) ", source, re.MULTILINE)
    script = tmp_path / "worker.js"
    script.write_text(source, encoding="utf-8")
    # A name that two of its modules declare is an error of syntax.
    done = subprocess.run([NODE, "--check", script], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_without_weights_the_manifest_says_so(nowhere, tmp_path):
    (tmp_path / "weights-0.js").write_text("of an earlier build")
    with pytest.raises(FileNotFoundError, match="no weights here"):
        packing.pack(tmp_path)
    assert read(tmp_path / "manifest.js") == {"there": False}
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.js"]


def test_a_changed_file_is_not_packed(tmp_path):
    folder, target = tmp_path / "folder", tmp_path / "target"
    folder.mkdir()
    published = files.find_folder()
    (folder / files.WEIGHTS).symlink_to(published / files.WEIGHTS)
    words = (published / files.VOCABULARY).read_text("utf-8")
    (folder / files.VOCABULARY).write_text(words.replace("dog\n", "god\n", 1), "utf-8")
    with pytest.raises(ValueError, match="check_sha256"):
        packing.pack(target, folder)
    assert read(target / "manifest.js") == {"there": False}


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
