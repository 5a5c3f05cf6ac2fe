"""Compare attnlib with PyTorch, JAX and ONNX, in an environment of their own.

They are large and none of our pages or other tests needs them, so they live apart; how
to get a smaller PyTorch on Linux stands in pyproject.toml. It ends with a table of all
gradients: how far they are from PyTorch's, and from finite differences.
With `--ask` it asks the libraries of `tests/parity/ways.py` what they compute, all or
those named, and writes the table again. Other arguments are passed on to pytest.
"""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".venv" / "parity"
# Arrays are small: a second thread would wait for the first.
ALONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
LOCKED = [ROOT / f"requirements-{name}.txt" for name in ("parity", "model", "decoder")]


def pytorch():
    """Return the PyTorch that pyproject.toml names: it is in no file of locks."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    (torch,) = (one for one in groups["parity"] if one.startswith("torch=="))
    return torch


def environment():
    """Make the environment if it is not there, or what it needs has changed."""
    python = PLACE / "bin" / "python"
    stamp = PLACE / "installed.txt"
    torch = pytorch()
    wanted = "".join([torch, *(path.read_text() for path in LOCKED)])
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(PLACE, with_pip=True)
        locked = [word for path in LOCKED for word in ("-r", path)]
        pip = [python, "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "--no-deps", "--require-hashes", *locked], check=True)
        subprocess.run([*pip, "--no-build-isolation", torch, "-e", ROOT], check=True)
        stamp.write_text(wanted)
    return python


def main():
    """Run the parity tests, or ask the libraries; return the exit code."""
    if sys.argv[1:2] == ["--ask"]:
        command = [environment(), "tools/who_means_what.py", *sys.argv[2:]]
    else:
        command = [environment(), "-m", "pytest", "tests/parity", *sys.argv[1:]]
    env = {**ALONE, **os.environ}
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
