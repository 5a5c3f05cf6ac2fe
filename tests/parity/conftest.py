"""Gradients that were compared make a table at the end of the run."""

import pytest

from tests.parity.gradient_table import Row, lines

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
