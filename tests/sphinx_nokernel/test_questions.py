"""Quizzes and predictions: what they make of a list, and what they refuse."""

import re
import zipfile
from textwrap import indent

import nbformat
import pytest
from books import Book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from sphinx_nokernel.solutions import without_solutions

GOOD = """
:::{quiz} Which of $q$ and $v$ asks?
- [ ] the value
  - It is handed over.
- [x] the *query*
  - Yes.

  - Twice.
:::
"""
NAME = "quiz-which-of-q-and-v-asks"


UNANSWERABLE = [
    (GOOD.replace("[x]", "[ ]"), "0 marked"),
    (GOOD.replace("[ ]", "[x]"), "2 marked"),
    (GOOD.replace("  - It is handed over.\n", ""), "has no feedback"),
    (GOOD.replace("[ ]", "( )"), "starts with"),
    (":::{quiz} One?\n- [x] yes\n  - Yes.\n:::\n", "got 1 choices"),
    (":::{quiz} None?\n:::\n", "got 0 choices"),
]
SAYS_SO = "- [x] a\n  - Yes. Alive.\n- [ ] b\n  - No.\n- [ ] c\n  - Here it is."
SAYS_SO = f":::{{quiz}} Who?\n{SAYS_SO}\n:::\n"
ASK = """
:::{predict} Which word?
- [ ] food
  - Not alive.
- [x] dog
  - Alive.
:::
"""
ANY = ASK.replace("word?", "word?\n:any:").replace("[x]", "[ ]")
UP_TO_A_HEADING = f"Before.\n{ASK}\nOne.\n\nTwo.\n\n## Next\n\nAfter."
ENDED = {end: f"{ASK}\nOne.\n\n{end}\nTwo." for end in (ASK, ":::{revealed}\n:::\n")}
NAMED = ASK.replace("word?", "word?\n:name: it") + "\nOne."
IMPOSSIBLE = [
    (ASK, "covers nothing"),
    (f"{ASK}\n## Next\n\nOne.", "covers nothing"),
    (f"{ASK}\n% a comment\n", "covers nothing"),
    (f"::::{{note}}\n{ASK}\nOne.\n::::", "stands inside of something else"),
    (ANY.replace("[ ] dog", "[x] dog") + "\nOne.", "none of them marked [x]"),
    (ASK.replace("[x]", "[ ]") + "\nOne.", "0 marked"),
]
TEXTS = [GOOD, GOOD + GOOD, SAYS_SO, UP_TO_A_HEADING, *ENDED.values(), NAMED]
TEXTS += [f"{ANY}\nOne.", *(text for text, _ in UNANSWERABLE + IMPOSSIBLE)]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A function: the page that one build of all texts made of one, and complaints."""
    book = Book(tmp_path_factory.mktemp("questions"))
    names = {text: f"page-{i}-" for i, text in enumerate(TEXTS)}
    for text, name in names.items():
        book.write(f"{name}.md", f"# Page\n\n{text}")
    listed = "\n".join(names.values())
    book.write("index.md", f"# Book\n\n```{{toctree}}\n{listed}\n```\n").build()
    complaints = re.split(r"\n(?=/)", book.complaints)
    assert all(re.search(r"/page-\d+-\.md", one) for one in complaints)

    def of(text):
        said = [one for one in complaints if f"/{names[text]}.md" in one]
        return book.page(names[text]), "\n".join(said)

    return of


def test_question_becomes_a_group_of_radio_buttons(built):
    html, complaints = built(GOOD)
    assert complaints == ""
    assert html.count(f'<input type="radio" name="{NAME}"') == 2
    assert f'<label for="{NAME}-2">the <em>query</em></label>' in html
    assert html.count("nk-choice nk-right") == 1
    assert html.count("nk-choice nk-wrong") == 1
    assert "[x]" not in html
    assert html.index("<fieldset") < html.index("<legend>") < html.index("asks?")
    feedback = html.split("nk-feedback")[2]
    assert "Yes." in feedback
    assert "Twice." in feedback


def test_each_question_has_a_name_of_its_own(built):
    html, _ = built(GOOD + GOOD)
    assert html.count(f'name="{NAME}"') == html.count(f'name="{NAME}-2"') == 2


@pytest.mark.parametrize(("text", "complaint"), UNANSWERABLE)
def test_a_quiz_that_cannot_be_answered_fails_the_build(built, text, complaint):
    _, complaints = built(text)
    assert "ERROR" in complaints
    assert complaint in complaints


# ── Predictions ──


def covered(html):
    """What each prediction of a page covers, as text without tags, in order."""
    parts = re.findall(
        r'<div class="nk-covered" data-by="([^"]*)">(.*?)</div>', html, re.S
    )
    return [(by, " ".join(re.sub("<[^>]+>", "", text).split())) for by, text in parts]


def test_a_prediction_covers_what_follows_up_to_the_next_heading(built):
    html, complaints = built(UP_TO_A_HEADING)
    assert complaints == ""
    assert covered(html) == [("predict-which-word", "One. Two.")]
    assert '<fieldset class="nk-question nk-predict" id="predict-which-word">' in html


@pytest.mark.parametrize("end", ENDED)
def test_it_ends_at_the_next_one_and_where_it_is_told_to(built, end):
    html, complaints = built(ENDED[end])
    assert complaints == ""
    others = [("predict-which-word-2", "Two.")] if end == ASK else []
    assert covered(html) == [("predict-which-word", "One."), *others]


def test_a_name_given_is_kept(built):
    html, _ = built(NAMED)
    assert covered(html) == [("it", "One.")]
    assert 'name="it" id="it-2"' in html


def test_with_any_no_choice_is_right_or_wrong(built):
    html, complaints = built(f"{ANY}\nOne.")
    assert complaints == ""
    assert html.count('<div class="nk-choice">') == 2


@pytest.mark.parametrize(("text", "complaint"), IMPOSSIBLE)
def test_a_prediction_that_cannot_be_made_is_complained_of(built, text, complaint):
    _, complaints = built(text)
    assert complaint in complaints


def test_other_builders_get_lists_without_the_answer(book):
    book.write("index.md", f"# Page\n{GOOD}{ASK}\nOne.").build("text")
    assert book.complaints == ""
    text = (book.out / "index.txt").read_text(encoding="utf-8")
    assert all(word in text for word in ("**Which word?**", "* food", "Alive.", "One."))
    assert "[x]" not in text


def test_a_yes_stands_apart_for_those_who_made_the_choice(built):
    html, _ = built(SAYS_SO)
    assert html.count('<span class="nk-greeting">Yes. </span>Alive.') == 1
    assert html.count("nk-greeting") == 1


# With `nokernel_solutions = False` no line of a solution is published anywhere.

INTRO = "Text before.\n\n:::{solution-intro}\nintroducesblock\n:::\n\nText after."
CELLS = [
    new_markdown_cell("# Page\n\nThe task."),
    new_code_cell("starter = 1", id="starter", metadata={"tags": ["no-live"]}),
    new_markdown_cell("introducescell", metadata={"tags": ["solution-intro"]}),
    new_code_cell(
        "secretcode = 12345 * 6\nprint(secretcode)",
        id="secret",
        metadata={"tags": ["solution", "no-live"]},
    ),
    new_markdown_cell("secretwords", metadata={"tags": ["solution"]}),
    new_markdown_cell(INTRO),
    new_code_cell("starter + 1", id="last"),
]
TEXT = f"""---
orphan: true
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
# Text

