"""All that is installed is locked: a version, its checksums, and no host."""

import json
import re
import tomllib
from pathlib import Path

import install
import parity
import pytest

ROOT = Path(__file__).resolve().parents[2]
PINS = ["", "-site", "-test", "-parity", "-model", "-decoder"]
GROUPS = {"lessons": "", "site": "-site", "test": "-test", "parity": "-parity"}
UNLOCKED = {"torch"}  # which comes from one of two indexes, whose files differ
NPM = ["package-lock.json", "tools/chromium/package-lock.json"]


def normal(name):
    """Return the name as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(name):
    """Map each package of a file to its version and checksums; refuse all else."""
    text = (ROOT / f"requirements{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = {}
    for entry in re.split(r"\n(?=\S)", "\n".join(lines)):
        first, *hashes = entry.split(" \\\n")
        package, version = re.match(
            r"([\w.-]+)(?:\[[\w, -]+\])?==([^ ]+)", first
        ).groups()
        kinds = {re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", h) for h in hashes}
        assert hashes, package
        assert None not in kinds, package
        found[package] = version
    return found


@pytest.mark.parametrize("name", PINS)
def test_every_package_has_a_version_and_checksums(name):
    assert pins(name)


def groups():
    """Return what pyproject.toml names, by group."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["dependency-groups"]


@pytest.mark.parametrize(("group", "name"), GROUPS.items())
def test_what_a_group_names_is_locked(group, name):
    """One added to pyproject.toml alone would be missing on every new machine."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = {
        re.match(r"[\w.-]+", one)[0] for one in project["dependency-groups"][group]
    }
    locked = {normal(one) for one in pins(name)}
    assert {normal(one) for one in names} - UNLOCKED <= locked
    assert UNLOCKED.isdisjoint(locked)


def test_every_group_is_locked():
    assert groups().keys() == GROUPS.keys()


def test_what_is_not_locked_has_a_version():
    assert re.fullmatch(r"torch==\d+\.\d+\.\d+", parity.pytorch())


def test_the_files_agree():
    first, *others = map(pins, PINS)
    for other in others:
        assert {k: v for k, v in other.items() if first.get(k, v) != v} == {}


@pytest.mark.parametrize("name", PINS)
def test_they_name_no_host_and_no_path(name):
    text = (ROOT / f"requirements{name}.txt").read_text(encoding="utf-8")
    code = re.sub("^#.*", "", text, flags=re.MULTILINE)
    assert re.findall(r"https?:|^-e|^--|@ ", code, re.MULTILINE) == []


@pytest.mark.parametrize("name", NPM)
def test_npms_files_have_checksums_and_name_no_host(name):
    lock = json.loads((ROOT / name).read_text(encoding="utf-8"))
    packages = {place: one for place, one in lock["packages"].items() if place}
    assert packages
    assert [n for n, one in packages.items() if "integrity" not in one] == []
    assert [n for n, one in packages.items() if "resolved" in one] == []


def test_uv_itself_is_checked(monkeypatch):
    asked = []

    def run(*command, **_):
        asked.append((command, Path(command[-1]).read_text(encoding="utf-8")))
        return True

    monkeypatch.setattr(install, "run", run)
    assert install.fetch_uv()
    ((command, text),) = asked
    assert "--require-hashes" in command
    assert re.match(r"uv==[\d.]+ \\\n    --hash=sha256:", text)
    assert text.count("==") == 1


def test_the_npm_pyodide_is_the_one_that_pages_name():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    version = lock["packages"]["node_modules/pyodide"]["version"]
    config = "sphinx-nokernel/src/sphinx_nokernel/config.py"
    assert f"/v{version}/full/" in (ROOT / config).read_text(encoding="utf-8")
