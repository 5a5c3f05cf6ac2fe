"""All distributions are released together: one version, in one place each."""

import ast
import json
import re
import tomllib
from importlib import import_module

import pytest
import rehearse
import release
import yaml
from environments import PROJECTS, ROOT


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
    now = release.only_version()
    assert (str(citation["version"]), meta["version"]) == (now, now)
    dates = citation.get("date-released"), meta.get("datePublished")
    assert str(dates[0]) == str(dates[1])


def deprecated(text):
    """Each warning of an old name in a module: the version that has it no more."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name == "renamed":
            yield next(x.value.value for x in node.keywords if x.arg == "until")
        elif name == "warn" and "DeprecationWarning" in ast.unparse(node):
            yield from re.findall(r"gone in (\d+\.\d+\.\d+)", ast.unparse(node)) or [""]


def test_no_old_name_outlives_the_version_that_it_is_gone_in():
    """As make release-check sees it; a warning without such a version is found, too."""
    helper = ROOT / "attnlib" / "_checks.py"
    found = {
        path.relative_to(ROOT).as_posix(): until
        for project in PROJECTS.values()
        for path in sorted(
            (ROOT / "attnlib" if project == ROOT else project).rglob("*.py")
        )
        if path != helper
        for until in deprecated(path.read_text(encoding="utf-8"))
    }
    assert found
    now = release.numbers(release.only_version())
    late = {
        place: until
        for place, until in found.items()
        if not until or release.numbers(until) <= now
    }
    assert late == {}


def test_what_is_not_released_yet_has_a_heading():
    assert rehearse.notes(ROOT, release.only_version())
