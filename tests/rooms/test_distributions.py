"""Each room is a distribution: its README's line, or its wheel, installs it anywhere.

Before a release. The lines are read from the READMEs, and followed in a checkout, word
by word; sdists, and wheels made from them, are built and tried. The environments are
kept beside the built book, as long as the sources they were made from stay the same.
What the book's own wheels hold is looked at in `test_wheels.py`, whenever it is built.
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
from books import see_it_lives
from environments import (
    PROJECTS,
    ROOT,
    environment,
    install_line,
    parts,
    run,
    told,
)

pytestmark = [pytest.mark.long, pytest.mark.release]

PLACE = ROOT / "_build" / "distributions"
# Every room is found by its pyproject.toml, and says the version that is installed.
VERSION = "import {0}; from importlib.metadata import version; "
VERSION += "assert {0}.__version__ == version('{0}'); "
DOCTEST = "import doctest; assert not doctest.testfile({!r}, False).failed"
PARTS = parts()  # with ten lines each, which the page *Use a part of this* shows
COURSE = (
    "from attncourse.practice import check; "
    "from attncourse.figures.weighted_sum import live; "
    "from attncourse.claims import check_all; "
    "assert check('softmax', lambda x: x).findings; "
    "print(live.panel().compute().weights.shape, len(check_all()) > 100)"
)


def tries(name):
    """What to run in an environment of a room, and what that ends with."""
    if name == "attncourse":
        return COURSE, "(3,) True"
    part = PARTS[name]
    return part.code, (part.says or "").strip()


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
    code, says = tries(name)
    said = run(python, "-I", "-c", f"{VERSION.format(name)}\n{code}")
    assert said.strip().endswith(says)


def python_with(name, wheels, packages, folder):
    """The Python of an environment that has a room's wheel, and what it needs.

    The course brings the wheels of the rooms below it: one environment for all. That a
    room needs no more than it says is tried with its README's line.
    """
    if name == "sphinx_nokernel":
        wanted = wheels[name]
    else:
        name, wanted = "attncourse", f"{wheels['attncourse']}[claims]"
    return environment(folder / f"{name}-wheel", wanted, "--find-links", packages)


@pytest.mark.parametrize("name", PROJECTS)
def test_its_wheel_works_where_nothing_is(name, wheels, packages, folder):
    """Its ten lines, and what stands in its README with what it prints."""
    python = python_with(name, wheels, packages, folder)
    code, says = tries(name)
    readme = DOCTEST.format(str(PROJECTS[name] / "README.md"))
    said = run(python, "-I", "-c", f"{VERSION.format(name)}\n{code}\n{readme}")
    assert said.strip().endswith(says)


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


def test_the_two_files_of_the_page_are_a_site(folder, tmp_path):
    part = PARTS["sphinx_nokernel"]
    (tmp_path / "conf.py").write_text(part.code, encoding="utf-8")
    (tmp_path / "index.md").write_text(part.page, encoding="utf-8")
    build = python_of("sphinx_nokernel", folder).with_name("sphinx-build")
    run(build, "-W", ".", "_build", cwd=tmp_path)
    html = (tmp_path / "_build" / "index.html").read_text(encoding="utf-8")
    assert "nk-runs" in html
    assert "It becomes four times as large." in html


EXAMPLES = {"named_mistakes": "named_mistakes", "sphinx_nokernel": "sphinx-nokernel"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_lines_of_its_readme_make_a_book_that_stands_alone(
    name, folder, browser, tmp_path
):
    """They copy the example, install and build it there; its own README says so too."""
    (lines,) = [block for block in told(PROJECTS[name]) if len(block) == 4]
    make, change, install, build = lines
    assert make[:2] == ["python", "tools/new.py"]
    assert make[-1] == change[-1]
    there = tmp_path / Path(change[-1]).name
    run(sys.executable, *make[1:-1], str(there), cwd=ROOT)
    (own,) = told(there)
    assert own[0] == install
    assert "regression" not in "".join(p.name for p in there.iterdir())
    python = environment(folder / f"{name}-example", *install[2:], cwd=there)
    for program, *words in dict.fromkeys(map(tuple, (own[1], build))):
        shutil.rmtree(there / "_build", ignore_errors=True)
        run(python.with_name(program), *words, cwd=there)
        pages = [*(there / "_build" / "html").glob("*.html")]
        texts = [page.read_text(encoding="utf-8") for page in pages]
        assert any("nk-runs" in text for text in texts)
        assert (there / "_build" / "html" / "index.html").exists()
        if name == "sphinx_nokernel":
            see_it_lives(browser, there / "_build" / "html" / "index.html")
        if name == "named_mistakes":  # a verdict that was computed at the build
            verdict = '<div class="verdict verdict-failed">'
            assert any(verdict in text and "verdict.css" in text for text in texts)


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
def test_a_wheel_holds_its_own_package_with_its_licenses(name, wheels):
    expression, files = LICENSES.get(name, ("MIT", ["LICENSE"]))
    with zipfile.ZipFile(wheels[name]) as archive:
        names = archive.namelist()
        tops = {entry.partition("/")[0] for entry in names}
        (info,) = {top for top in tops if top.endswith(".dist-info")}
        metadata = archive.read(f"{info}/METADATA").decode()
        texts = [archive.read(f"{info}/licenses/{file}").decode() for file in files]
    assert tops == {name, info}
    assert f"License-Expression: {expression}\n" in metadata
    assert "MIT License" in texts[0]
    assert len([one for one in names if "/licenses/" in one]) == len(files)
    assert name != "attnlib" or wheels[name].stat().st_size < 80_000
