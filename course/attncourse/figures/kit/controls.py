"""A figure's controls: label, range, where each begins.

A control is one name of the figure's state. It knows the traits of the view that hold
it, the widgets that set those, and what the page has to know of it.
"""

import re
from dataclasses import KW_ONLY, dataclass
from typing import Any

import traitlets

from attncourse.checks import check_integer, check_number

from .panel import LABEL, chips, slider
from .slots import plain, show
from .widgets import ipywidgets


def check_between(figure, name, value, low, high):
    """Return ``value`` as a float from ``low`` to ``high``.

    Raises
    ------
    ValueError
        If it is not one real number between them: names the figure and the rule.
    """
    number = check_number(figure, name, value)
    if not low <= number <= high:
        rule = f"{name} must be a number from {low:g} to {high:g}"
        raise ValueError(f"{figure}: {rule}, got {number:g}")
    return number


def check_whole(figure, name, value, low, high):
    """Return ``value`` as an int from ``low`` to ``high``, or raise as above."""
    return int(
        check_between(figure, name, check_integer(figure, name, value), low, high)
    )


def listed(value):
    """Return several values as a tuple, and one as a tuple of it."""
    try:
        return tuple(value)
    except TypeError:
        return (value,)


COUNTS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True)
class Control:
    """What all controls have.

    Parameters
    ----------
    label : str
    default : Any
        The value to begin with, unless the figure is asked for another.
    place : str
        "above" the view, "below" it, or "exact": folded below, as it is dragged too.
    """

    label: str
    default: Any
    _: KW_ONLY
    place: str = "above"

    def names(self, name):
        """List the traits that hold the value."""
        return [name]

    def written(self, value):
        """Return what the traits hold for a value, in their order."""
        return [value]

    def read(self, held):
        """Return the value from what the traits hold."""
        return held[0]

    def spec(self, name):
        """Return what the page knows of the control: plain data."""
        return {"name": name, "traits": self.names(name), **self.limits()}

    def limits(self):
        """Return what the page knows of its values."""
        return {}

    def told(self, value):
        """Say in a few words that it is set to a value."""
        return f"{self.label} {show(plain(value))}"

    def widgets(self, name, value):
        """Make the widgets, by trait: none where a reader sets the view itself."""
        return {}


@dataclass(frozen=True)
class Slider(Control):
    """A number between two, on a step; or one for ``each`` of some traits.

    Parameters
    ----------
    low, high, step : float
        Whole numbers if the step is whole.
    each : dict of str to str
        The label of each number's slider, by its trait: then the value is a tuple.
    form : str
        How a slider writes its number, such as ``".1f"``.
    """

    low: float
    high: float
    step: float
    _: KW_ONLY
    each: Any = None
    form: str = ""

    def names(self, name):
        """List the traits that hold the value."""
        return list(self.each or [name])

    def written(self, value):
        """Return what the traits hold for a value, in their order."""
        return list(value) if self.each else [value]

    def read(self, held):
        """Return the value from what the traits hold."""
        return tuple(held) if self.each else held[0]

    def trait(self):
        """Return a trait of the view."""
        return traitlets.Int() if isinstance(self.step, int) else traitlets.Float()

    def check(self, figure, name, value):
        """Return a value that the control can have, or raise ValueError."""
        check = check_whole if isinstance(self.step, int) else check_between
        if not self.each:
            return check(figure, name, value, self.low, self.high)
        values, n = listed(value), len(self.each)
        if len(values) != n:
            rule = f"{name} must be {COUNTS[n]} numbers, got {len(values)}"
            raise ValueError(f"{figure}: {rule}")
        return tuple(check(figure, name, one, self.low, self.high) for one in values)

    def limits(self):
        """Return what the page knows of its values."""
        told = {"low": self.low, "high": self.high, "step": self.step}
        return told | ({"each": True} if self.each else {})

    def told(self, value):
        """Say to what its sliders are set: of several, those that are moved."""
        labels = self.each.values() if self.each else [self.label]
        form = self.form or ("" if isinstance(self.step, int) else ".2f")
        begun, held = self.written(self.default), self.written(value)
        return ", ".join(
            f"{label} {show(new, form)}"
            for label, old, new in zip(labels, begun, held, strict=True)
            if new != old
        )

    def widgets(self, name, value):
        """Make the widgets, by trait."""
        labels = self.each.values() if self.each else [self.label]
        made = [
            slider(label, number, self.low, self.high, self.step)
            for label, number in zip(labels, self.written(value), strict=True)
        ]
        for one in made if self.form else ():
            one.readout_format = self.form
        return dict(zip(self.names(name), made, strict=True))


