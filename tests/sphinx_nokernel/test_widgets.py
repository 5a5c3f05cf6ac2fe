"""The parts of a widget's output that a page keeps, and warnings of widgets."""

import re

import ipywidgets as w
import pytest
from books import notebook

from sphinx_nokernel.pages import STATIC
from sphinx_nokernel.widget_models import LINKS, SCRIPTS
from sphinx_nokernel.widget_state import VIEW


def test_the_picture_stays_beside_the_view(book):
    forms = {"text/html": "<p>Still.</p>", "image/png": "aGVsbG8=", "text/plain": "a"}
    book.write("index.ipynb", notebook(w.IntSlider(), **forms))
    html = book.build()
    assert book.complaints == ""
    figure = html[html.index('class="nk-figure') :]
    assert figure.index("nk-still") < figure.index("Still.") < figure.index(VIEW)
    assert "require" not in html


def test_without_html_a_picture_is_kept(book):
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8A"
    book.write(
        "index.ipynb",
        notebook(w.IntSlider(), **{"image/png": png + "AAAASUVORK5CYII="}),
    )
    html = book.build()
    assert re.search(r"nk-still.*?<img [^>]*_images/", html, re.DOTALL)


@pytest.mark.parametrize(
    ("widget", "named"),
    [
        (w.VBox([w.IntSlider(), w.Password()]), ["Password"]),
        (w.VBox([w.IntSlider(), w.Checkbox()]), []),
    ],
)
def test_the_build_names_what_a_page_cannot_show(book, widget, named):
    book.write("index.ipynb", notebook(widget, **{"text/html": "<p>Still.</p>"}))
    html = book.build(nokernel_widgets="always")
    pattern = r"index.ipynb: WARNING: (\w+) cannot be shown without a kernel"
    assert re.findall(pattern, book.complaints) == named
    assert "Still." in html


def test_the_warning_can_be_silenced(book):
    book.write("index.ipynb", notebook(w.Password()))
    settings = {"suppress_warnings": ["nokernel.widget"]}
    book.build(nokernel_widgets="always", **settings)
    assert book.complaints == ""


def script(name):
    return (STATIC / "nokernel" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(SCRIPTS.keys() - {"widget-looks.js"}))
def test_python_and_javascript_agree_on_what_is_shown(name):
    (views,) = re.findall(r"const VIEWS = \{(.*?)\n  \};", script(name), re.DOTALL)
    assert {*re.findall(r"^    (\w+Model):", views, re.MULTILINE)} == SCRIPTS[name]


def test_python_and_javascript_agree_on_links():
    links = re.findall(r'model\.name === "(\w+)"', script("saved-models.js"))
    assert {*links} == LINKS


def test_a_page_loads_no_script_that_it_does_not_need(book):
    book.write("index.ipynb", notebook(w.IntSlider()))
    html = book.build()
    found = re.findall(r'src="_static/nokernel/([\w-]+\.js)', html)
    needed = ["saved-models", "widget-kit", "basic-widgets", "mount-widgets"]
    assert [name for name in found if re.search("widget|models", name)] == [
        f"{name}.js" for name in needed
    ]
    assert "more-widgets.css" not in html
