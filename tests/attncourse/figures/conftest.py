"""Run functions of the page's JavaScript in node and read what they return."""

import json
import subprocess
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from attncourse.figures.copying_heads import live as copying_heads
from attncourse.figures.train_copying import live as train_copying
from attncourse.toys.copying import Copier
from tests.attncourse.real_model.conftest import NODE

SCENES = Path(__file__).with_name("scenes.mjs")


@pytest.fixture(scope="session")
def figure_javascript():
    """A function that takes [[script, name, *arguments], ...] of the figures' own."""
    return run


@pytest.fixture(scope="session")
def training_javascript():
    """A function that takes models and texts; it returns what training made of them."""
    return partial(in_node, "training")


def in_node(scene, data):
    """Give data to one of `SCENES` in node; return what comes of it."""
    # JSON has no infinity, but a number too large to hold is read as one.
    text = json.dumps([scene, data]).replace("Infinity", "1e999")
    run = subprocess.run(
        [NODE, SCENES], input=text, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


run = partial(in_node, "calls")


def untrained(n_layers):
    """What `history` gives, of models that are another one at each step."""
    return {
        step: SimpleNamespace(
            model=Copier(n_layers, seed=step), new=3 + step / 99, repeated=3, right=0.5
        )
        for step in copying_heads.STEPS
    }


@pytest.fixture(scope="module")
def untrained_copiers():
    """The figures of lesson 11 show any models: those of a training take a minute."""
    with pytest.MonkeyPatch.context() as patch:
        for live in (copying_heads, train_copying):
            patch.setattr(live, "history", untrained)
        yield
    copying_heads.run.cache_clear()
    for live in (copying_heads, train_copying):
        vars(live.panel).pop("data", None)
