"""The launch buttons lead to the repository that was named, or are not there."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

sys.path.append(str(Path(__file__).resolve().parents[2] / "book" / "_ext"))
import launch


def header(repository, suffix=".ipynb", branch="main"):
    config = SimpleNamespace(launch_repository=repository, launch_branch=branch)
    context = {"header_buttons": [], "page_source_suffix": suffix}
    app = SimpleNamespace(config=config)
    launch._add_buttons(app, "book/03_scaling", "page.html", context, object())
    return context["header_buttons"]


def test_lead_to_the_lesson_in_that_repository():
    (group,) = header("someone/attention", branch="next")
    assert {button["text"]: button["url"] for button in group["buttons"]} == {
        "Binder": "https://mybinder.org/v2/gh/someone/attention/next"
        "?urlpath=lab/tree/book/03_scaling.ipynb",
        "Colab": "https://colab.research.google.com/github/someone/attention"
        "/blob/colab/book/03_scaling.ipynb",
    }


def test_absent_with_no_repository_named():
    assert header("") == []


def test_absent_on_pages_that_are_no_notebooks():
    assert header("someone/attention", suffix=".md") == []


@pytest.mark.parametrize(
    "name", ["someone", "https://github.com/a/b", "a/b/c", "a b/c"]
)
def test_a_name_of_another_form_is_refused(name):
    config = SimpleNamespace(launch_repository=name)
    with pytest.raises(ExtensionError, match="owner/name"):
        launch._check(None, config)
