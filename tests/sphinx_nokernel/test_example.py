"""The example book, built by Sphinx and by Jupyter Book, with no room but this one.

The wheel is built, unpacked and put first on the path; attnlib and attncourse, which
the environment of the tests has, are refused by an import hook, in the kernels too. So
this takes seconds, where an environment made for each run would take minutes; that the
wheel installs with its dependencies is tested in tests/rooms.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from sphinx_nokernel.wheels import build_wheel

pytestmark = [pytest.mark.slow, pytest.mark.long]

ROOM = Path(__file__).resolve().parents[2] / "sphinx-nokernel"
REFUSE = """
import sys
import tomllib

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("attnlib", "attncourse"):
            raise ModuleNotFoundError(f"{name}: not in this environment")

sys.meta_path.insert(0, Refuse())
"""
BUILDS = {
    "sphinx": ["-m", "sphinx", "-q", "-W", "--keep-going", ".", "_build/html"],
    "jupyter-book": ["-m", "jupyter_book_cli", "build", ".", "-W", "--keep-going"],
}
SQUARE = "A square of side"


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """What a process needs to see this package, and neither of the other rooms."""
    folder = tmp_path_factory.mktemp("environment")
    with zipfile.ZipFile(build_wheel(ROOM.name, folder, ROOM.parent)) as wheel:
        wheel.extractall(folder)
    (folder / "sitecustomize.py").write_text(REFUSE)
    cli = "from jupyter_book.cli.main import main\nmain()\n"
    (folder / "jupyter_book_cli.py").write_text(cli)
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.fixture(scope="session", params=BUILDS)
def example(request, tmp_path_factory, environment):
    """The folder of the built example."""
    folder = tmp_path_factory.mktemp(request.param) / "example"
    shutil.copytree(ROOM / "example", folder)
    command = [sys.executable, *BUILDS[request.param]]
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "_build" / "html"


ROOMS = """
import sphinx_nokernel
print(sphinx_nokernel.__file__)
for name in ("attnlib", "attncourse"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error)
"""


def test_the_package_comes_from_the_wheel_and_the_other_rooms_are_refused(environment):
    command = [sys.executable, "-c", ROOMS]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    place, *refused = run.stdout.splitlines()
    assert place.startswith(environment["PYTHONPATH"])
    wanted = [f"{name}: not in this environment" for name in ("attnlib", "attncourse")]
    assert refused == wanted


def test_figures_quiz_prediction_and_cells_are_alive(example, open_folder):
    page = open_folder(example)
    slider = page.get_by_role("slider").first
    slider.press("End")
    assert page.get_by_role("img", name=f"{SQUARE} 9").is_visible()
    assert page.locator("input[type=range]").count() == 1  # the other is covered
    page.get_by_text("It becomes four times as large.", exact=True).first.click()
    page.get_by_role("slider").nth(1).press("Home")
    assert page.get_by_role("img", name=f"{SQUARE} 1").is_visible()
    page.goto(page.url.replace("index", "questions"))
    page.get_by_text("4 * side", exact=True).first.click()
    assert page.get_by_text("Four sides of the same length.").first.is_visible()
    assert page.get_by_role("button", name="Run cell 1").is_visible()
    page.get_by_text("Show a solution").click()
    assert page.get_by_role("button", name="Run cell 2").is_visible()
    assert page.said == []


def test_without_javascript_all_is_open(example, open_folder):
    page = open_folder(example, java_script_enabled=False)
    assert page.get_by_text("whatever the side").is_visible()
    assert page.get_by_text("A square of side 3: its area is 9.").first.is_visible()
    assert page.said == []


def test_all_that_the_example_imports_is_declared():
    """What the README has one install is what the example needs."""
    project = tomllib.loads((ROOM / "pyproject.toml").read_text("utf-8"))["project"]
    extra = project["optional-dependencies"]["example"]
    declared = {
        re.match(r"[\w-]+", one)[0].replace("-", "_")
        for one in project["dependencies"] + extra
    }
    folder = ROOM / "example"
    configuration = runpy.run_path(str(folder / "conf.py"))
    cells = (folder / "index.md").read_text("utf-8")
    needed = {*configuration["extensions"], *re.findall(r"^import (\w+)$", cells, re.M)}
    assert {"sphinx_external_toc", "anywidget"} <= needed
    assert needed - {"sphinx_nokernel"} <= declared | {"traitlets"}  # of ipywidgets
