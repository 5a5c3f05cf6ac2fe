"""Each room is a distribution: its backend builds it, an empty environment runs it.

The environments are kept beside the built book, for as long as the sources they were
made from stay the same.
"""

import hashlib
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from environments import environment, run, run_uv

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "_build" / "distributions"
PROJECTS = {
    "attnlib": (ROOT, "attnlib"),
    "attnconfig": (ROOT / "attnconfig", "."),
    "attncheck": (ROOT / "attncheck", "."),
    "named_mistakes": (ROOT / "named_mistakes", "."),
    "attncourse": (ROOT / "course", "attncourse"),
    "sphinx_nokernel": (ROOT / "sphinx-nokernel", "src"),
}
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
    for project, package in PROJECTS.values():
        files = [project / "pyproject.toml", *sorted((project / package).rglob("*"))]
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
def wheels(folder):
    """The wheels, as each project's build backend makes them."""
    for name, (project, _) in PROJECTS.items():
        if not list(folder.glob(f"{name}-*.whl")):
            python = ("--python", sys.executable)
            run_uv("build", "-q", "--wheel", *python, "--out-dir", folder, project)
    return {name: next(folder.glob(f"{name}-*.whl")) for name in PROJECTS}


@pytest.mark.parametrize("name", PROJECTS)
def test_installs_and_works_in_an_empty_environment(name, wheels, folder):
    below = {
        "attncheck": ["attnlib"],
        "attncourse": ["attnlib", "attnconfig", "attncheck", "named_mistakes"],
    }
    needed = [wheels[room] for room in below.get(name, [])]
    extra = "[claims]" if name == "attncourse" else ""
    python = environment(folder / name, *needed, f"{wheels[name]}{extra}")
    assert run(python, "-I", "-c", TRIES[name]).strip().endswith(SAYS[name])


def test_attnlib_needs_two_packages_and_is_small(wheels, folder):
    assert wheels["attnlib"].stat().st_size < 80_000
    python = environment(folder / "attnlib", wheels["attnlib"])
    listed = json.loads(run_uv("pip", "list", "--python", python, "--format=json"))
    assert {row["name"] for row in listed} == {"attnlib", "numpy", "array-api-compat"}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_holds_its_own_package_alone(name, wheels):
    with zipfile.ZipFile(wheels[name]) as archive:
        tops = {entry.partition("/")[0] for entry in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {name}


@pytest.mark.parametrize("name", PROJECTS)
def test_each_room_has_a_readme_that_says_where_to_begin(name):
    readme = (PROJECTS[name][0] / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) > 60


LICENSES = {
    "attnlib": ("MIT", ["LICENSE"]),
    "attnconfig": ("MIT", ["LICENSE"]),
    "attncheck": ("MIT", ["LICENSE"]),
    "named_mistakes": ("MIT", ["LICENSE"]),
    "attncourse": (
        "MIT AND Apache-2.0",
        [
            "LICENSE",
            "attncourse/real_model/LICENSE-APACHE.txt",
            "attncourse/real_model/NOTICE.md",
        ],
    ),
    "sphinx_nokernel": ("MIT", ["LICENSE"]),
}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_carries_the_licenses_of_what_it_ships(name, wheels):
    expression, files = LICENSES[name]
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
    for project, _ in PROJECTS.values():
        if project != ROOT:
            assert (project / "LICENSE").read_text(encoding="utf-8") == mit
