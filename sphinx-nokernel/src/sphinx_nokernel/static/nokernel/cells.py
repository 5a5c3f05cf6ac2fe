"""Run a cell as a notebook would: its output in order, its last value, its pictures."""

import ast
import builtins
import inspect
import linecache
import logging
import os
import sys
import traceback

import notebook
from helper import Helper
from magics import HELPER, as_python
from outputs import Printer, Stream, rich, richest

os.environ["MPLBACKEND"] = "module://page_backend"
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

LACKING = (
    "\n({} is neither among the packages of Pyodide, the Python of this page, nor "
    "among those that the site brings along; or it could not be fetched.)"
)
FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Cells:
    """A namespace in which cells run.

    Parameters
    ----------
    emit : callable
        Takes each piece of output as it comes, as a kind and a text: ``stdout`` or
        ``stderr``; ``text``, ``html`` or ``latex`` for a value; ``png`` or ``jpeg``
        (base64); ``error``; ``clear`` removes all of it.
    """

    def __init__(self, emit):
        self.send, self.helper = emit, Helper(self.emit)
        self.space = {"__name__": "__main__", "display": self.display}
        self.space[HELPER] = self.helper
        self.shell = notebook.install(self.display, self.clear, self.helper)

    def emit(self, kind, text):
        """Pass on a piece of output, unless the cell captures it."""
        if kind == "error" or not self.helper.muted:
            self.send(kind, text)

    async def run(self, source, name):
        """Run a cell; return whether it succeeded. Tracebacks show its name."""
        source = as_python(source)
        self.shell.execution_count += 1
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        kept = sys.stdout, sys.stderr
        printer = Printer(self.emit)
        sys.stdout, sys.stderr = (Stream(k, printer) for k in ("stdout", "stderr"))
        try:
            value = await self._value(source, name)
            if value is not None:
                self.space["_"] = value
                self.display(value)
            self._show_open_figures()
            self.helper.end()
            return True
        except BaseException as error:
            _flush()
            self.emit("error", readers_traceback(error))
            return False
        finally:
            _flush()
            self.helper.muted, self.helper.began = False, None
            sys.stdout, sys.stderr = kept

    async def _value(self, source, name):
        """Run all statements; return the value of the last if it is an expression."""
        tree = compile(source, name, "exec", FLAGS | ast.PyCF_ONLY_AST)
        last = tree.body[-1:]
        if not last or not isinstance(last[0], ast.Expr):
            return await self._await(compile(tree, name, "exec", FLAGS))
        tree.body.pop()
        await self._await(compile(tree, name, "exec", FLAGS))
        expression = ast.Expression(last[0].value)
        value = await self._await(compile(expression, name, "eval", FLAGS))
        return None if source.rstrip().endswith(";") else value

    async def _await(self, code):
        result = builtins.eval(code, self.space)
        return await result if code.co_flags & inspect.CO_COROUTINE else result

    def clear(self, wait=False):
        """Remove the cell's output so far."""
        _flush()
        self.emit("clear", "")

    def display(self, *values, raw=False, **_):
        """Show each value in its richest form; with `raw`, values are dicts of forms.

        Other arguments of a notebook's display (an id, metadata) have no effect here.
        """
        _flush()
        for value in values:
            shows_itself = getattr(value, "_ipython_display_", None)
            if raw:
                self.emit(*richest(value))
            elif shows_itself and not isinstance(value, type):
                shows_itself()
            else:
                self.emit(*rich(value))

    def _show_open_figures(self):
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            self.display(pyplot.figure(number))
        pyplot.close("all")


def _flush():
    sys.stdout.flush()


def readers_traceback(error):
    """Format an error with only the frames of the reader's own code."""
    report = traceback.TracebackException.from_exception(error)
    seen = [report]
    for part in seen:
        part.stack = traceback.StackSummary.from_list(
            frame for frame in part.stack if frame.filename.startswith("cell ")
        )
        seen += filter(None, (part.__cause__, part.__context__))
    text = "".join(report.format()).rstrip("\n")
    if isinstance(error, ModuleNotFoundError) and error.name:
        text += LACKING.format(error.name.partition(".")[0])
    return text
