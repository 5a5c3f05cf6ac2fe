"""The quiz directive: what it makes of a list, and what it refuses."""

import io
import sys
from pathlib import Path

import pytest
from sphinx.application import Sphinx

EXTENSIONS = Path(__file__).resolve().parents[2] / "book" / "_ext"
GOOD = """
:::{quiz} Which of $q$ and $v$ asks?
- [ ] the value
  - It is handed over.
- [x] the *query*
  - Yes.

  - Twice.
:::
"""


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function that builds one page; returns its HTML and all complaints."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    monkeypatch.setitem(sys.modules, "quiz", None)
    del sys.modules["quiz"]

    def run(text):
        source = tmp_path / "source"
        source.mkdir()
        (source / "index.md").write_text(f"# Page\n{text}")
        complaints = io.StringIO()
        settings = {
            "extensions": ["myst_parser", "quiz"],
            "myst_enable_extensions": ["colon_fence", "dollarmath"],
            "html_theme": "basic",
        }
        places = (source, None, tmp_path / "out", tmp_path / "trees", "html")
        app = Sphinx(*places, settings, status=None, warning=complaints)
        app.build()
        return (tmp_path / "out" / "index.html").read_text(), complaints.getvalue()

    return run


def test_question_becomes_a_group_of_radio_buttons(build):
    html, complaints = build(GOOD)
    assert complaints == ""
    assert html.count('<input type="radio" name="quiz-1"') == 2
    assert '<label for="quiz-1-2">the <em>query</em></label>' in html
    assert html.count("aw-choice aw-right") == 1
    assert html.count("aw-choice aw-wrong") == 1
    assert "[x]" not in html
    assert html.index("<fieldset") < html.index("<legend>") < html.index("asks?")


def test_feedback_may_have_several_paragraphs(build):
    html, _ = build(GOOD)
    feedback = html.split("aw-feedback")[2]
    assert "Yes." in feedback
    assert "Twice." in feedback


def test_each_question_has_a_name_of_its_own(build):
    html, _ = build(GOOD + GOOD)
    assert html.count('name="quiz-1"') == html.count('name="quiz-2"') == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("[x]", "[ ]"), "0 marked"),
        (GOOD.replace("[ ]", "[x]"), "2 marked"),
        (GOOD.replace("  - It is handed over.\n", ""), "has no feedback"),
        (GOOD.replace("[ ]", "( )"), "starts with"),
        (":::{quiz} One?\n- [x] yes\n  - Yes.\n:::\n", "got 1 choices"),
        (":::{quiz} None?\n:::\n", "got 0 choices"),
    ],
)
def test_a_quiz_that_cannot_be_answered_fails_the_build(build, text, complaint):
    _, complaints = build(text)
    assert "ERROR" in complaints
    assert complaint in complaints
