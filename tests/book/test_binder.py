"""The environment that Binder makes: `requirements.txt`, the rooms, and every lesson.

It is made once for each state of the requirements, and kept beside the built book. Each
lesson's imports and first cells run there, from `book/`, where JupyterLab opens them.
The lessons as a whole run at the build and under nbval; that they import nothing else,
test_colab.py and test_arrows.py say.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from environments import environment
from listed import listed

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "_build" / "binder"
BUILT = shutil.ignore_patterns("node_modules", "_build", "__pycache__")
PROGRAM = """
import ast, contextlib, os, pathlib, sys
import nbformat

for path in sorted(pathlib.Path.cwd().glob("*.ipynb")):
    space, cells = {"__name__": "__main__"}, nbformat.read(path, as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    trees = [ast.parse(source) for source in code]
    imports = [s for tree in trees for s in tree.body
               if isinstance(s, (ast.Import, ast.ImportFrom))]
    first = [statement for tree in trees[:3] for statement in tree.body]
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            for statement in [*imports, *first]:
                exec(compile(ast.Module([statement], []), path.name, "exec"), space)
    except Exception as error:
        sys.exit(f"{path.name}: {error!r}")
    print(path.stem)
"""


@pytest.fixture(scope="session")
def python():
    """The Python of an environment made of requirements.txt and the rooms."""
    files = [ROOT / "requirements.txt", ROOT / "pyproject.toml"]
    state = sys.version.encode() + b"".join(file.read_bytes() for file in files)
    folder = PLACE / hashlib.sha256(state).hexdigest()[:16]
    if not folder.exists():
        shutil.rmtree(PLACE, ignore_errors=True)
    made = environment(folder, "-r", "requirements.txt", "pip", cwd=ROOT)
    subprocess.run([made, "tools/install.py", "rooms"], cwd=ROOT, check=True)
    return made


BOOK = sorted(path.name for path in (ROOT / "book").glob("*.ipynb"))
LESSONS = [name for name in BOOK if f"book/{name.removesuffix('.ipynb')}" in listed()]


@pytest.mark.release
def test_every_lesson_begins(python):
    """In one process."""
    command = [python, "-W", "error", "-c", PROGRAM]
    run = subprocess.run(command, cwd=ROOT / "book", capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == [Path(name).stem for name in BOOK]


@pytest.mark.release
def test_what_binder_runs_last_writes_what_its_buttons_open(python, tmp_path):
    """The script postBuild, in a copy of what it reads."""
    for name in (
        "book",
        "course",
        "tools",
        "tests/parity",
        "attnlib",
        "attnconfig",
        "attncheck",
        "named_mistakes",
        "sphinx-nokernel",
    ):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=BUILT)
    for name in (
        "_config.yml",
        "_toc.yml",
        "postBuild",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    ):
        shutil.copy(ROOT / name, tmp_path)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(tmp_path / "course")}
    environment["PIP_DRY_RUN"] = "1"  # this environment stays with this checkout
    subprocess.run([tmp_path / "postBuild"], cwd=tmp_path, env=environment, check=True)
    assert [p.name for p in sorted((tmp_path / "lessons").glob("[0-9]*.ipynb"))] == [
        name for name in LESSONS if name[0].isdigit()
    ]


def test_binder_gets_a_python_that_we_test():
    wanted = (ROOT / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f'"{wanted}"' in (ROOT / ".github" / "workflows" / "ci.yml").read_text()
