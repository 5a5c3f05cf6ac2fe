"""Each room says its version once; the project's is that of attnlib."""

import json
import re
import tomllib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from environments import PROJECTS

import attnlib

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", PROJECTS)
def test_a_room_says_its_version_in_one_place(name):
    project = PROJECTS[name]
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["project"]["dynamic"] == ["version"]
    package = project / told["tool"]["hatch"]["version"]["path"]
    in_code = re.findall(r'^__version__ = "(.+)"$', package.read_text(), re.MULTILINE)
    assert in_code == [import_module(name).__version__] == [version(name)]


def test_what_is_written_for_citation_says_the_same():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    meta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", changes, re.MULTILINE)[1]
    told = [str(citation["version"]), meta["version"], newest]
    assert set(told) == {attnlib.__version__}
    assert str(citation["date-released"]) == meta["datePublished"]
