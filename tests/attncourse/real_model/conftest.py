"""The model as published, and the same model as the page has it, run by node.

All of this needs the weights, which `make env` installs: without them these tests fail
and say what to do.
"""

from functools import partial

import pytest
from in_node import run_jobs

from attncourse.real_model import load_minilm
from attncourse.real_model.page.pack import pack


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
