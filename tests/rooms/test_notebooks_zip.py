"""The zip of notebooks: its README, followed in an empty environment, before a release.

uv makes it, in a third of the time, from what the README gives to pip; once pip does
so, word by word. It is kept beside the built book, for as long as the README and the
packages in the zip stay the same. What is in the zip, `test_bundle.py` says each time.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import export
import pytest
from environments import environment, run_uv

from sphinx_nokernel.bundles import zip_notebooks

pytestmark = [pytest.mark.long, pytest.mark.release]

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "_build" / "zip"
# In one process: a kernel for each would spend most of the time on the same imports.
RUN = """
import os, pathlib, sys
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell, top = InteractiveShell.instance(), pathlib.Path.cwd()
for path in sorted(top.rglob("[!.]*.ipynb")):
    if ".venv" in path.parts:
        continue
    shell.reset()
    os.chdir(path.parent)
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    for source in sources:
        with capture_output() as says:
            ended = shell.run_cell(source, store_history=True)
        if not ended.success:
            sys.exit(f"{path}\\n{source}\\n{says.stdout}{says.stderr}")
    print(path.relative_to(top).as_posix())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The unpacked zip, in a folder that keeps its environment."""
    target = tmp_path_factory.mktemp("zip") / "notebooks.zip"
    zip_notebooks(target, export.reader_of())
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
        fixed = [name for name in names if not name.endswith(".ipynb")]
        state = sys.version.encode() + b"".join(map(archive.read, fixed))
        made = PLACE / hashlib.sha256(state).hexdigest()[:16]
        if not made.exists():
            shutil.rmtree(PLACE, ignore_errors=True)
        archive.extractall(made)
    return made / names[0].partition("/")[0]


def commands(folder):
    """The indented lines of the README: three with a network, two without."""
    text = (folder / "README.txt").read_text(encoding="utf-8")
    found = re.findall(r"^    (.+)$", text, re.MULTILINE)
    assert len(found) == 5
    return found[:3], found[3:]


def follow(command, folder):
    run = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def python(folder):
    """The Python of an environment with what the README's second line installs."""
    make, install, _ = commands(folder)[0]
    assert make == "python -m venv .venv"
    packages = install.removeprefix(".venv/bin/python -m pip install ")
    return environment(folder / ".venv", *shlex.split(packages), cwd=folder)


def test_its_lines_make_an_environment_that_opens_jupyterlab(folder, tmp_path):
    there = shutil.copytree(
        folder, tmp_path / "there", ignore=shutil.ignore_patterns(".venv")
    )
    make, install, start = commands(folder)[0]
    follow(f"{sys.executable} {make.removeprefix('python ')}", there)
    follow(install, there)
    assert "--no-browser" in follow(f"{start} --help", there)


def test_it_says_what_it_installs(folder, python):
    """All but what every environment has; within a tenth, as other versions may be.

    pip compiles each module, which takes as much room again as its source.
    """
    text = (folder / "README.txt").read_text(encoding="utf-8")
    told = int(re.search(r"installs about (\d+) MB", text)[1])
    files = [p for p in (folder / ".venv").rglob("*") if p.is_file()]
    own = [p for p in files if not {"pip", "setuptools"} & set(p.parts)]
    rooms = {".py": 2, ".pyc": 0}
    size = sum(rooms.get(p.suffix, 1) * p.stat().st_size for p in own)
    assert told == pytest.approx(size / 1e6, rel=0.1)


def test_it_opens_jupyterlab(folder, python):
    """The third line, told to explain itself in place of starting a server."""
    start = commands(folder)[0][2]
    assert start.split()[-1] in {path.name for path in folder.iterdir()}
    assert "--no-browser" in follow(f"{start} --help", folder)


def test_every_notebook_runs(folder, python, plain_copies):
    (folder / ".venv" / "run.py").write_text(RUN)
    ran = follow(f"{python} .venv/run.py", folder).split()
    assert sorted(ran) == sorted(str(place) for place, _ in plain_copies)


def test_without_a_network_it_needs_no_index(folder, tmp_path):
    """Into an environment that has NumPy and matplotlib, and may fetch nothing."""
    install = commands(folder)[1][0]
    run_uv("venv", "-q", "--seed", "--python", sys.executable, tmp_path / "venv")
    there = sysconfig.get_path("purelib")  # with NumPy; `-e` has no effect from afar
    path = f"{tmp_path}/venv/bin{os.pathsep}{os.environ['PATH']}"
    follow(f"PATH={path} PIP_FIND_LINKS= PIP_NO_INDEX=1 {install}", folder)
    says = follow(
        f"PYTHONPATH={there} {tmp_path}/venv/bin/python -c "
        "'import attnlib, attncourse; print(attnlib.__file__, attncourse.__file__)'",
        tmp_path,
    )
    assert says.count(str(tmp_path)) == 2
