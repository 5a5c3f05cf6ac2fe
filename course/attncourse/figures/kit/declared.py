"""A figure, declared once: controls, what is computed, drawn and said.

>>> from attncourse.figures.softmax import live
>>> figure = live.panel(scores=(3, 1, 0))
>>> figure.compute().weights.round(3)
array([0.844, 0.114, 0.042])
>>> print(figure.describe()["summary"])  # doctest: +NORMALIZE_WHITESPACE
The score of dog minus that of food is 2.0. So its share is 7.389 times as large:
e to the power of 2.0.
"""

import functools
import inspect
from pathlib import Path

import traitlets

from .described import Description, as_text
from .panel import FOLDED, Panel, View, script_beside
from .picture import picture
from .slots import plain

LIGHT = 15_000  # bytes of a figure's own page


class Figure:
    """What makes a live figure's panels: call it with the state to begin with.

    Parameters
    ----------
    beside : str
        The file beside which its `live.js` lies, or another script. Its folder names
        the figure, also at the beginning of its errors, unless ``name`` does.
    controls : dict of str to Control
        By the name in the state.
    compute : callable
        Takes the state by name; returns the numbers as attnlib computes them.
    still : callable
        Takes the state and the numbers; returns a matplotlib figure.
    title, summary, tables, said
        As in `Description`.
    data : callable
        Returns what never changes and the page needs besides, by name; called once.
    alone : callable
        Takes the data; returns what the figure's own page has in its place.
    look : str
        A class of the panels, for the style sheet.
    solved : dict of str to Any
        A part of the state which, with all else as a panel begins, meets the goal of
        its `live.js`: *Show me* under a challenge sets it.
    opened : dict of str to Any
        Another part than ``solved``, for still pictures and print, where nothing stays
        covered: it takes the place of a state in which something is None.
    sound : dict of str to Any
        Where the numbers of a row are that a reader may turn into tones: "weights", and
        "scores" if there are some; with "sweep" the exponential of these is heard, too.
        Its `live.js` then hands `makeSound` to `live`.
    answer : callable
        What a kernel answers to a text, as a text: the view's ``asked`` and ``answer``.
    folded_as : str
        The title of the fold of controls that are exact.
    heaviest : int
        How many bytes its own page may have, as a host sends it: more than `LIGHT` only
        for one that brings a model, or an app, along.
    pictured : bool
        Whether its drawings are a picture of it: not where most of it stands in words.
    """

    def __init__(
        self,
        beside,
        *,
        controls,
        compute,
        still,
        title,
        summary,
        tables=(),
        said=(),
        data=None,
        alone=None,
        look="",
        solved=None,
        opened=None,
        sound=None,
        answer=None,
        folded_as=FOLDED,
        heaviest=LIGHT,
        pictured=True,
        name="",
    ):
        self.name, self.controls = name or Path(beside).parent.name, controls
        self.script = script_beside(beside)
        self.describe = Description(title, summary, tables, said)
        self.look, self.opened, self.answer = look, opened or solved or {}, answer
        self.folded_as, self.heaviest = folded_as, heaviest
        self._data, self.compute, self.still = data or dict, compute, still
        self.alone = alone or dict
        self.spec = self.describe.spec() | {"name": self.name}
        self.spec |= {"sound": sound} if sound else {}
        self.spec |= {} if pictured else {"unpictured": True}
        self.spec |= self._shown(solved) if solved else {}
        self.spec["controls"] = [one.spec(n) for n, one in controls.items()]
        traits = {
            trait: one.trait().tag(sync=True)
            for n, one in controls.items()
            for trait in one.names(n)
        }
        traits |= {n: traitlets.Dict().tag(sync=True) for n in ("spec", "data")}
        for one in ("asked", "answer") if answer else ():
            traits[one] = traitlets.Unicode().tag(sync=True)
        traits["__doc__"] = f"The drawing of {self.name}."
        kind = f"{self.name.title().replace('_', '')}View"
        self.view = type(View)(kind, (View,), traits, beside=beside)
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(n, either, default=one.default)
                for n, one in controls.items()
            ]
        )

    def _shown(self, solved):
        """Return what *Show me* sets, and what is said of it."""
        told = (self.controls[name].told(value) for name, value in solved.items())
        return {"solved": plain(solved), "told": "; ".join(told)}

    @functools.cached_property
    def data(self):
        """What never changes, as plain data."""
        return plain(self._data())

    def __call__(self, *args, **kwargs):
        """Return a panel that begins in a state, or raise ValueError."""
        return DeclaredPanel(self, self.begun(*args, **kwargs))

    def begun(self, *args, **kwargs):
        """Return the state in which a panel begins, or raise ValueError."""
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        return {
            n: c.check(self.name, n, bound.arguments[n])
            for n, c in self.controls.items()
        }

    def described(self, state, numbers):
        """Fill in the description for a state and its numbers."""
        return self.describe.filled(self.data | plain(state) | plain(numbers))

    def drawn(self, state):
        """Draw the still picture of a state."""
        if None in state.values():
            state = state | self.opened
        numbers = self.compute(**state)
        words = as_text(self.described(state, numbers))
        return picture(lambda: (self.still(state, numbers), words))()


class DeclaredPanel(Panel):
    """A declared figure in one state: widgets, a view, a still picture, and its words.

    Attributes
    ----------
    controls : dict of str to ipywidgets.Widget
        By trait: a control of several numbers has several.
    """

    def __init__(self, figure, state):
        held, widgets, places = {}, {}, {}
        for name, control in figure.controls.items():
            held |= zip(control.names(name), control.written(state[name]), strict=True)
            made = control.widgets(name, state[name])
            widgets |= made
            places |= dict.fromkeys(made, control.place)
        exact = [trait for trait, place in places.items() if place == "exact"]
        view = figure.view(spec=figure.spec, data=figure.data, **held)
        if figure.answer:
            view.observe(self._answer, "asked")
        super().__init__(
            view,
            widgets,
            still=functools.partial(figure.drawn, state),
            compute=figure.compute,
            exact=exact,
            folded_as=figure.folded_as,
        )
        self.figure = figure
        if figure.look:
            self.add_class(figure.look)
        below = [widgets[trait] for trait, place in places.items() if place == "below"]
        if below:
            rest = [one for one in self.children if one not in below]
            behind = rest.index(view) + 1
            self.children = [*rest[:behind], *below, *rest[behind:]]

    @property
    def state(self):
        """What the controls say now, by name."""
        return {
            name: control.read(
                [self._held(control, trait) for trait in control.names(name)]
            )
            for name, control in self.figure.controls.items()
        }

    def _answer(self, change):
        change["owner"].answer = self.figure.answer(change["new"])

    def _held(self, control, trait):
        if trait not in self.controls:
            return getattr(self.view, trait)
        value = self.controls[trait].value
        chosen = hasattr(control, "options") and value is not None
        return list(control.options).index(value) if chosen else value

    def compute(self):
        """Let attnlib compute what the figure shows now."""
        return self.figure.compute(**self.state)

    def describe(self):
        """Say what the figure shows now, as plain data."""
        return self.figure.described(self.state, self.compute())
