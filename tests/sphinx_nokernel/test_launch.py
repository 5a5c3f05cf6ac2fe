"""The launch buttons lead to the repository that was named, or are not there."""

from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from sphinx_nokernel import launch


def header(repository, suffix=".ipynb", branch="main", binder_folder=""):
    config = SimpleNamespace(
        nokernel_repository=repository,
        nokernel_branch=branch,
        nokernel_colab_branch="colab",
        nokernel_binder_folder=binder_folder,
        nokernel_bundle_folder="book",
    )
    context = {"header_buttons": [], "page_source_suffix": suffix}
    page = SimpleNamespace(name="book/03_scaling", context=context, doctree=object())
    launch.add_launch_buttons(SimpleNamespace(config=config), page)
    return context["header_buttons"]


def test_lead_to_the_lesson_in_that_repository():
    (group,) = header("someone/attention", branch="next")
    assert {button["text"]: button["url"] for button in group["buttons"]} == {
        "Binder": "https://mybinder.org/v2/gh/someone/attention/next"
        "?urlpath=lab/tree/book/03_scaling.ipynb",
        "Colab": "https://colab.research.google.com/github/someone/attention"
        "/blob/colab/book/03_scaling.ipynb",
    }


def test_binder_opens_the_plain_copies_where_there_are_some():
    (group,) = header("someone/attention", binder_folder="lessons")
    urls = {button["text"]: button["url"] for button in group["buttons"]}
    assert urls["Binder"].endswith("?urlpath=lab/tree/lessons/03_scaling.ipynb")
    assert urls["Colab"].endswith("/book/03_scaling.ipynb")


def test_absent_with_no_repository_named():
    assert header("") == []


def test_absent_on_pages_that_are_no_notebooks():
    assert header("someone/attention", suffix=".md") == []


@pytest.mark.parametrize(
    "name", ["someone", "https://github.com/a/b", "a/b/c", "a b/c"]
)
def test_a_name_of_another_form_is_refused(name):
    config = SimpleNamespace(nokernel_repository=name)
    with pytest.raises(ExtensionError, match="owner/name"):
        launch.check_repository(None, config)
