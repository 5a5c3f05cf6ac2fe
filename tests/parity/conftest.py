"""Gradients that were compared make a table at the end of the run."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.attnlib.differences import relative_error

# Distances of gradients from those of others, and their table.

ROUNDING, OF_THE_STEP = 1e-13, 1e-6
HEAD = ("gradient of", "cases", "numbers", "off autograd", "slopes", "off differences")
LINE = "{:<24}{:>6}{:>9}{:>14}{:>9}{:>17}"


@dataclass
class Row:
    """How many gradients of one function were compared; the largest relative errors."""

    cases: int = 0
    numbers: int = 0
    off_autograd: float = 0.0
    slopes: int = 0
    off_differences: float = 0.0

    def compare(self, found, by_autograd, along, slopes):
        """Note how far off each array is, and refuse what is too far.

        Parameters
        ----------
        found, by_autograd : dict of str to array
            Gradients by the name of the input; None where the input is.
        along, slopes : dict of str to array
            What the gradients say of some steps, and what differences say of them.
        """
        off, off_slopes = apart(found, by_autograd), apart(along, slopes)
        self.cases += 1
        self.numbers += count(found)
        self.off_autograd = largest(self.off_autograd, *off.values())
        self.slopes += count(along)
        self.off_differences = largest(self.off_differences, *off_slopes.values())
        assert largest(*off.values()) < ROUNDING, f"off autograd: {off}"
        assert largest(*off_slopes.values()) < OF_THE_STEP, f"off slopes: {off_slopes}"


def apart(found, expected):
    """Return the relative error of each array; both must lack the same ones."""
    found, expected = (
        {name: x for name, x in each.items() if x is not None}
        for each in (found, expected)
    )
    assert found.keys() == expected.keys()
    return {name: relative_error(x, expected[name]) for name, x in found.items()}


def largest(*errors):
    """Return the largest of some errors; NaN, if there is one."""
    return float(np.max(errors))


def count(arrays):
    return sum(x.size for x in arrays.values() if x is not None)


def lines(rows):
    """Write the table: rows by the name of what was differentiated."""
    yield LINE.format(*HEAD)
    for name, row in rows.items():
        errors = (f"{x:.0e}" for x in (row.off_autograd, row.off_differences))
        counts = (row.numbers, next(errors), row.slopes, next(errors))
        yield LINE.format(name, row.cases, *counts)


FOUND = pytest.StashKey()


def pytest_configure(config):
    config.stash[FOUND] = {}


@pytest.fixture
def row(pytestconfig):
    """A function: the name of what is differentiated to its row in the table."""
    return lambda name: pytestconfig.stash[FOUND].setdefault(name, Row())


def pytest_terminal_summary(terminalreporter, config):
    if rows := config.stash[FOUND]:
        terminalreporter.section("gradients in float64: relative errors, at most")
        for line in lines(rows):
            terminalreporter.write_line(line)
