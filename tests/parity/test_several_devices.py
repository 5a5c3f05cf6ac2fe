"""The script that the lesson on long inputs shows, and the output it shows with it."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_prints_what_is_recorded():
    # In a process of its own: once JAX has counted the devices, their number stands.
    command = [sys.executable, HERE / "several_devices.py"]
    here = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    done = subprocess.run(command, env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (HERE / "several_devices.txt").read_text()
