"""Which cells have to run before a cell."""

import earlier_cells
import names
import pytest


def slice_of(*sources):
    return earlier_cells.needed(names.read(sources), len(sources) - 1)


CASES = {
    "a name that was made": (["a = 1", "b = 2", "a"], [0]),
    "through another cell": (["a = 1", "b = a", "c = 3", "b"], [0, 1]),
    "made anew in between": (["a = 1", "a = 2", "a"], [1]),
    "perhaps made anew": (["a = 1", "if a: a = 2", "a"], [0, 1]),
    "changed in place": (["a = []", "a.append(1)", "a[0] = 2", "a"], [0, 1, 2]),
    "an attribute set": (["a = f", "a.b.c = 1", "a"], [0, 1]),
    "added to": (["a = 1", "a += 1", "a"], [0, 1]),
    "an import": (["import numpy as np", "import os.path", "np"], [0]),
    "used inside a function": (["a = 1", "def f(): return a", "f()"], [0, 1]),
    "a parameter is not a use": (["a = 1", "def f(a): return a", "f(2)"], [1]),
    "nor a name of a loop": (["i = 1", "[i for i in 'ab']"], []),
    "nor one made in the cell": (["a = 1", "a = 2\na"], []),
    "a local name is not made": (
        ["a = 1", "def f():\n    a = 2\n    return a", "a"],
        [0],
    ),
    "unpacked": (["(a, *b), c = d", "b"], [0]),
    "a for loop's name": (["for a in 'ab': pass", "a"], [0]),
    "a with block's name": (["with f() as a: b = 1", "b"], [0]),
    "draws move a generator on": (
        [
            "r = np.random.default_rng(0)",
            "x = r.normal()",
            "y = f(rng=r)",
            "r.normal()",
        ],
        [0, 1, 2],
    ),
    "worked on in a loop": (["m = f()", "for i in g(train(m)): i", "m"], [0, 1]),
    "worked on by a call": (["m = f()", "fill(m)\nm.shape", "m"], [0, 1]),
    "shown, not changed": (["m = f()", "print(m)\ndraw(m)", "m"], [0]),
    "options hold for all": (["np.set_printoptions(2)", "a = 1", "b = 1"], [0]),
    "a star may make anything": (["from f import *", "a"], [0]),
    "what is no Python needs nothing": (["a = 1", "a +"], []),
    "and gives nothing": (["a = 1", "a = (", "a"], [0]),
}


@pytest.mark.parametrize(("sources", "expected"), CASES.values(), ids=CASES)
def test_the_cells_that_a_cell_builds_on(sources, expected):
    assert slice_of(*sources) == expected


class Page:
    """Sources, run as the worker runs them; remembers which cells ran."""

    def __init__(self, *sources):
        self.sources, self.plan = list(sources), earlier_cells.Plan()

    def run(self, index, ok=True):
        before = self.plan.earlier(self.sources, index)
        for i in [*before, index]:
            self.plan.ran(self.sources, i, ok)
        return before


def test_what_has_run_does_not_run_again():
    page = Page("a = 1", "b = a", "b")
    assert page.run(2) == [0, 1]
    assert page.run(2) == []
    assert page.run(1) == []


def test_an_edit_above_runs_all_that_builds_on_it():
    page = Page("a = 1", "b = a", "b")
    page.run(2)
    page.sources[0] = "a = 2"
    assert page.run(2) == [0, 1]


def test_an_edit_that_ran_by_itself_still_counts():
    page = Page("a = 1", "b = a", "b")
    page.run(2)
    page.sources[0] = "a = 2"
    page.run(0)
    assert page.run(2) == [0, 1]


def test_a_name_taken_by_a_later_cell_is_made_again():
    page = Page("a = 1", "a", "a = 2")
    page.run(1)
    page.run(2)
    assert page.run(1) == [0]


def test_a_cell_that_changes_what_it_uses_starts_afresh():
    page = Page("a = []", "a.append(1)\na")
    assert page.run(1) == [0]
    assert page.run(1) == [0]


def test_a_cell_that_failed_runs_again():
    page = Page("a = 1", "a")
    page.run(0, ok=False)
    assert page.run(1) == [0]


def test_an_edit_that_is_no_python_yet_still_stands_for_what_it_was():
    plan = earlier_cells.Plan(["a = 1", "b = 2", "a"])
    assert plan.earlier(["a = (", "b = 2", "a"], 2) == [0]
    assert plan.earlier(["a = (", "b = 2", "b"], 2) == [1]
