"""Cells: challenges, hidden code, what earlier cells define."""

import earlier_cells
import names
import pytest

PAGE = """# Challenge

## One

```{raw} html
<div id="figure"></div>
```

:::{challenge} Reach the goal to go on
:name: goal
:::

You dragged it.

## Two

:::{challenge} Do the next thing
:::

The second answer.
"""
MEET = """document.querySelector("#figure").dispatchEvent(
    new CustomEvent("nk:met", { bubbles: true }))"""


def test_what_follows_is_covered_until_the_figure_says_so(page):
    assert not page.get_by_text("You dragged it.").is_visible()
    assert page.get_by_text("Reach the goal to go on, or:").is_visible()
    page.evaluate(MEET)
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("The second answer.").is_visible()
    said = page.locator("#goal [role=status]").inner_text()
    assert said == "The page goes on below."


def test_it_is_remembered_until_one_starts_over(page):
    page.evaluate(MEET)
    page.reload()
    assert page.get_by_text("You dragged it.").is_visible()
    page.get_by_role("button", name="start over").click()
    assert not page.get_by_text("You dragged it.").is_visible()


def test_a_reader_may_ask_to_be_shown(page):
    page.get_by_role("button", name="Show me").first.press("Enter")
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("The second answer.").is_visible()


def test_without_javascript_all_is_open(open_folder, folder):
    page = open_folder(folder, java_script_enabled=False)
    assert page.get_by_text("You dragged it.").is_visible()
    assert not page.get_by_text("Reach the goal").is_visible()


def test_a_challenge_that_covers_nothing_is_named(book):
    book.write("index.md", "# B\n\n:::{challenge} Reach it\n:::\n").build()
    assert "'Reach it' covers nothing" in book.complaints


def test_elsewhere_it_leaves_no_trace(book):
    book.write("index.md", PAGE).build(builder="text")
    text = (book.out / "index.txt").read_text(encoding="utf-8")
    assert "You dragged it." in text
    assert "Reach the goal" not in text


HIDDEN_CODE_PAGE = """---
file_format: mystnb
kernelspec:
  name: python3
---

# A page

## A part

```{code-cell}
:tags: [hide-input]

first = 1
```

```{code-cell}
:tags: [hide-cell]

second = 2
```

```{code-cell}
:tags: [hide-cell]
:mystnb:
:  code_prompt_show: The numbers

third = 3
```

```{code-cell}
fourth = 4
```
"""
SWITCH = {"name": "Show hidden code"}


@pytest.fixture(scope="module")
def hidden_code_folder(tmp_path_factory):
    from books import Book

    book = Book(tmp_path_factory.mktemp("hidden"))
    book.write("index.md", HIDDEN_CODE_PAGE)
    book.build(html_theme="alabaster", nokernel_code_switch=True)
    return book.out


@pytest.fixture
def hidden_code_page(open_folder, hidden_code_folder):
    return open_folder(hidden_code_folder)


def seen(hidden_code_page):
    """What is seen of the cells: their code, and the lines of folds."""
    lines = hidden_code_page.locator(".cell pre, .cell summary").all()
    return [one.inner_text().strip() for one in lines if one.is_visible()]


HIDDEN = ["The numbers", "fourth = 4"]
SHOWN = ["first = 1", "second = 2", *HIDDEN]


def test_one_switch_shows_hidden_code_and_says_whether_it_does(hidden_code_page):
    switch = hidden_code_page.get_by_role("button", **SWITCH)
    assert hidden_code_page.get_by_text("2 cells", exact=True).is_visible()
    assert hidden_code_page.locator("h1 + .nk-code-switch").count() == 1
    for pressed, cells in (("false", HIDDEN), ("true", SHOWN), ("false", HIDDEN)):
        assert switch.get_attribute("aria-pressed") == pressed
        assert seen(hidden_code_page) == cells
        switch.press("Enter")
    assert hidden_code_page.said == []


def test_it_is_remembered(hidden_code_page):
    hidden_code_page.get_by_role("button", **SWITCH).click()
    hidden_code_page.reload()
    assert seen(hidden_code_page) == SHOWN
    assert (
        hidden_code_page.get_by_role("button", **SWITCH).get_attribute("aria-pressed")
        == "true"
    )
    hidden_code_page.get_by_role("button", **SWITCH).click()
    hidden_code_page.reload()
    assert seen(hidden_code_page) == HIDDEN


def test_a_cell_that_is_shown_runs(hidden_code_page):
    hidden_code_page.get_by_role("button", **SWITCH).click()
    assert hidden_code_page.get_by_role("button", name="Run cell 1").is_visible()


def test_without_javascript_each_has_its_fold(open_folder, hidden_code_folder):
    hidden_code_page = open_folder(hidden_code_folder, java_script_enabled=False)
    source, content = "Show code cell source", "Show code cell content"
    assert seen(hidden_code_page) == [source, content, *HIDDEN]
    hidden_code_page.locator("summary").first.click()
    assert "first = 1" in seen(hidden_code_page)
    assert not hidden_code_page.locator(".nk-code-switch").is_visible()


def test_a_book_that_does_not_ask_has_its_lines(book):
    html = book.write("index.md", HIDDEN_CODE_PAGE).build()
    assert "nk-code-switch" not in html
    assert "nk-hidden-code" not in html


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
