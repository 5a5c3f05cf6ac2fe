"""Have nbval compare what is stored with what the build has printed.

    python -m pytest --nbval -p tools.as_built book

The build executes every notebook in a kernel of its own. Where it ran the code that is
there now, nbval is told what it printed, and compares that as strictly, without a
second execution. Any other notebook nbval executes itself: one that is not built, one
whose code has changed since, and all where something has that lessons import.
"""

from functools import cache

import nbformat


class Printed:
    """The kernel of a build that is over, as nbval wants one."""

    def __init__(self, notebook):
        self._cells, self._messages = iter(code_cells(notebook)), None

    def is_alive(self):
        """Say that it answers."""
        return True

    def execute_cell_input(self, source, allow_stdin=None):
        """Find the next cell of this code, and what it printed."""
        cell = next(cell for cell in self._cells if cell.source == source)
        told = [(output.output_type, output) for output in cell.outputs]
        told.append(("status", {"execution_state": "idle"}))
        parent = {"parent_header": {"msg_id": cell.id}}
        messages = [{"msg_type": kind, "content": out, **parent} for kind, out in told]
        self._messages = iter(messages)
        return cell.id

    def await_reply(self, msg_id, timeout=None):
        """Do not wait: it has run."""

    def get_message(self, stream, timeout=None):
        """Return the next thing that it printed."""
        return next(self._messages)

    def stop(self):
        """Do nothing: it has ended."""


def code_cells(notebook):
    """Return the cells that are run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@cache
def build():
    """Return the build, as the sources are now."""
    import build_book  # which pytest finds once it is configured

    return build_book.Build()


def printed(path, notebook):
    """Return a notebook as the build executed it, if that ran what is there now."""
    file = build().folder / "jupyter_execute" / path.relative_to(build().root)
    if not (build().executed_this() and file.exists()):
        return None
    executed = nbformat.read(file, as_version=4)
    then, now = ([c.source for c in code_cells(one)] for one in (executed, notebook))
    return executed if then == now else None


def pytest_configure():
    """Give nbval the build's kernel where there is one."""
    from nbval.plugin import IPyNbFile

    start = IPyNbFile.setup

    def setup(self):
        if executed := printed(self.path, self.nb):
            self.kernel = Printed(executed)
        else:
            start(self)

    IPyNbFile.setup = setup
