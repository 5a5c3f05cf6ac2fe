"""Versions that a release has, and those that are locked."""

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path

import install
import parity
import pytest
import rehearse
import release
import yaml
from environments import PROJECTS, ROOT

# All distributions are released together: one version, in one place each.


@pytest.mark.parametrize("name", PROJECTS)
def test_a_room_says_its_version_in_one_place(name):
    project = PROJECTS[name]
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["project"]["dynamic"] == ["version"]
    package = project / told["tool"]["hatch"]["version"]["path"]
    assert release.version_in(package) == import_module(name).__version__


def test_a_release_is_of_every_room():
    files = [path.parent for path in release.version_files().values()]
    assert len(files) == len(PROJECTS)


def test_they_and_what_is_written_for_citation_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    meta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    now = release.only_version()
    assert (str(citation["version"]), meta["version"]) == (now, now)
    dates = citation.get("date-released"), meta.get("datePublished")
    assert str(dates[0]) == str(dates[1])
    assert citation["title"].startswith(meta["name"])
    authors = [
        [one["name"] for one in who] for who in (citation["authors"], meta["author"])
    ]
    assert authors[0] == authors[1]
    names = [one.rpartition("/")[2] for one in meta["license"]]
    assert names == citation["license"]
    assert meta["softwareRequirements"] == project["dependencies"]
    assert meta["runtimePlatform"] == f"Python {project['requires-python']}"


def test_no_old_name_outlives_the_version_that_it_is_gone_in():
    """As make release-check sees it; a warning without such a version is found, too."""
    assert release.old_names(ROOT)
    assert release.outlived(ROOT, release.only_version()) == {}


def test_what_is_not_released_yet_has_a_heading():
    assert rehearse.notes(ROOT, release.only_version())


# All that is installed is locked: a version, its checksums, and no host.

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


def groups():
    """Return what pyproject.toml names, by group."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["dependency-groups"]


@pytest.mark.parametrize(("group", "name"), GROUPS.items())
def test_what_a_group_names_is_locked(group, name):
    """One added to pyproject.toml alone would be missing on every new machine."""
    names = {re.match(r"[\w.-]+", one)[0] for one in groups()[group]}
    locked = {normal(one) for one in pins(name)}
    assert {normal(one) for one in names} - UNLOCKED <= locked
    assert UNLOCKED.isdisjoint(locked)


def test_every_group_is_locked_and_what_is_not_has_a_version():
    assert groups().keys() == GROUPS.keys()
    assert re.fullmatch(r"torch==\d+\.\d+\.\d+", parity.pytorch())


def test_the_files_agree():
    first, *others = map(pins, PINS)
    for other in others:
        assert {k: v for k, v in other.items() if first.get(k, v) != v} == {}


@pytest.mark.parametrize("name", PINS)
def test_every_package_has_a_version_and_checksums_and_no_host_or_path(name):
    assert pins(name)
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
