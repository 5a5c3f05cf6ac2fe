"""Show a verdict once, although both `check` and the end of a cell would.

A notebook displays the value of a cell's last expression; a script does not. So `check`
shows the verdict itself and records the run of the cell; displaying the verdict again
in the same run does nothing.
"""

import sys
from typing import Any

_NEVER = object()
_seen: dict[str, Any] = {"verdict": _NEVER, "run": _NEVER}


def show(verdict: Any) -> None:
    """Display a verdict in a notebook, print it elsewhere."""
    shell = _shell()
    if _in_notebook(shell):
        from IPython.display import display

        display(verdict._repr_mimebundle_(), raw=True)
    else:
        print(verdict)
    _seen.update(verdict=verdict, run=_run(shell))


def once(verdict: Any) -> None:
    """Show a verdict, unless this run of the cell has shown it."""
    if _seen["verdict"] is not verdict or _seen["run"] != _run(_shell()):
        show(verdict)


def _shell() -> Any:
    """Return IPython's shell if one is running; never imports IPython."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def _in_notebook(shell: Any) -> bool:
    return hasattr(shell, "kernel")  # a terminal has none, and can show no HTML


def _run(shell: Any) -> Any:
    return getattr(shell, "execution_count", None)