@dataclass(frozen=True)
class Choice(Control):
    """One of a few: the state has its value, the trait its place in the list.

    Parameters
    ----------
    options : sequence, or dict of each label to its value
    look : callable
        ``chips`` or ``choice``, a slider over a list.
    optional : bool
        Whether nothing may be chosen yet: None.
    """

    options: Any
    _: KW_ONLY
    look: Any = chips
    optional: bool = False

    @property
    def values(self):
        """What can be chosen, in order."""
        pairs = self.options
        return list(pairs.values() if hasattr(pairs, "values") else pairs)

    def written(self, value):
        """Return what the traits hold for a value, in their order."""
        return [self.values.index(value) if value in self.values else None]

    def read(self, held):
        """Return the value from what the traits hold."""
        return None if held[0] is None else self.values[held[0]]

    def trait(self):
        """Return a trait of the view."""
        return traitlets.Int(allow_none=self.optional)

    def check(self, figure, name, value):
        """Return a value that the control can have, or raise ValueError."""
        if value is None and self.optional:
            return None
        if isinstance(value, bool) or value not in self.values:
            rule = f"{name} must be one of {self.values}"
            raise ValueError(f"{figure}: {rule}, got {value!r}")
        return value

    def limits(self):
        """Return what the page knows of its values."""
        told = {"options": self.values}
        return told | ({"optional": True} if self.optional else {})

    def told(self, value):
        """Say which one is chosen, as its label does."""
        return f"{self.label} {list(self.options)[self.values.index(value)]}"

    def widgets(self, name, value):
        """Make the widget, by its trait."""
        labels = list(self.options)
        (place,) = self.written(value)
        label = None if place is None else labels[place]
        return {name: self.look(self.label, labels, label)}


@dataclass(frozen=True)
class Fixed(Choice):
    """One of a few that whoever makes the panel chooses, and no reader."""

    def widgets(self, name, value):
        """Make none."""
        return {}


@dataclass(frozen=True)
class Text(Control):
    """A text, for which the view itself has an input.

    Parameters
    ----------
    pattern : str
        What it must match, in any case, as Python and JavaScript read it alike.
    rule : str
        The same in words, after "must be".
    example : callable
        Draws one by chance, from a generator.
    """

    pattern: str
    rule: str
    example: Any

    def trait(self):
        """Return a trait of the view."""
        return traitlets.Unicode()

    def check(self, figure, name, value):
        """Return a value that the control can have, or raise ValueError."""
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value, re.I):
            raise ValueError(f"{figure}: {name} must be {self.rule}, got {value!r}")
        return value

    def limits(self):
        """Return what the page knows of its values."""
        return {"pattern": self.pattern, "rule": self.rule}


@dataclass(frozen=True)
class Check(Control):
    """Yes or no."""

    def trait(self):
        """Return a trait of the view."""
        return traitlets.Bool()

    def check(self, figure, name, value):
        """Return a value that the control can have, or raise ValueError."""
        if not isinstance(value, bool):
            raise ValueError(f"{figure}: {name} must be True or False, got {value!r}")
        return value

    def told(self, value):
        """Say whether it is ticked."""
        return f"{self.label} {'on' if value else 'off'}"

    def widgets(self, name, value):
        """Make the widget, by its trait."""
        look = {"indent": False, "style": LABEL}
        return {name: ipywidgets.Checkbox(value=value, description=self.label, **look)}


@dataclass(frozen=True)
class Cells(Control):
    """Cells of a grid that were flipped, by number; the grid itself is the control.

    Parameters
    ----------
    count : int
    """

    count: int

    def trait(self):
        """Return a trait of the view."""
        return traitlets.List(traitlets.Int())

    def written(self, value):
        """Return what the traits hold for a value, in their order."""
        return [list(value)]

    def check(self, figure, name, value):
        """Return a value that the control can have, or raise ValueError."""
        return [check_whole(figure, name, x, 0, self.count - 1) for x in listed(value)]

    def limits(self):
        """Return what the page knows of its values."""
        return {"count": self.count}

    def told(self, value):
        """Say which cells are flipped, counted from 1."""
        return f"{self.label} {show([number + 1 for number in value])}"
