"""The scripts of figures that stand alone: bundled, and written with few letters."""

import json
from pathlib import Path

from ..figures.kit import inputs
from ..javascript import script_of
from .few_letters import written

KIT = Path(inputs.__file__).parent


def scripts(figures):
    """Return the script of each figure, by name."""
    whole = {
        one.name: script_of(
            KIT.parent / one.name / "live.js", KIT / "embed.js", _call(one())
        )
        for one in figures
    }
    return written(whole, module=True)


def _call(panel):
    """Return the last statement: the figure, and all that Python would tell it."""
    figure, view = panel.figure, panel.view
    traits = [t for name, one in figure.controls.items() for t in one.names(name)]
    held = {name: getattr(view, name) for name in ("spec", "data", *traits)}
    held["inputs"] = inputs.inputs(panel)
    return f"embed(figure, {json.dumps(held)});"
