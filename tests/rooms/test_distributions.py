"""Each room is a distribution: its README's line, or its wheel, installs it anywhere.

The lines are read from the READMEs, and followed in a checkout, word by word.
The environments are kept beside the built book, for as long as the sources they were
made from stay the same.
"""

import hashlib
import json
import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import rehearse
from environments import PROJECTS, ROOT, environment, install_line, run, run_uv, told

pytestmark = pytest.mark.long

PLACE = ROOT / "_build" / "distributions"
# Every room is found by its pyproject.toml, and says the version that is installed.
VERSION = "import {0}; from importlib.metadata import version; "
VERSION += "assert {0}.__version__ == version('{0}'); "
TRIES = {
    "attnlib": "import attnlib, numpy as np; x = np.eye(3); "
    "print(attnlib.scaled_dot_product_attention(x, x, x).shape)",
    "attnconfig": "from attnconfig import read; "
    "lines = {'model_type': 'llama', 'hidden_size': 64, 'num_hidden_layers': 2}; "
    "lines |= {'num_attention_heads': 4, 'intermediate_size': 8, 'vocab_size': 9}; "
    "print(read(lines).cache_bytes(1))",
    "attncheck": "import attnlib; from attncheck import ask; "
    "print(ask(attnlib.scaled_dot_product_attention).facts['scale_name'])",
    "named_mistakes": "from named_mistakes import Case, Exercise, check; "
    "half = Exercise('half', lambda x: x / 2, lambda rng: [Case('1', {'x': 1.0})]); "
    "check(half, lambda x: 0.5 * x)",
    "attncourse": "from attncourse.practice import check; "
    "from attncourse.figures.weighted_sum import live; "
    "from attncourse.claims import check_all; "
    "assert check('softmax', lambda x: x).findings; "
    "print(live.panel().compute().weights.shape, len(check_all()) > 100)",
    "sphinx_nokernel": "import sphinx_nokernel; print(callable(sphinx_nokernel.setup))",
}
SAYS = {
    "attnlib": "(3, 3)",
    "attnconfig": "512",
    "attncheck": "1/√d_k",
    "named_mistakes": "✓ half: right. Tried on 1.",
    "attncourse": "(3,) True",
    "sphinx_nokernel": "True",
}


def state():
    """A name for the sources as they are now."""
    digest = hashlib.sha256(sys.version.encode())
    for project in PROJECTS.values():
        below = ROOT / "attnlib" if project == ROOT else project
        files = [project / "pyproject.toml", project / "README.md"]
        files += sorted(path for path in below.rglob("*") if "_build" not in path.parts)
        for path in files:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@pytest.fixture(scope="module")
def folder():
    """Where wheels and environments of this state of the sources lie."""
    made = PLACE / state()
    if not made.exists():
        shutil.rmtree(PLACE, ignore_errors=True)
        made.mkdir(parents=True)
    return made


@pytest.fixture(scope="module")
def packages(folder):
    """Where the sdists lie, and the wheels that were built from them."""
    if built := os.environ.get(rehearse.PACKAGES):
        return Path(built)
    if not list(folder.glob("*.whl")):
        rehearse.build(folder)
    return folder


@pytest.fixture(scope="module")
def wheels(packages):
    """The wheel of each room."""
    return {name: next(packages.glob(f"{name}-*.whl")) for name in PROJECTS}


def python_of(name, folder):
    """The Python of an environment in which a room's README was followed."""
    line = install_line(PROJECTS[name])
    return environment(folder / name, *line, cwd=ROOT)


@pytest.mark.parametrize("name", PROJECTS)
def test_the_line_of_its_readme_installs_it_where_nothing_is(name, folder):
    python = python_of(name, folder)
    code = VERSION.format(name) + TRIES.get(name, "")
    assert run(python, "-I", "-c", code).strip().endswith(SAYS.get(name, ""))


def python_with(name, wheels, packages, folder):
    """The Python of an environment that has a room's wheel, and what it needs."""
    extra = "[claims]" if name == "attncourse" else ""
    offered = ("--find-links", packages)
    return environment(folder / f"{name}-wheel", f"{wheels[name]}{extra}", *offered)


