"""What a figure saves in a page is plain JSON: no NaN, and no array."""

import importlib
import json
from pathlib import Path

import pytest

import attncourse.figures

PLACE = Path(attncourse.figures.__file__).parent
TRAIN = {"training", "copying_heads"}  # test_training.py asks one of them
FIGURES = sorted({path.parent.name for path in PLACE.glob("*/live.py")} - TRAIN)


@pytest.mark.parametrize("name", FIGURES)
def test_it_is_plain_json(name):
    view = importlib.import_module(f"attncourse.figures.{name}.live").panel().view
    state = {key: x for key, x in view.get_state().items() if key != "layout"}
    assert json.loads(json.dumps(state, allow_nan=False)).keys() == state.keys()
