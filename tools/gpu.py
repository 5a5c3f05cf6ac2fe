"""On a machine with a GPU: run attnlib's own tests there, and ask what runs there.

    python3 tools/gpu.py [arguments of pytest]

Needs no environment of ours: the Python that runs this has CuPy, PyTorch, Triton and
JAX for the GPU, and pytest, hypothesis, array-api-compat and array-api-strict.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("on_cupy", "on_torch", "on_jax")
PLUGIN = "tests.gpu.brought_home"


def run(*arguments, **environment):
    """Run pytest; return its exit status."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments, *sys.argv[1:]]
    # JAX would take three quarters of the GPU's memory for each process of the tests.
    new = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", **environment}
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **new}, check=False)
    return done.returncode


def main():
    """Return 0 if all passes."""
    failed = []
    if run("-W", "default", "tests/gpu/test_ask.py"):
        failed.append("ask")
    for name in LIBRARIES:
        print(f"attnlib's tests, {name.replace('_', ' ')}:", flush=True)
        how = ("-W", "default", "-p", PLUGIN, "-k", name, "tests/attnlib")
        if run(*how, ATTNLIB_ARRAYS=f"tests.gpu.{name}"):
            failed.append(name)
    print("failed:", *failed or ["nothing"])
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
