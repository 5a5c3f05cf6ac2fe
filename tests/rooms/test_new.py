"""Skeletons of tools/new.py pass the tests of their kind, in a checkout."""

import os
import re
import subprocess
import sys
from shutil import copytree, ignore_patterns

import pytest
from test_forks import NOT_COPIED, ROOT

PYTHON = sys.executable
NEW = {  # what is asked for: where its files lie
    ("lesson", "new_page"): ["book/new_page.ipynb"],
    ("exercise", "new_lengths"): [
        "course/attncourse/practice",
        "tests/attncourse/practice/answers",
    ],
    ("figure", "new_arrow"): ["course/attncourse/figures/new_arrow"],
}
PYTEST = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
PYTEST += ["-p", "no:nbval"]
TESTS = ["tests/book/test_stored.py"]  # of what new.py has run and stored
TESTS += ["tests/attncourse/practice/test_answers.py"]
TESTS += ["tests/attncourse/practice/test_tables.py"]
TESTS += ["tests/attncourse/figures/test_bundled_javascript.py"]


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
def test_skeletons_pass_style_and_the_tests_of_their_kind(copy):
    for kind, name in NEW:
        said, code = run(copy, PYTHON, "tools/new.py", kind, name)
        assert code == 0, said
        assert "left to do: " in said
    files = [file for one in NEW.values() for file in one]
    for style in (["check"], ["format", "--check"]):
        said, code = run(copy, PYTHON, "-m", "ruff", *style, *files)
        assert code == 0, said
    names = " or ".join(name for _, name in NEW)
    chosen = ["-k", f"({names}) and not build_made", "-rA"]
    said, code = run(copy, *PYTEST, *TESTS, *chosen)
    assert code == 0, said
    for _, name in NEW:
        assert re.search(rf"^PASSED .*\b{name}\b", said, re.MULTILINE), said
    said, code = run(copy, PYTHON, "tools/new.py", kind, name)
    assert code == 1
    assert "is there already." in said


@pytest.mark.parametrize("name", ["8f", "two words", "CamelCase", "a-b"])
def test_a_name_is_small_letters_and_underscores(name, tmp_path):
    said, code = run(ROOT, PYTHON, "tools/new.py", "figure", name)
    assert code == 2
    assert "a name is small letters" in said
