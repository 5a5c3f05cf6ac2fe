"""CITATION.cff and codemeta.json say the same, and what the packages say."""

import json
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
META = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_two_agree():
    assert META["version"] == CITED["version"]
    assert str(META.get("datePublished")) == str(CITED.get("date-released"))
    assert CITED["title"].startswith(META["name"])
    assert [one["name"] for one in META["author"]] == [
        one["name"] for one in CITED["authors"]
    ]
    names = [one.rpartition("/")[2] for one in META["license"]]
    assert names == CITED["license"]


def test_it_needs_what_the_package_needs():
    project = PROJECT["project"]
    assert META["softwareRequirements"] == project["dependencies"]
    assert META["runtimePlatform"] == f"Python {project['requires-python']}"
