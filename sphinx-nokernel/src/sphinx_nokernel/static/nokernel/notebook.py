"""Stands in for the parts of IPython that cells and matplotlib ask for."""

import sys
from types import ModuleType, SimpleNamespace


class HTML(str):
    """Text to be shown as HTML."""

    def _repr_html_(self):
        return str(self)


class Shell:
    """What `get_ipython()` gives: enough to be taken for a notebook."""

    kernel = True
    execution_count = 0
    events = SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)

    def enable_gui(self, *_):
        """Do nothing: there are no windows."""


def install(display):
    """Put the modules where imports find them; return the shell."""
    shell = Shell()
    _module("IPython", get_ipython=lambda: shell, version_info=(9, 0, 0))
    _module("IPython.display", display=display, HTML=HTML)
    _module("IPython.core")
    _module("IPython.core.pylabtools", backend2gui={})
    return shell


def _module(name, **contents):
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(contents)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
