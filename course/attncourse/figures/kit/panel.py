"""A live figure: ipywidgets controls, a view drawn by JavaScript, a still picture.

The controls are linked to the view in the browser, so they move it in JupyterLab, on
Binder and on a published page alike. Nothing that Python reads comes from JavaScript:
it is computed here, by attnlib, from what the controls say.
"""

import functools
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.javascript import bundle

from .widgets import anywidget, ipywidgets

LABEL = {"description_width": "initial"}
FOLDED = "Exact values"
COMMENT = re.compile(r"/\*.*?\*/\s*", flags=re.DOTALL)
# Of a rule, but not @media (…) and not the steps of @keyframes.
SELECTORS = re.compile(r"(?<![^{}\s])[.:\[][^{}@;]*(?={)")
BETWEEN = re.compile(r",\s*(?![^(]*\))")  # a comma outside of :is(…)


def _style(text):
    """Return a style sheet without its comments: every page carries it."""
    return COMMENT.sub("", text)


def script_beside(file):
    """Return a figure's script: the `live.js` beside a file, or the file itself."""
    path = Path(file)
    return path if path.suffix == ".js" else path.with_name("live.js")


def _own(script):
    """Return a figure's own style, a class more specific than the one that all share.

    It is a part of `figures.css`, or lies beside the figure if it is long. What the
    script imports from `kit/` may have a part there, too.

    Each view brings both, so on a page with two figures the second one's shared rules
    come after the first one's own. They must not win for that.
    """
    long, live = script.with_name("live.css"), script.stem == "live"
    name = script.parent.name if live else script.stem
    names = [name, *KIT.findall(script.read_text("utf-8"))]
    parts = "".join(OWN.get(one, "") for one in names)
    return SELECTORS.sub(
        lambda match: ", ".join(f":root {one}" for one in BETWEEN.split(match[0])),
        _style(long.read_text("utf-8") if long.exists() else parts),
    )


STYLE = _style(Path(__file__).with_name("figure.css").read_text("utf-8"))
KIT = re.compile(r'from "\.(?:\./kit)?/(\w+)\.js"')
OWN = dict(
    re.findall(
        r"^/\* (\w+) \*/\n(.*?)(?=^/\* \w+ \*/\n|\Z)",
        Path(__file__).with_name("figures.css").read_text("utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
)


class View(anywidget.AnyWidget):
    """The drawing. A subclass has the traits that the `live.js` beside it reads.

    Its part of `figures.css` is added to the style that all figures share. It
    is declared as ``class SomeView(View, beside=__file__)``.
    """

    _css = STYLE

    def __init_subclass__(cls, *, beside=None, **options):
        if beside:  # traitlets makes a nameless subclass of its own for each view
            script = script_beside(beside)
            cls._esm = bundle(script)
            cls._css = STYLE + _own(script)
        super().__init_subclass__(**options)

    def __repr__(self):
        return f"<{type(self).__name__}>"  # the default holds a memory address


class Panel(ipywidgets.VBox):
    """Controls above a view, with a still picture for where no view can run.

    Parameters
    ----------
    view : View
    controls : dict of str to ipywidgets.Widget
        Each control by the trait of the view that it sets. A control that chooses
        from a list sets the trait to the index of the choice.
    still : callable
        Draws the `Picture` that readers see without JavaScript, in print and in PDF.
        It is called once, when the picture is first shown or read.
    compute : callable
        Takes the values of the controls by name; returns what attnlib computes from
        them, such as an `AttentionTrace`.
    exact : sequence of str
        The controls that set what one can drag in the view as well: they stand folded
        below it, for keyboards and for precision.
    folded_as : str
        The title of that fold.

    Attributes
    ----------
    controls : dict of str to ipywidgets.Widget
        To set one from Python: ``figure.controls["d_k"].value = 128``.
    view : View
    """

    def __init__(self, view, controls, *, still, compute, exact=(), folded_as=FOLDED):
        for trait, control in controls.items():
            source = "index" if _chooses(control) else "value"
            ipywidgets.jslink((control, source), (view, trait))
        above = [control for name, control in controls.items() if name not in exact]
        below = _folded([controls[name] for name in exact], folded_as)
        super().__init__([*above, view, *below], _dom_classes=["aw-panel"])
        self.controls, self.view = controls, view
        self._compute, self._still = compute, functools.cache(still)

    @property
    def values(self):
        """What the controls say now, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def compute(self):
        """Let attnlib compute what the figure shows now."""
        return self._compute(**self.values)

    def __repr__(self):
        return self._still().alt

    def _repr_mimebundle_(self, **kwargs) -> Any:
        data = (super()._repr_mimebundle_(**kwargs) or {}) | {
            "text/plain": repr(self),
            "text/html": self._still()._repr_html_(),
        }
        _, metadata = self.view._repr_mimebundle_(**kwargs)
        return data, metadata  # in Colab it names the widget manager to load


def _chooses(control):
    return isinstance(control, ipywidgets.widgets.widget_selection._Selection)


def _folded(controls, title):
    if not controls:
        return []
    return [ipywidgets.Accordion([ipywidgets.VBox(controls)], titles=[title])]


def chips(description, options, value):
    """Return chips to choose one of a few words, with the keyboard too."""
    return ipywidgets.ToggleButtons(
        description=description, options=options, value=value, style=LABEL
    )


def choice(description, options, value):
    """Return a slider over a list of values, such as the powers of two."""
    return ipywidgets.SelectionSlider(
        description=description, options=options, value=value, style=LABEL
    )


def menu(description, options, value):
    """Return a menu to choose one of many."""
    return ipywidgets.Dropdown(
        description=description, options=options, value=value, style=LABEL
    )


def slider(description, value, low, high, step):
    """Return a slider over numbers: whole ones if ``step`` is whole."""
    kind = ipywidgets.IntSlider if isinstance(step, int) else ipywidgets.FloatSlider
    return kind(
        description=description, value=value, min=low, max=high, step=step, style=LABEL
    )


def numbers(array, decimals=6):
    """Return an array as nested lists, rounded: what a view's trait holds.

    Raises
    ------
    ValueError
        If there is nothing to draw, or a number is not finite.
    """
    array = np.asarray(array, dtype=float)
    if array.size == 0:
        raise ValueError(f"live figure: an array of shape {array.shape} is empty")
    if not math.isfinite(array.sum()):
        raise ValueError(
            "live figure: every number must be finite, got NaN or infinity"
        )
    return array.round(decimals).tolist()


def letters(codes):
    """Return the letter for each number, counted from "#", as `letters.js` reads it.

    What comes in a row should be alike: the values of one cell, step by step.
    """
    return "".join(map(chr, np.ravel(codes) + ord("#")))