@pytest.mark.parametrize("name", PROJECTS)
def test_its_wheel_works_where_nothing_is(name, wheels, packages, folder):
    python = python_with(name, wheels, packages, folder)
    code = VERSION.format(name) + TRIES.get(name, "")
    assert run(python, "-I", "-c", code).strip().endswith(SAYS.get(name, ""))


def test_a_teacher_grades_with_the_wheel(wheels, packages, folder, tmp_path):
    python = python_with("attncourse", wheels, packages, folder)
    source = "def f(scores, d_k):\n    return scores / np.sqrt(d_k)"
    answer = {"exercise": "scale_scores", "function": "f", "source": source}
    one = {"format": "attncourse-answers", "version": 1, "answers": [answer]}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ada.json").write_text(json.dumps(one))
    (tmp_path / "class.csv").write_text("student_id\nada\nbob\n")
    command = (python, "-I", "-m", "attncourse.teach.grade", "in", "--feedback")
    run(*command, "--class", "class.csv", cwd=tmp_path)
    rows = (tmp_path / "grades.csv").read_text().splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [
        ["ada", "1", "1"],
        ["bob", "0", "1"],
    ]
    assert len(list((tmp_path / "feedback").iterdir())) == 2


@pytest.mark.parametrize("name", PROJECTS)
def test_an_sdist_holds_its_own_project_alone(name, packages):
    (path,) = packages.glob(f"{name}-*.tar.gz")
    with tarfile.open(path) as archive:
        places = [entry.partition("/")[2] for entry in archive.getnames()]
    assert {"LICENSE", "README.md", "pyproject.toml"} <= set(places)
    made = [place for place in places if not (PROJECTS[name] / place).exists()]
    assert {*made} <= {"PKG-INFO", ".gitignore"}
    others = [other for other in PROJECTS if other != name]
    assert [place for place in places if place.partition("/")[0] in others] == []


EXAMPLES = ("named_mistakes", "sphinx_nokernel")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_lines_of_its_readme_build_its_example(name, folder, tmp_path):
    """They install, go to a folder, and build there: here in a copy of it."""
    (lines,) = [block for block in told(PROJECTS[name]) if len(block) == 3]
    install, change, build = lines
    python = environment(folder / f"{name}-example", *install[2:], cwd=ROOT)
    there = tmp_path / "example"
    assert (install[:2], change[0]) == (["pip", "install"], "cd")
    shutil.copytree(ROOT / change[1], there, ignore=shutil.ignore_patterns("_build"))
    run(python.with_name(build[0]), *build[1:], cwd=there)
    assert list(there.glob("_build/*/index.html"))


def test_attnlib_needs_two_packages_and_is_small(wheels, folder):
    assert wheels["attnlib"].stat().st_size < 80_000
    python = python_of("attnlib", folder)
    listed = json.loads(run_uv("pip", "list", "--python", python, "--format=json"))
    assert {row["name"] for row in listed} == {"attnlib", "numpy", "array-api-compat"}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_holds_its_own_package_alone(name, wheels):
    with zipfile.ZipFile(wheels[name]) as archive:
        tops = {entry.partition("/")[0] for entry in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {name}


@pytest.mark.parametrize("name", PROJECTS)
def test_each_room_has_a_readme_that_says_where_to_begin(name):
    readme = (PROJECTS[name] / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) > 60


LICENSES = {
    "attncourse": (
        "MIT AND Apache-2.0",
        [
            "LICENSE",
            "attncourse/real_model/LICENSE-APACHE.txt",
            "attncourse/real_model/NOTICE.md",
        ],
    ),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_carries_the_licenses_of_what_it_ships(name, wheels):
    expression, files = LICENSES.get(name, ("MIT", ["LICENSE"]))
    with zipfile.ZipFile(wheels[name]) as archive:
        names = archive.namelist()
        (info,) = {entry.partition("/")[0] for entry in names if ".dist-info" in entry}
        metadata = archive.read(f"{info}/METADATA").decode()
        texts = [archive.read(f"{info}/licenses/{file}").decode() for file in files]
    assert f"License-Expression: {expression}\n" in metadata
    assert "MIT License" in texts[0]
    assert len([one for one in names if "/licenses/" in one]) == len(files)


def test_the_rooms_have_the_license_of_the_whole():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    mit = text[text.index("\nMIT License\n") + 1 :]
    for project in PROJECTS.values():
        if project != ROOT:
            assert (project / "LICENSE").read_text(encoding="utf-8") == mit
