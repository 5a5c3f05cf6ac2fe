"""Skeletons of tools/new.py pass the tests of their kind, in a checkout."""

import os
import subprocess
import sys
from shutil import copytree, ignore_patterns

import pytest
from test_forks import NOT_COPIED, ROOT

PYTHON = sys.executable
PYTEST = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
EXERCISE = ["tests/attncourse/practice/test_answers.py"]
EXERCISE += ["tests/attncourse/practice/test_tables.py"]
NEW = {  # what is asked for: the files it has, and the tests that look at them
    ("lesson", "new_page"): (
        ["book/new_page.ipynb"],
        [*PYTEST, "--nbval", "book/new_page.ipynb", "tests/book/test_stored.py"],
    ),
    ("exercise", "new_lengths"): (
        ["course/attncourse/practice", "tests/attncourse/practice/answers"],
        [*PYTEST, *EXERCISE],
    ),
    ("figure", "new_arrow"): (
        ["course/attncourse/figures/new_arrow"],
        [*PYTEST, "tests/attncourse/figures/test_bundled_javascript.py"],
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of this checkout, without what is built or installed."""
    folder = tmp_path_factory.mktemp("new") / "course"
    copytree(ROOT, folder, ignore=ignore_patterns(*NOT_COPIED), symlinks=True)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return folder


def run(folder, *command):
    path = os.pathsep.join([str(folder / "tools"), str(folder / "course"), str(folder)])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr, done.returncode


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), NEW)
def test_a_skeleton_passes_style_and_the_tests_of_its_kind(copy, kind, name):
    files, tests = NEW[kind, name]
    said, code = run(copy, PYTHON, "tools/new.py", kind, name)
    assert code == 0, said
    assert "left to do: " in said
    for style in (["check"], ["format", "--check"]):
        said, code = run(copy, PYTHON, "-m", "ruff", *style, *files)
        assert code == 0, said
    said, code = run(copy, *tests, "-k", f"{name} and not build_made")
    assert code == 0, said
    assert " passed" in said
    said, code = run(copy, PYTHON, "tools/new.py", kind, name)
    assert code == 1
    assert "is there already." in said


@pytest.mark.parametrize("name", ["8f", "two words", "CamelCase", "a-b"])
def test_a_name_is_small_letters_and_underscores(name, tmp_path):
    said, code = run(ROOT, PYTHON, "tools/new.py", "figure", name)
    assert code == 2
    assert "a name is small letters" in said
