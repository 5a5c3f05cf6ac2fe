"""What a live figure hands to the notebook that displays it."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import attncourse.figures
from attncourse.figures import cards
from attncourse.figures.clocks import live
from attncourse.figures.kit.panel import Panel, slider
from attncourse.figures.kit.tabled import Tabled
from attncourse.figures.listed import names

PLACE = Path(attncourse.figures.__file__).parent
# They train first, and have tests of their own.
SLOW = {"training", "copying_heads", "train_copying"}
FIGURES = sorted({path.parent.name for path in PLACE.glob("*/live.py")} - SLOW)


# Of declared figures, test_declared.py sends all data to the page.
@pytest.mark.parametrize("name", sorted({*FIGURES} - {*names()}))
def test_it_is_plain_json(name):
    view = importlib.import_module(f"attncourse.figures.{name}.live").panel().view
    state = {key: x for key, x in view.get_state().items() if key != "layout"}
    assert json.loads(json.dumps(state, allow_nan=False)).keys() == state.keys()


def test_each_figure_of_a_card_is_listed():
    stems = [path.stem for path in Path(cards.__path__[0]).glob("[a-z]*.py")]
    modules = [importlib.import_module(f"{cards.__name__}.{stem}") for stem in stems]
    made = [x for one in modules for x in vars(one).values() if isinstance(x, Tabled)]
    assert made
    assert {one.name for one in made} <= {*names()}


# What declared figures refuse, test_declared.py asks.
REFUSED = {
    "own_sentence": [
        *({"pair": 2}, {"pair": -1}, {"layer": 6}, {"head": 12}),
        *({"word": 0}, {"word": 1.5}),
    ],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_its_controls_lack_is_refused(name):
    live = importlib.import_module(f"attncourse.figures.{name}.live")
    for bad in REFUSED[name]:
        with pytest.raises(ValueError, match=rf"{name}: {next(iter(bad))} must "):
            live.panel(**bad)


VIEW = "application/vnd.jupyter.widget-view+json"
MANAGER = "https://ssl.gstatic.com/colaboratory-static/widgets/manager.min.js"


@pytest.fixture
def colab(monkeypatch):
    """Colab's module, as far as a widget looks at it."""
    module = ModuleType("google.colab.output")
    module.enable_custom_widget_manager = lambda: None
    module._widgets = SimpleNamespace(_installed_url=MANAGER)
    for name in ("google", "google.colab"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "google.colab.output", module)


@pytest.mark.slow
@pytest.mark.long
def test_a_panel_is_a_view_a_picture_and_words():
    panel = live.panel()
    data, metadata = panel._repr_mimebundle_()
    assert data[VIEW]["model_id"] == panel.model_id
    assert data["text/html"].count("<svg") >= 1
    assert data["text/plain"] == repr(panel)
    assert metadata == {}


@pytest.mark.slow
@pytest.mark.long
def test_in_colab_it_names_the_widget_manager(colab):
    _, metadata = live.panel()._repr_mimebundle_()
    assert metadata == {VIEW: {"colab": {"custom_widget_manager": {"url": MANAGER}}}}


WITHOUT = """
import importlib, sys

for name in ("anywidget", "ipywidgets", "tqdm", "scipy", "array_api_strict"):
    sys.modules[name] = None
for place, name in enumerate(sys.argv[1:]):
    live = importlib.import_module(f"attncourse.figures.{name}.live")
    panel = live.panel()
    if place % 6 == 0:  # all are drawn by the same code
        data, _ = panel._repr_mimebundle_()
        assert set(data) == {"text/plain", "text/html"}, name
    print(name, panel.values)
"""


@pytest.mark.slow
@pytest.mark.long
def test_without_ipywidgets_every_figure_is_its_still_picture():
    command = [sys.executable, "-c", WITHOUT, *FIGURES]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(FIGURES)
    assert "cache_size {'tokens': '32,768'" in run.stdout


@pytest.mark.slow
@pytest.mark.long
def test_exact_values_are_folded_below_the_view_and_still_move_it():
    one, other = slider("One", 1, 0, 9, 1), slider("Other", 2.0, 0, 9, 0.5)
    view = live.panel().view
    controls = {"position": one, "step": other}
    panel = Panel(view, controls, still=dict, compute=dict, exact=("step",))
    first, shown, fold = panel.children
    assert (first, shown) == (one, view)
    assert fold.titles == ("Exact values",)
    assert fold.selected_index is None
    assert fold.children[0].children == (other,)
    other.value = 7
    assert panel.compute() == {"position": 1, "step": 7}
