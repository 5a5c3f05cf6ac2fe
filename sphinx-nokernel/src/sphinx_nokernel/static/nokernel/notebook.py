"""A stand-in for the parts of IPython that cells and matplotlib use."""

import builtins
import sys
from types import ModuleType, SimpleNamespace

import display_objects


class Shell:
    """What `get_ipython()` returns: enough to be taken for a notebook."""

    kernel = True
    execution_count = 0
    events = SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)

    def __init__(self, helper):
        self.helper = helper

    def enable_gui(self, *_):
        """Do nothing: there are no windows."""

    def run_line_magic(self, name, words="", *_):
        """Say that a magic does not work here."""
        return self.helper.cannot(f"%{name} {words}".strip())

    magic = run_line_magic

    def system(self, command):
        """Say that there is no shell."""
        return self.helper.cannot(f"!{command}")


def no_input(prompt=""):
    """Replace `input`, which a page cannot wait for."""
    raise RuntimeError(
        f"input({str(prompt)!r}) cannot ask in a page: write the answer into the code"
    )


def install(display, clear, helper):
    """Add the stand-in modules to `sys.modules`, and return the shell."""
    shell = Shell(helper)
    _module("IPython", get_ipython=lambda: shell, version_info=(9, 0, 0))
    names = display_objects.contents(display, clear)
    _module("IPython.display", **names)
    _module("IPython.core")
    _module("IPython.core.display", **names)
    _module("IPython.core.pylabtools", backend2gui={})
    vars(sys.modules["IPython"])["display"] = sys.modules["IPython.display"]
    if sys.platform == "emscripten":
        builtins.input = no_input
    return shell


def _module(name, **contents):
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(contents)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
