"""Each room names its version once; the project's is that of attnlib."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import attnlib

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    *(".", "attnconfig", "attncheck", "named_mistakes", "course", "sphinx-nokernel"),
)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_its_version_in_one_place(room):
    project = ROOT / room
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    named = told["project"].get("version")
    place = told["tool"]["hatch"].get("version", {}).get("path")
    assert (named is None) == (place is not None)
    package = project / (place or "__init__.py")
    in_code = re.findall(r'^__version__ = "(.+)"$', package.read_text(), re.MULTILINE)
    assert len(in_code) == (place is not None)


def test_what_is_written_for_citation_says_the_same():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    meta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", changes, re.MULTILINE)[1]
    told = [str(citation["version"]), meta["version"], newest]
    assert set(told) == {attnlib.__version__}
    assert str(citation["date-released"]) == meta["datePublished"]
