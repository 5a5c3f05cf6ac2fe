"""Wheels come from build backends: complete, correct, and the same at every build."""

import base64
import csv
import hashlib
import io
import subprocess
import sys
import zipfile

import pytest
from sphinx.errors import ExtensionError

from sphinx_nokernel.wheels import build_wheel

pytestmark = pytest.mark.slow

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "some-project"
version = "1.2"
dependencies = ["numpy>=2.0"]
[project.optional-dependencies]
extra = ["ipywidgets"]
[tool.hatch.build.targets.wheel]
packages = ["some_project"]
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    (folder / "project" / "some_project").mkdir(parents=True)
    (folder / "project" / "pyproject.toml").write_text(PROJECT)
    (folder / "project" / "some_project" / "__init__.py").write_text("value = 42\n")
    return folder


@pytest.fixture(scope="module", params=["project", "array-api-compat"])
def wheel(request, source, tmp_path_factory):
    return build_wheel(request.param, tmp_path_factory.mktemp("wheels"), source)


def test_every_file_is_recorded_with_its_digest(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (record,) = [name for name in names if name.endswith(".dist-info/RECORD")]
        rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        assert sorted(row[0] for row in rows) == sorted(names)
        for name, digest, _ in rows:
            if name != record:
                plain = hashlib.sha256(archive.read(name)).digest()
                encoded = base64.urlsafe_b64encode(plain).decode().rstrip("=")
                assert digest == f"sha256={encoded}"


def test_what_it_needs_is_in_its_metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [one for one in archive.namelist() if one.endswith("/METADATA")]
        metadata = archive.read(name).decode()
    if wheel.name.startswith("some_project"):
        assert "Requires-Dist: numpy>=2.0" in metadata
        assert "Provides-Extra: extra" in metadata
    else:
        assert "License-Expression: MIT" in metadata or "License: MIT" in metadata


def test_pip_installs_it(wheel, tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    run = subprocess.run([*pip, "--target", tmp_path, wheel], capture_output=True)
    assert run.returncode == 0, run.stderr
    module = wheel.name.split("-")[0]
    assert (tmp_path / module / "__init__.py").is_file()


def test_it_is_the_same_at_every_build(wheel, source, tmp_path):
    entry = "project" if wheel.name.startswith("some") else "array-api-compat"
    again = build_wheel(entry, tmp_path, source)
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_an_entry_that_is_neither_is_named(source, tmp_path):
    with pytest.raises(ExtensionError, match="'no-such-thing' is neither a folder"):
        build_wheel("no-such-thing", tmp_path, source)
