"""The page “Add your own live figure”: its two files make a figure that works."""

import importlib
import re
import shutil
from pathlib import Path

import pytest

import sphinx_nokernel
from attncourse.figures import kit

PAGE = Path(__file__).resolve().parents[2] / "book" / "your_own_figure.md"


@pytest.fixture
def panel(tmp_path, monkeypatch):
    """The page's function, made from its own two files in a copy of the package."""
    files = re.findall(r"```(?:python|javascript)\n(.*?)```", PAGE.read_text(), re.S)
    folder = tmp_path / "own_figures" / "lengths"
    shutil.copytree(Path(kit.__file__).parent, folder.with_name("kit"))
    folder.mkdir()
    for name, source in zip(("live.py", "live.js"), files, strict=True):
        (folder / name).write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("own_figures.lengths.live").panel


def test_the_example_makes_a_panel(panel):
    panel = panel()
    assert panel.values == {"x": 3.0, "y": 4.0}
    assert panel.compute() == 5.0
    assert repr(panel) == "The vector (3, 4) has the length 5.00."
    for name in ("render", "draggable"):
        assert f"function {name}" in panel.view._esm


def test_the_table_names_what_the_script_can_mount():
    static = Path(sphinx_nokernel.__file__).parent / "static" / "nokernel"
    script = static / "mount-widgets.js"
    supported = script.read_text().split('"use strict"')[0]
    named = re.findall(
        r"`(\w+(?:Slider|Buttons|Box|box|down|Label))`", PAGE.read_text()
    )
    assert len(named) >= 10
    for widget in named:
        assert re.search(rf"\b{widget}\b", supported), widget
