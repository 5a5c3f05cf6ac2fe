"""All distributions are released together: one version, in one place each."""

import json
import tomllib
from importlib import import_module
from importlib.metadata import version

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
    assert release.version_in(package) == version(name)


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


def test_what_is_not_released_yet_has_a_heading():
    assert rehearse.notes(ROOT, release.only_version())
