"""Environments for the tests, made by uv: seconds, where pip takes a minute.

What a reader is told to type is typed as it stands, pip included: see
test_notebooks_zip.py.
"""

import subprocess
import sys

import uv


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

    ``packages`` are what ``pip install`` takes.
    """
    python = folder / "bin" / "python"
    if not (folder / "made").exists():
        run_uv("venv", "-q", "--clear", "--python", sys.executable, folder)
        run_uv("pip", "install", "-q", "--python", python, *packages, cwd=cwd)
        (folder / "made").touch()
    return python
