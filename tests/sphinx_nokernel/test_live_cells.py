"""Outputs of a cell that runs in the page."""

import re

import outputs
import pytest


def test_streams_and_value_come_in_order(run):
    source = "import sys\nprint(1); print(2, file=sys.stderr)\ndisplay(3); 4"
    said = [("stdout", "1\n"), ("stderr", "2\n"), ("text", "3"), ("text", "4")]
    assert run(source) == (True, said)


@pytest.mark.parametrize("source", ["", "1;", "a = 1", "None", "# nothing"])
def test_nothing_to_show_shows_nothing(run, source):
    assert run(source) == (True, [])


def test_names_stay_from_cell_to_cell(run):
    run("a = 20")
    assert run("a + 1") == (True, [("text", "21")])
    assert run("_ + 1") == (True, [("text", "22")])


def test_waiting_at_the_top_level_works(run):
    assert run("import asyncio\nawait asyncio.sleep(0, 5)") == (True, [("text", "5")])


def test_figures_are_pictures_and_open_ones_are_shown(run):
    ok, said = run("import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])")
    assert ok
    assert [kind for kind, _ in said] == ["png"]
    assert run("1") == (True, [("text", "1")])


def test_long_containers_have_an_item_a_line():
    assert outputs.plain(["a" * 50, "b" * 50]).count("\n") == 1
    assert list(eval(outputs.plain({"z" * 50: 1, "a" * 50: 2}))) == ["z" * 50, "a" * 50]


def test_a_traceback_has_the_readers_frames_only(run):
    run("def f(a):\n    return g(a)\n\ndef g(a):\n    return 1 / a", "cell 1")
    ok, said = run(
        "import json\njson.loads('{', object_hook=f) if 0 else f(0)", "cell 2"
    )
    (kind, text), *_ = said
    assert (ok, kind) == (False, "error")
    places = re.findall(r'File "(.*?)", line (\d+)', text)
    assert places == [("cell 2", "2"), ("cell 1", "2"), ("cell 1", "5")]
    assert "    return 1 / a" in text
    assert text.endswith("ZeroDivisionError: division by zero")


def test_an_error_inside_a_library_ends_with_its_message(run):
    ok, said = run("import json\njson.loads('{')")
    assert not ok
    assert "JSONDecodeError" in said[0][1]
    assert ".py" not in said[0][1]


def test_a_syntax_error_points_at_its_place(run):
    ok, said = run("a = (\nb")
    assert not ok
    assert 'File "cell 1", line 1' in said[0][1]
    assert "cells.py" not in said[0][1]


@pytest.mark.parametrize("source", ["raise SystemExit(1)", "raise KeyboardInterrupt"])
def test_nothing_that_a_cell_raises_ends_python(run, source):
    assert run(source)[0] is False
    assert run("1") == (True, [("text", "1")])


def test_printing_without_end_is_cut(run):
    _, said = run("for _ in range(30_000): print('a line of text')")
    shown = "".join(text for _, text in said)
    assert len(shown) < outputs.MOST + 100
    assert shown.endswith("… more than a page can show\n")


def test_ipython_display_works(run):
    source = "from IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'), 1)"
    assert run(source) == (True, [("html", "<b>x</b>"), ("text", "1")])


def test_what_shows_itself_is_shown_once(run):
    source = (
        "class Verdict:\n"
        "    def _ipython_display_(self):\n"
        "        display({'text/html': '<p>no</p>', 'text/plain': 'no'}, raw=True)\n"
        "Verdict()"
    )
    assert run(source) == (True, [("html", "<p>no</p>")])
