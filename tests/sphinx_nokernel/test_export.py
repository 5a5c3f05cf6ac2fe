"""Copies for other readers: what each mark of MyST reads like in plain Markdown."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from sphinx_nokernel.export import Reader, plain_copies
from sphinx_nokernel.export.markdown import plain_text

QUIZ = """\
:::{quiz} Which two?
- [ ] Queries and `values`
  - They come in
    at the end.
- [x] Queries and keys
  - Yes.
:::"""
PLAIN_QUIZ = """\
**Which two?**

1. Queries and `values`
2. Queries and keys

<details>
<summary>Answer</summary>

1\\. Queries and `values`. They come in at the end.

2\\. ✓ **Queries and keys.** Yes.

</details>"""
BIB = """\
@misc{one, author = {Ada van den Berg}, title = {First}, year = 2001}
@misc{two, author = {A. Bee and C. Dee}, title = {The {SECOND}}, year = 2002}
@misc{three, author = {A. Bee and C. Dee and E. Eff}, title = {Third}, year = 2003}
"""


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "book.bib").write_text(BIB)
    (tmp_path / "numbers.txt").write_text("one\ntwo\nthree\nfour\n")
    reader = Reader.of({"bibtex_bibfiles": ["book.bib"]}, tmp_path)
    reader.folder, reader.page = tmp_path, tmp_path / "page.ipynb"
    reader.pages = {tmp_path / "words.md"}
    return reader


def test_a_quiz_is_a_list_with_a_folded_answer(reader):
    assert plain_text(QUIZ, reader) == PLAIN_QUIZ


def test_of_several_questions_each_has_a_number_that_its_answer_names(reader):
    predict = QUIZ.replace("{quiz}", "{predict}")
    text = plain_text(f"{QUIZ}\n\n{predict}\n\n{QUIZ}", reader)
    bold = [line for line in text.split("\n") if line.startswith("**")]
    assert bold == [
        "**Question 1. Which two?**",
        "**Predict: Which two?**",
        "**Question 2. Which two?**",
    ]
    folds = [line for line in text.split("\n") if line.startswith("<summary>")]
    assert folds == [
        "<summary>Answer to question 1</summary>",
        "<summary>Answer (make your guess first)</summary>",
        "<summary>Answer to question 2</summary>",
    ]


def test_there_is_room_between_a_fold_and_what_follows(reader):
    text = plain_text(f"{QUIZ}\n\nText.\n\n{QUIZ}\n\n## Next", reader)
    assert "</details>\n\n<br>\n\nText." in text
    assert "</details>\n\n## Next" in text
    assert text.count("<br>") == 1


def test_a_prediction_says_so_and_asks_for_a_guess(reader):
    text = plain_text(QUIZ.replace("{quiz}", "{predict}"), reader)
    assert text.startswith("**Predict: Which two?**\n\n1. Queries")
    assert "<summary>Answer (make your guess first)</summary>" in text


def test_where_any_choice_will_do_none_is_marked(reader):
    text = QUIZ.replace("[x]", "[ ]").replace("\n- ", "\n:any:\n- ", 1)
    text = plain_text(text.replace("{quiz}", "{predict}"), reader)
    assert "✓" not in text
    assert ":any:" not in text
    assert "Answer" not in text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (":::{note}\nText.\n\nMore.\n:::", "> **Note**\n>\n> Text.\n>\n> More."),
        (
            ":::{admonition} *How* `x`\n:class: dropdown posts\n\n$$a$$\n:::",
            "<details>\n<summary><em>How</em> <code>x</code></summary>\n\n$$a$$\n\n"
            "</details>",
        ),
        (":::{div} aw-meta\nLesson 1\n:::", "Lesson 1"),
        ("Before.\n\n:::{challenge} Try\n:::\n\nAfter.", "Before.\n\nAfter."),
        (":::{revealed}\n:::\nAfter.", "After."),
        (":::{solution-intro}\nOne way.\n:::", "One way."),
        (
            "```{code-cell} python3\n:tags: [no-live]\n\nx = {term}`y`\n```",
            "```python\nx = {term}`y`\n```",
        ),
        (
            "```{code-cell} python3\n:tags: [solution]\nx = 1\n```",
            "<details>\n<summary>Show a solution</summary>\n\n```python\nx = 1\n```"
            "\n\n</details>",
        ),
        ("(label)=\n## Title", "## Title"),
        (
            "```{literalinclude} numbers.txt\n:language: text\n:lines: 2-3\n```",
            "```text\ntwo\nthree\n```",
        ),
        (
            "::::{note}\nSee:\n:::{div} x\n{term}`keys <key>`\n:::\n::::",
            "> **Note**\n>\n> See:\n> keys",
        ),
        (
            ":::{list-table}\n:widths: 1\n* - a\n  - b|c\n* - d\n  - e\n    f\n:::",
            "| a | b\\|c |\n| --- | --- |\n| d | e f |",
        ),
        (
            ":::{glossary}\nkey\n  What is {term}`asked`.\n\nvalue\n  Other.\n:::",
            "**key**: What is asked.\n\n**value**: Other.",
        ),
        ("{cite:t}`one`", "van den Berg (2001)"),
        ("so {cite:p}`two, three`", "so (Bee and Dee, 2002; Bee et al., 2003)"),
        ("[red]{.red} and `code`{.python}", "red and `code`"),
        (
            "{doc}`the lesson <one>`, {ref}`here`, {math}`x^2`, {number}`6 <at=Q>`",
            "the lesson, here, $x^2$, 6",
        ),
        ("[a](words.md#b) [b](c.ipynb) [c](api.md)", "[a](words.ipynb) [b](c.ipynb) c"),
        ("[a](https://example.org) [b](a-label)", "[a](https://example.org) b"),
        ("```python\n{term}`x`\n:::\n```", "```python\n{term}`x`\n:::\n```"),
    ],
)
def test_reads_as_plain_markdown(reader, text, plain):
    assert plain_text(text, reader) == plain


@pytest.mark.parametrize(
    "text",
    [
        "`a[0]{.b}` and `{term}`x``",
        "`` {term}`key` `` is how one writes it, and `[a](b.md)` a link",
        "```{{raw}} no directive\n{term}`x`\n```",
        "~~~\n:::{note}\nshown\n:::\n~~~",
        "    {term}`x`, indented: code\n\n    [a](b.md)",
        "```python\na = 1\n\n\n\nb = 2   \n```",
        "$a[0]{.b}$ and $$\n[x]{.y}\n$$",
        r"\{term}`x` is escaped, and \[a\](b.md)",
        '<a href="b.md">{not a role}</a>',
    ],
)
def test_code_formulas_and_html_stay_to_the_letter(reader, text):
    assert plain_text(text, reader) == text.strip("\n")


@pytest.mark.parametrize(
    "text",
    [
        ":::{grid} 2\n:gutter: 1\n\n{term}`x` and [a](words.md)\n:::",
        "```{mermaid}\ngraph TD\n```",
        "::::{tab-set}\n:::{tab-item} One\nText.\n:::\n::::",
        "```{eval-rst}\n.. note:: x\n```",
        "{eval}`x + 1` and {index}`word`",
    ],
)
def test_what_is_not_known_is_kept_as_it_stands(reader, text):
    assert plain_text(text, reader) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("```{code-block} rust\nlet a = 1;\n```", "```rust\nlet a = 1;\n```"),
        ("````{code-block} md\n```\nx\n```\n````", "````md\n```\nx\n```\n````"),
        (":::{math}\n:label: one\n\na = b\n:::", "$$\na = b\n$$"),
        (
            ":::{figure} a.png\n:alt: A cat\n\nA *cat*, {term}`asleep`.\n:::",
            "![A cat](a.png)\n\nA *cat*, asleep.",
        ),
        (":::{image} a.png\n:::", "![](a.png)"),
        (":::{tip} Begin here.\nGo on.\n:::", "> **Tip**\n>\n> Begin here.\n> Go on."),
        (
            ":::{dropdown} More\nText.\n:::",
            "<details>\n<summary>More</summary>\n\nText.\n\n</details>",
        ),
        (
            "- a\n\n  :::{note}\n  Text.\n\n  More.\n  :::",
            "- a\n\n  > **Note**\n  >\n  > Text.\n  >\n  > More.",
        ),
        ("> {term}`two\n> lines`, [x]{.y}", "> two lines, x"),
        (
            "| a | b |\n| --- | --- |\n| {term}`x` | {term}`x` \\| y |",
            "| a | b |\n| --- | --- |\n| x | x \\| y |",
        ),
        ("# {term}`Title` #", "# Title #"),
        ("{term}`Title`\n===", "Title\n==="),
        ("term\n: {term}`x`\n", "term\n: x"),
        ("[^1]: See {term}`x`.", "[^1]: See x."),
        ("[{term}`x` and `y`](api.md)", "x and `y`"),
        ("H{sub}`2`O, {kbd}`Ctrl`", "H<sub>2</sub>O, <kbd>Ctrl</kbd>"),
        ("% a remark\nText.", "Text."),
        ("a\n\n+++\n\nb", "a\n\nb"),
        ("``{term}`x` ``{.b}", "``{term}`x` ``"),
        (
            ":::{note}\n---\nclass: dropdown\n---\nText.\n:::",
            "<details>\n<summary>Note</summary>\n\nText.\n\n</details>",
        ),
    ],
)
def test_reads_myst_as_its_own_parser_does(reader, text, plain):
    assert plain_text(text, reader) == plain


def test_links_are_whole_where_they_have_to_be(reader):
    reader.home = "https://example.org/book/"
    reader.page = reader.folder / "puzzles" / "one.ipynb"
    text = plain_text("[a](../01_x.ipynb) [b](../words.md)", reader)
    home = "https://example.org/book"
    assert text == f"[a]({home}/01_x.ipynb) [b]({home}/words.ipynb)"


def test_a_book_says_how_its_own_marks_read(tmp_path):
    names = {"nokernel_plain_roles": {"loud": "operator:concat"}}
    reader = Reader.of(names, tmp_path)
    reader.roles["loud"] = lambda text, reader: text.upper()
    assert plain_text("{loud}`x` y", reader) == "X y"
    with pytest.raises(ValueError, match=r"nokernel_plain_roles: .* got 'nowhere:x'"):
        Reader.of({"nokernel_plain_roles": {"loud": "nowhere:x"}}, tmp_path)


def test_an_unknown_key_is_named(reader):
    with pytest.raises(ValueError, match="'four'"):
        plain_text("{cite:t}`four`", reader)


@pytest.fixture
def copy(reader):
    """A function that writes a notebook and returns the cells of its copy."""

    def make(*cells, **settings):
        reader.settings |= settings
        nbformat.write(new_notebook(cells=list(cells)), reader.page)
        ((place, text),) = plain_copies(reader.folder, ["page.ipynb"], reader)
        assert str(place) == "page.ipynb"
        return nbformat.reads(text, as_version=4).cells

    return make


def code(source, *tags):
    said = [new_output("stream", text="said")]
    metadata = {"tags": list(tags)} if tags else {}
    return new_code_cell(source, outputs=said, execution_count=1, metadata=metadata)


def test_what_a_prediction_covers_gives_nothing_away(copy):
    predict = new_markdown_cell(QUIZ.replace("{quiz}", "{predict}"))
    cells = copy(
        code("a"),
        predict,
        code("b"),
        new_markdown_cell("Text."),
        code("c"),
        new_markdown_cell("## Next"),
        code("d"),
    )
    outputs = {one.source: bool(one.outputs) for one in cells if "outputs" in one}
    assert outputs == {"a": True, "b": False, "c": False, "d": True}


def test_a_text_of_which_nothing_is_left_goes(copy):
    challenge = new_markdown_cell(":::{challenge} Reach the goal\n:::")
    cells = copy(challenge, new_markdown_cell("Text."))
    assert [one.source for one in cells] == ["Text."]


def test_a_solution_is_a_fold_without_its_output(copy):
    (cell,) = copy(code("x = 1", "solution"))
    assert cell.source == (
        "<details>\n<summary>Show a solution</summary>\n\n"
        "```python\nx = 1\n```\n\n</details>"
    )


def test_a_solution_that_is_not_published_leaves_nothing(copy):
    intro = new_markdown_cell("Before.\n:::{solution-intro}\nHow.\n:::")
    cells = copy(code("x = 1", "solution"), intro, nokernel_solutions=False)
    assert [one.source for one in cells] == ["Before."]


def test_what_is_hidden_on_the_site_is_hidden(copy):
    cells = copy(code("a", "hide-input"), code("b", "hide-cell"), code("c"))
    hidden = [one.metadata.get("jupyter", {}) for one in cells]
    assert hidden == [
        {"source_hidden": True},
        {"source_hidden": True, "outputs_hidden": True},
        {},
    ]


def test_what_was_cited_is_listed_at_the_end(copy):
    cells = copy(new_markdown_cell("{cite:t}`two` {cite:p}`one`"))
    assert cells[-1].source.startswith("## References\n\n- A. Bee and C. Dee.")
    assert "The SECOND" in cells[-1].source
    assert cells[-1].source.count("\n- ") == 2


def test_texts_become_notebooks_unless_only_sphinx_can_read_them(reader):
    folder = reader.folder / "pages"
    (folder / ".hidden").mkdir(parents=True)
    for name, text in {
        "words.md": "---\ntitle: x\n---\n# Words",
        "api.md": "```{eval-rst}\n```",
        ".hidden/other.md": "# Other",
    }.items():
        (folder / name).write_text(text)
    ((place, text),) = plain_copies(folder, ["**/*.md"], reader)
    assert str(place) == "words.ipynb"
    assert nbformat.reads(text, as_version=4).cells[0].source == "# Words"
