"""attnlib's own tests, with PyTorch's tensors on the processor in place of arrays."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
NAME = "on_torch"


def test_attnlib_on_pytorch():
    plugins = ("-p", "no:cacheprovider", "-p", "tests.gpu.brought_home")
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-W", "default"]
    done = subprocess.run(
        [*command, "-k", NAME, "tests/attnlib"],
        cwd=ROOT,
        env={**os.environ, "ATTNLIB_ARRAYS": f"tests.gpu.{NAME}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 400
