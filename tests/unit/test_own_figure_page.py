"""The page “Add your own live figure”: its three files make a figure that works."""

import re
import shutil
import sys
import types
from pathlib import Path

import pytest

from attnlib.widgets import bundle as joining

PAGE = Path(__file__).resolve().parents[2] / "book" / "your_own_figure.md"


@pytest.fixture
def lengths(tmp_path, monkeypatch):
    """The page's function, made from its own three files."""
    blocks = re.findall(r"```(python|javascript)\n(.*?)```", PAGE.read_text(), re.S)
    (_, still), (_, panel), (_, script) = blocks
    for shared in ("maths.js", "draw.js"):
        shutil.copy(joining.HERE / shared, tmp_path)
    (tmp_path / "lengths.js").write_text(script)
    monkeypatch.setattr(joining, "HERE", tmp_path)
    made = {}
    for package, source in (("figures", still), ("widgets", panel)):
        name = f"attnlib.{package}.lengths"
        made[package] = types.ModuleType(name)
        made[package].__package__ = f"attnlib.{package}"
        monkeypatch.setitem(sys.modules, name, made[package])
        exec(compile(source, str(PAGE), "exec"), vars(made[package]))
    return made["widgets"].lengths


def test_the_example_makes_a_panel(lengths):
    panel = lengths()
    assert panel.values == {"x": 3.0, "y": 4.0}
    assert panel.compute() == 5.0
    assert repr(panel) == "The vector (3, 4) has the length 5.00."
    assert "function render" in panel.children[-1]._esm


def test_the_table_names_what_the_script_can_mount():
    script = PAGE.parent / "assets" / "mount-widgets.js"
    supported = script.read_text().split("Left out on purpose")[0]
    named = re.findall(
        r"`(\w+(?:Slider|Buttons|Box|box|down|Label))`", PAGE.read_text()
    )
    assert len(named) >= 10
    for widget in named:
        assert re.search(rf"\b{widget}\b", supported), widget
