"""Widgets in other people's books: mounted where all can be, else left alone."""

import json
import re

import ipywidgets as w
import pytest
from books import Book, OtherBook, notebook

from sphinx_nokernel.widget_state import STATE, VIEW

pytestmark = pytest.mark.slow

SAVED = re.compile(rf'<script type="{re.escape(STATE)}">(.*?)</script>', re.DOTALL)


def state_of(html):
    (text,) = SAVED.findall(html)
    return json.loads(text)["state"]


def page(book, *widgets, **settings):
    book.write("index.ipynb", notebook(*widgets))
    return book.build(**settings)


def unknown():
    return w.VBox([w.IntSlider(), w.FileUpload()])


UNKNOWN = unknown()


def choosing(choice):
    """A page that cannot be mounted, and what it asks for itself."""
    made = json.loads(notebook(unknown()))
    made["metadata"]["nokernel"] = {"widgets": choice}
    return json.dumps(made)


def unsaved():
    made = json.loads(notebook(w.Checkbox()))
    del made["metadata"]["widgets"]
    return json.dumps(made)


def from_an_address():
    from small_pages import Probe

    root = Probe()
    ours = json.dumps(root._esm)[1:-1]
    return notebook(root).replace(ours, "https://example.org/a.js")


def following():
    """Two sliders, of which one moves nothing."""
    slider, other = w.IntSlider(description="x"), w.IntSlider(description="y")
    label = w.Label("7")
    w.jslink((other, "value"), (label, "value"))
    return notebook(w.VBox([slider, other, label]))


OTHERS = f"""Page
====

.. raw:: html

   <script type="{STATE}">{{"state": {{}}, "version_major": 2}}</script>
   <script type="{VIEW}">{{"model_id": "a1"}}</script>
"""
REQUIRES = "<script>require(['a'])</script>"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """One book with a page for each thing that is looked at below."""
    book = Book(tmp_path_factory.mktemp("widgets"))
    pages = {
        "unknown.ipynb": notebook(UNKNOWN),
        "known.ipynb": notebook(w.Checkbox()),
        "pictured.ipynb": notebook(unknown()).replace(
            '"text/plain": "a widget"', '"text/html": "S."'
        ),
        "requires.ipynb": notebook(w.Checkbox()).replace("# Widgets", REQUIRES),
        "never.ipynb": choosing(False),
        "always.ipynb": choosing("always"),
        "unsaved.ipynb": unsaved(),
        "address.ipynb": from_an_address(),
        "following.ipynb": following(),
        "others.rst": OTHERS,
    }
    for name, text in pages.items():
        book.write(name, text)
    names = "\n".join(name.partition(".")[0] for name in pages)
    book.write("index.md", f"# Book\n\n```{{toctree}}\n{names}\n```\n").build()
    return book


def test_data_of_others_stays_and_breaks_nothing(other):
    html = other.page("index")
    assert '<script type="application/ld+json">{"@type": "Book"}</script>' in html
    assert 'src="https://example.org/menu.json"' in html


def test_a_page_that_cannot_be_mounted_keeps_html_manager_and_all_state(built):
    html = built.page("unknown")
    assert "html-manager" in html
    assert "require.min.js" in html
    assert "mount-widgets" not in html
    names = {model["model_name"] for model in state_of(html).values()}
    assert {"FileUploadModel", "LayoutModel", "SliderStyleModel"} <= names
    assert UNKNOWN.model_id in state_of(html)
    assert "unknown.ipynb" not in built.complaints  # with -W this book builds as it did
    said = "unknown: FileUpload cannot be mounted; the page keeps html-manager"
    assert said in built.said


def test_other_pages_of_the_book_are_mounted(built):
    assert "mount-widgets" in built.page("known")
    assert "html-manager" not in built.page("known")


def test_the_switch_leaves_a_page_as_myst_nb_made_it(book):
    root = unknown()
    html = page(book, root, nokernel_widgets=False)
    plain = page(book, root, extensions=["myst_nb"], nb_merge_streams=True)
    assert SAVED.findall(html) == SAVED.findall(plain)
    views = rf'<script type="{re.escape(VIEW)}">.*?</script>'
    assert re.findall(views, html, re.DOTALL) == re.findall(views, plain, re.DOTALL)


def test_without_the_mount_there_is_no_still_picture_beside_the_view(built):
    html = built.page("pictured")
    assert VIEW in html
    assert "nk-still" not in html


def test_a_books_own_html_manager_stays(book):
    html = page(book, w.Checkbox(), nb_ipywidgets_js={"https://example.org/m.js": {}})
    assert "https://example.org/m.js" in html
    assert "mount-widgets" not in html


def test_require_stays_for_outputs_that_ask_for_it(built):
    html = built.page("requires")
    assert "mount-widgets" in html
    assert "require.min.js" in html
    assert "html-manager" not in html


def test_a_page_may_choose_for_itself(built):
    assert "mount-widgets" not in built.page("never")
    assert "mount-widgets" in built.page("always")


def test_widgets_without_saved_state_show_their_other_form(built):
    html = built.page("unsaved")
    assert VIEW not in html
    assert "a widget" in html.split("</code>")[-1] or html.count("a widget") == 2


def test_an_anywidget_from_an_address_keeps_html_manager(built):
    assert "mount-widgets" not in built.page("address")


def test_a_control_that_nothing_follows_is_named_in_the_log(built):
    assert "IntSlider x moves, and nothing follows it" in built.said
    assert "IntSlider y" not in built.said


def test_widgets_that_another_extension_puts_there_are_left_to_it(built):
    """As nbsphinx does: state and views in the text, its own html-manager."""
    html = built.page("others")
    assert '{"model_id": "a1"}' in html
    assert len(SAVED.findall(html)) == 1
    assert "mount-widgets" not in html
    assert (
        "others: its widgets have no state saved by myst-nb; left alone" in built.said
    )


# ── Other builders ──


def test_in_one_page_the_figures_of_all_pages_are_mounted(tmp_path):
    def two_pages(other):
        (other.source / "widgets.ipynb").write_text(notebook(w.Checkbox()), "utf-8")
        (other.source / "old.ipynb").write_text(notebook(w.IntSlider()), "utf-8")

    other = OtherBook(tmp_path, "singlehtml", before=two_pages)
    html = other.page("index")
    states = [json.loads(text)["state"] for text in SAVED.findall(html)]
    known = {name for state in states for name in state}
    views = re.findall(r'"model_id": "(\w+)"', html)
    assert len(views) == len(set(views)) == 2
    assert set(views) <= known
    assert "mount-widgets" in html
    assert "html-manager" not in html


def test_an_e_book_is_well_formed_and_has_nothing_that_runs(tmp_path):
    from xml.etree import ElementTree

    other = OtherBook(tmp_path, "epub")
    pages = [*other.out.rglob("*.xhtml")]
    assert len(pages) >= 5
    for path in pages:
        ElementTree.parse(path)
        assert "nokernel/" not in path.read_text(encoding="utf-8")
    assert "Four" in other.page("index")
    assert "a widget" in other.page("widgets")
