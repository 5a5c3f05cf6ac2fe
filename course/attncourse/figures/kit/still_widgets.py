"""Stand-ins for what the figures use of ipywidgets and anywidget."""

from types import SimpleNamespace

import traitlets  # a part of Jupyter


class Widget:
    """A widget that nobody sees, and that keeps its value."""

    def __init__(self, children=(), *, value=None, **_):
        self.children, self.value = children, value

    def add_class(self, _):
        """Return the widget: no style applies to it."""
        return self

    def _repr_mimebundle_(self, **_):
        return {}


class _Selection(Widget):
    """A choice of one; the first, unless said otherwise."""

    def __init__(self, *, options, value=None, **_):
        pairs = options.items() if hasattr(options, "items") else options
        values = [one[1] if isinstance(one, tuple) else one for one in pairs]
        super().__init__(value=values[0] if value is None else value)


class AnyWidget(traitlets.HasTraits):
    """A view: it holds its traits, and nothing draws it."""

    def _repr_mimebundle_(self, **_):
        return {}, {}


VBox = Accordion = Checkbox = IntSlider = FloatSlider = Widget
Dropdown = SelectionSlider = ToggleButtons = _Selection
widgets = SimpleNamespace(widget_selection=SimpleNamespace(_Selection=_Selection))


def jslink(source, target):
    """Link nothing: nothing moves."""


jsdlink = jslink
