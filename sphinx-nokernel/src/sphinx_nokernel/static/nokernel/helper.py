"""Notebook commands in a page; see magics.py."""

import inspect
import time
from contextlib import contextmanager

LONG_ENOUGH = 0.2  # seconds


class Helper:
    """Carries out a notebook's commands, as far as a page can.

    Parameters
    ----------
    emit : callable
        Takes output, as a kind and a text.
    """

    def __init__(self, emit):
        self.emit, self.muted, self.began = emit, False, None

    def cannot(self, command):
        """Say that a command does not work here."""
        need = "a shell" if command.startswith("!") else "a notebook"
        print(f"{command}: not run; it needs {need}, and this is a page.")

    def nothing(self, command):
        """Say that a command cannot be run, and return no lines."""
        self.cannot(command)
        return []

    def about(self, name, value):
        """Print the signature and the docstring of a value."""
        try:
            print(f"{name}{inspect.signature(value)}")
        except (TypeError, ValueError):
            print(f"{name}: {type(value).__name__}")
        print(inspect.getdoc(value) or "It has no docstring.")

    def show(self, kind, text):
        """Show a text, for instance as HTML."""
        self.emit(kind, text)

    def write(self, words, text):
        """Write a file that the page's other cells can read."""
        *options, name = words.split()
        with open(name.strip("'\""), "a" if "-a" in options else "w") as file:
            file.write(text + "\n")
        print(f"Wrote {name}, which lasts as long as this Python.")

    @contextmanager
    def time(self):
        """Print how long a statement takes."""
        began = time.perf_counter()
        yield
        print(f"Wall time: {span(time.perf_counter() - began)}")

    def time_cell(self):
        """Print how long the cell takes, when it ends."""
        self.began = time.perf_counter()

    def capture_cell(self):
        """Hide output until the cell ends."""
        self.muted = True

    def end(self):
        """Finish what the commands of a cell began."""
        if self.began is not None:
            print(f"Wall time: {span(time.perf_counter() - self.began)}")
        self.muted, self.began = False, None

    def timeit(self):
        """Run a statement often enough to measure how long it takes."""
        count, spent = 1, 0.0
        while True:
            began = time.perf_counter()
            yield from range(count)
            spent = time.perf_counter() - began
            if spent > LONG_ENOUGH:
                break
            count *= 5
        print(f"{span(spent / count)} per loop ({count} loops)")


def span(seconds):
    """Format a time with its unit: 1.5 ms."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
