"""Pages as Markdown: what programs that read get of questions, folds and pictures."""

import pytest

from sphinx_nokernel.markdown import plain_latex, words_of

PAGE = """\
# Page

The `@` and $Q K$.

:::{predict} Twice as far?
- [ ] No.
  - Look again.
- [x] Yes.
  - The root of *four*.
:::

Covered words.

:::{admonition} A fold
:class: dropdown
Folded words.
:::

<figure role="img" aria-label="A line that rises."><svg><text>7</text></svg></figure>

<figure role="img" aria-label="It falls."><svg></svg></figure>

Seen <img src="a.png" alt="a cat"> here.

<script>const hidden = 1;</script>

$$
Q^2
$$
"""


@pytest.fixture
def copy(book):
    extensions = ["myst_nb", "sphinx_nokernel", "sphinx_llm_friendly"]
    book.write("index.md", PAGE).build(extensions=extensions)
    assert "WARNING" not in book.complaints
    return (book.out / "index.md").read_text(encoding="utf-8")


def test_a_question_is_a_list_of_its_choices_and_nothing_stays_covered(copy):
    assert "**Twice as far?**" in copy
    assert copy.index("* No.") < copy.index("Look again.") < copy.index("* Yes.")
    assert "The root of *four*." in copy
    assert "Covered words." in copy
    assert copy.index("**A fold**") < copy.index("Folded words.")


def test_a_picture_is_what_it_says_of_itself_and_scripts_are_not_there(copy):
    lines = ["Folded words.", "[Picture: A line that rises.]", "[Picture: It falls.]"]
    assert "\n\n".join([*lines, "Seen [Picture: a cat] here.", ""]) in copy
    assert "<svg" not in copy
    assert "const hidden" not in copy


def test_formulas_and_code_stay_as_they_were_written(copy):
    assert "The `@` and $Q K$." in copy
    assert "$$\nQ^2\n$$" in copy


def test_letters_lose_their_colors():
    colored = r"{\htmlClass{aw-query}{Q}}{\htmlClass{aw-key}{K}}^\top"
    assert plain_latex(colored) == r"QK^\top"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<b>7</b> of 9", "7 of 9"),
        ('<img src="a.png" alt="A cat">', "[Picture: A cat]"),
        ('<img src="a.png">', ""),
        ("<nav>Home</nav><style>p {}</style>", ""),
        ("</a>", ""),
    ],
)
def test_of_raw_html_the_words_are_left(html, words):
    assert words_of(html) == words
