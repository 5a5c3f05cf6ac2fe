"""Code of notebooks that is no plain Python: done, or named as impossible."""

import ast
import sys

import outputs
import pytest
from magics import as_python

CANNOT = "{}: not run; it needs {}, and this is a page.\n"


@pytest.mark.parametrize(
    "source",
    ["x = 7\n%matplotlib inline\nx", "!pip install x\n7", "%load_ext autoreload\n7"],
)
def test_what_a_page_has_no_use_for_is_left_out(run, source):
    assert run(source) == (True, [("text", "7")])


@pytest.mark.parametrize(
    ("source", "command", "need"),
    [
        ("%%bash\necho $HOME && ls", "%%bash", "a notebook"),
        ("!ls -l", "!ls -l", "a shell"),
        ("x = !ls\nassert x == []", "!ls", "a shell"),
        ("if True:\n    !ls", "!ls", "a shell"),
        ("%store x", "%store x", "a notebook"),
        ("get_ipython().system('ls')", "!ls", "a shell"),
    ],
)
def test_what_cannot_run_says_so_by_name(run, source, command, need):
    source = "from IPython import get_ipython\n" * ("get_" in source) + source
    assert run(source) == (True, [("stdout", CANNOT.format(command, need))])


@pytest.mark.parametrize("source", ["?len", "len?", "len??", "?str.join"])
def test_a_question_mark_asks_for_the_docstring(run, source):
    ok, [(kind, text)] = run(source)
    assert (ok, kind) == (True, "stdout")
    assert "Return" in text or "Concatenate" in text


@pytest.mark.slow
@pytest.mark.parametrize("source", ["%timeit -n 5 1 + 1", "%%timeit\nx = 1\nx + 1"])
def test_timeit_says_how_long_it_takes(run, source):
    ok, [(_, text)] = run(source)
    assert ok
    assert "per loop" in text


def test_time_keeps_the_value(run):
    ok, said = run("%%time\nx = 3\nx")
    assert ok
    assert said[0] == ("text", "3")
    assert said[1][1].startswith("Wall time: ")
    assert run("x") == (True, [("text", "3")])


def test_capture_is_quiet_until_the_cell_ends(run):
    assert run("%%capture\nprint(1)\n2") == (True, [])
    assert run("3") == (True, [("text", "3")])


def test_a_cell_of_html_is_shown_as_html(run):
    assert run("%%html\n<b>x</b>") == (True, [("html", "<b>x</b>")])


def test_a_cell_writes_a_file_for_the_next(run, tmp_path):
    path = tmp_path / "a.txt"
    assert run(f"%%writefile {path}\none\ntwo")[0]
    assert path.read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    "source",
    [
        "text = '''\n%d of %d\n!x\n'''",
        "x = (10\n% 3)",
        "print('a?')",
        "# why?\n1",
    ],
)
def test_what_is_python_stays_as_it_is(source):
    assert as_python(source) == source


@pytest.mark.parametrize(
    "source", ["%%timeit\nx", "%%bash\nls\nls", "a = 1\n%cd x\n?a", "\n%%time\n1"]
)
def test_line_numbers_stay(source):
    made = as_python(source)
    ast.parse(made)
    assert made.count("\n") in (source.count("\n"), source.count("\n") + 1)


# ── What is shown ──


class Drawing:
    def _repr_svg_(self):
        return "<svg></svg>"


class Formula:
    def _repr_latex_(self):
        return "$x$"


class Picture:
    def _repr_png_(self):
        return b"hello"


class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": "b", "image/svg+xml": "<svg/>"}, {}


class Table:
    def _repr_html_(self):
        return "<table></table>"


class Nothing:
    def _repr_html_(self):
        return None

    def __repr__(self):
        return "plain"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Drawing(), ("html", "<svg></svg>")),
        (Formula(), ("latex", "$x$")),
        (Picture(), ("png", "aGVsbG8=")),
        (Bundle(), ("html", "<svg/>")),
        (Nothing(), ("text", "plain")),
        (Table(), ("html", "<table></table>")),
        ([1], ("text", "[1]")),
    ],
)
def test_a_value_is_shown_in_its_richest_form(value, shown):
    assert outputs.rich(value) == shown


def test_a_class_is_text_whatever_its_values_are():
    assert outputs.rich(Table)[0] == "text"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("Markdown('*a*')", ("text", "*a*")),
        ("Latex('$x$')", ("latex", "$x$")),
        ("Math('x')", ("latex", "$\\displaystyle x$")),
        ("SVG('<svg/>')", ("html", "<svg/>")),
        ("JSON({'a': 1})", ("text", '{\n  "a": 1\n}')),
        ("IFrame('https://a.org', 9, 8)", None),
        ("Image(data=b'x', width=9)", None),
    ],
)
def test_ipython_display_has_what_notebooks_use(run, code, shown):
    name = code.partition("(")[0]
    ok, [said] = run(f"from IPython.display import {name}\n{code}")
    assert ok
    assert said == shown or said[0] == "html"


def test_what_it_lacks_says_so_by_name(run):
    ok, [(kind, text)] = run("from IPython.display import Audio\nAudio([0])")
    assert (ok, kind) == (False, "error")
    assert "IPython.display.Audio does not work in a page" in text


def test_a_form_that_no_page_can_show_is_named(run):
    source = "from IPython.display import display\ndisplay({'a/b': 1}, raw=True)"
    said = [("text", "<no form that a page can show: a/b>")]
    assert run(source) == (True, said)


def test_output_can_be_cleared(run):
    source = "from IPython.display import clear_output\nprint(1)\nclear_output(True)\n2"
    assert run(source) == (True, [("stdout", "1\n"), ("clear", ""), ("text", "2")])


def test_a_missing_package_is_named_and_where_it_was_looked_for(run):
    ok, [(_, text)] = run("import a_package_that_is_not.there")
    assert not ok
    assert "(a_package_that_is_not is neither among the packages of Pyodide" in text


SHOW = """import matplotlib.pyplot as plt
plt.switch_backend("module://page_backend")
plt.plot([1, 2])
{}
print("after")"""


@pytest.mark.parametrize("call", ["plt.show()", "plt.gcf().show(); plt.close()"])
def test_show_puts_the_picture_where_it_is_called_and_says_nothing(run, call):
    import matplotlib as mpl

    before = mpl.get_backend()
    try:
        ok, said = run(SHOW.format(call))
    finally:
        mpl.use(before)
    assert ok
    assert [kind for kind, _ in said] == ["png", "stdout"]


def test_input_says_what_to_do():
    import notebook

    with pytest.raises(RuntimeError, match="write the answer into the code"):
        notebook.no_input("Name? ")
    assert "notebook" in sys.modules
