"""ipywidgets and anywidget; where one is missing, stand-ins that do not move.

So the notebooks run from a zip, without a network, for whoever has NumPy, matplotlib
and Jupyter: a figure is its still picture then; its controls keep their first values.
"""

try:
    import anywidget
    import ipywidgets
except ModuleNotFoundError:
    from . import still_widgets as anywidget  # type: ignore[no-redef]
    from . import still_widgets as ipywidgets

__all__ = ["anywidget", "ipywidgets"]
