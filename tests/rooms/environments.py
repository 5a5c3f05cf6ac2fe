"""Environments for the tests, made by uv: seconds, where pip takes a minute.

What a reader is told to type is typed as it stands, pip included: see
test_notebooks_zip.py.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from types import SimpleNamespace

import uv

ROOT = Path(__file__).resolve().parents[2]


def _projects():
    """The folder of each distribution of this checkout, by the name it imports as."""
    found = {}
    for told in [ROOT / "pyproject.toml", *sorted(ROOT.glob("*/pyproject.toml"))]:
        name = tomllib.loads(told.read_text(encoding="utf-8"))["project"]["name"]
        found[name.replace("-", "_")] = told.parent
    return found


PROJECTS = _projects()


def told(folder):
    """The blocks of commands in a folder's README, each as a list of lists of words."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [
        [shlex.split(line, comments=True) for line in b.splitlines()] for b in blocks
    ]


def install_line(folder):
    """What follows `pip install` in the first such line of a folder's README."""
    lines = [line for block in told(folder) for line in block]
    return next(line[2:] for line in lines if line[:2] == ["pip", "install"])


def run(*command, cwd=None):
    """Run a command; return what it printed, and fail with its own words."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_uv(*arguments, cwd=None):
    """Run uv; return what it printed."""
    return run(uv.find_uv_bin(), *map(str, arguments), cwd=cwd)


def environment(folder, *packages, cwd=None):
    """Make an environment of these packages alone, once; return its Python.

    ``packages`` are what ``pip install`` takes. This checkout's own are built from what
    is there now, not taken from uv's cache.
    """
    python = folder / "bin" / "python"
    if not (folder / "made").exists():
        run_uv("venv", "-q", "--clear", "--python", sys.executable, folder)
        anew = [f"--refresh-package={name}" for name in PROJECTS]
        command = ["pip", "install", "-q", "--python", python, *anew]
        run_uv(*command, *packages, cwd=cwd)
        _share_compiled(folder)
        (folder / "made").touch()
    return python


def _share_compiled(folder):
    """Give an environment what this one has compiled: uv links both to the same files.

    Python compiles again what was made from a source of another time or size.
    """
    ours = Path(sysconfig.get_path("purelib"))
    (theirs,) = folder.glob("lib/python*/site-packages")
    for cache in ours.rglob("__pycache__"):
        place = theirs / cache.relative_to(ours)
        if place.parent.is_dir() and not place.exists():
            shutil.copytree(cache, place, copy_function=os.link)


# The page *Use a part of this*: of each part its line, its code, what that says.

PAGE = ROOT / "book" / "use_a_part.md"
BLOCK = re.compile(r"^(`{3,4})(sh|python|text|md)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def parts():
    """Map the name that each part imports as to what its section holds."""
    text = PAGE.read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n## ")[1:]:
        (name,) = re.findall(r"^`([\w-]+)`: ", section, re.MULTILINE)
        blocks = {kind: block for _, kind, block in BLOCK.findall(section)}
        line = shlex.split(blocks["sh"])
        assert line[:2] == ["pip", "install"]
        found[name.replace("-", "_")] = SimpleNamespace(
            install=line[2:],
            code=blocks["python"],
            says=blocks.get("text"),
            page=blocks.get("md"),
        )
    return found