{INTRO}

```{{code-cell}} python3
:tags: [solution]

secretcell = 7 * 8
```

```{{code-cell}} python3
kept = 2
```
"""
# What is only in solutions and their introductions; 74070 is what the solution prints.
SECRETS = ("secret", "introduces", "74070")


@pytest.fixture
def exercises(book):
    """A book with solutions, in a notebook and in a text."""
    notebook = new_notebook(cells=CELLS)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    book.write("index.ipynb", nbformat.writes(notebook))
    book.write("text.md", TEXT)
    return book


def solutions_build(book, solutions):
    return book.build(
        nb_execution_mode="cache",
        nb_execution_cache_path=str(book.folder / "cache"),
        nokernel_solutions=solutions,
        nokernel_bundle="exercises",
        nokernel_bundle_files=["*.ipynb", "*.md"],
    )


def published(book):
    """Yield all that the site holds, zips opened: where it is, and its bytes."""
    for path in book.out.rglob("*"):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path.name}/{name}", archive.read(name)
        elif path.is_file():
            yield path.relative_to(book.out).as_posix(), path.read_bytes()


def leaks(book):
    return {
        (place, secret)
        for place, data in published(book)
        for secret in SECRETS
        if secret.encode() in data.lower()
    }


@pytest.mark.slow
def test_nothing_of_a_solution_is_published_also_over_an_earlier_build(exercises):
    html = solutions_build(exercises, solutions=True)
    assert html.count('<details class="nk-solution">') == 1
    assert html.count('<details class="admonition nk-solution">') == 1
    assert exercises.complaints == ""
    assert "<p>introducesblock</p>" in html
    assert {
        "index.html",
        "searchindex.js",
        "notebooks.zip/exercises-notebooks/text.ipynb",
    } <= {place for place, _ in leaks(exercises)}
    html = solutions_build(exercises, solutions=False)
    assert exercises.complaints == ""
    assert leaks(exercises) == set()
    for kept in ("The task.", "Text before.", "Text after.", "starter"):
        assert kept in html
    assert 'id="cell-last"' in html
    assert "kept" in exercises.page("text")


@pytest.mark.slow
def test_the_rest_of_a_notebook_stays_as_it_is():
    left = nbformat.reads(
        without_solutions(nbformat.writes(new_notebook(cells=CELLS)), ".ipynb"), 4
    )
    nbformat.validate(left)
    assert [cell.id for cell in left.cells if cell.cell_type == "code"] == [
        "starter",
        "last",
    ]
    assert left.cells[-2].source == "Text before.\n\n\nText after."


HOW = ":::{solution-intro}\nHow.\n:::"
EXAMPLE = f"```python\n{HOW}\n```"
LIKE = "````{note}\n```{code-cell}\n:tags: [solution-like]\nx\n```\n````"
BLOCK = f"::::{{note}}\nBefore.\n{HOW}\n::::"
LEFT = {  # a text, and what is left of it without its solutions
    "an example": (EXAMPLE, EXAMPLE),
    "a tag like it": (LIKE, LIKE),
    "never closed": (f"Before.\n\n{HOW[:-4]}", "Before.\n"),
    "in another block": (BLOCK, "::::{note}\nBefore.\n::::"),
    "in a list": ("- one\n\n" + indent(HOW, "  "), "- one\n"),
    "in a quote": (indent(HOW, "> "), ""),
}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "left"), LEFT.values(), ids=LEFT)
def test_solutions_go_and_all_else_stays(text, left):
    assert without_solutions(text, ".md") == left


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ":tags: [no-live, solution]",
        ":tags: solution",
        ":tags: no-live,solution",
        "---\ntags:\n  - solution\n---",
    ],
)
def test_a_solution_is_found_however_its_tags_are_written(options):
    text = f"Before.\n\n```{{code-cell}} python3\n{options}\nx = 1\n```\n\nAfter."
    assert without_solutions(text, ".md") == "Before.\n\n\nAfter."
