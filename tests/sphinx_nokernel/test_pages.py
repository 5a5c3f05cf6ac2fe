"""Parts of pages: numbers of cells, launch buttons, sizes, Markdown copies."""

from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from sphinx_nokernel import bundles, launch
from sphinx_nokernel.lines import TAG, hang_lines
from sphinx_nokernel.markdown import plain_latex, words_of

PAGE = """# A page

The weight is {number}`0.95 <at=A.1>`, and it was {number}`7 <at=nowhere>`.

<script>
window.heard = [];
const mounted = () => document.dispatchEvent(new CustomEvent("nk:mounted"));
addEventListener("DOMContentLoaded", mounted);
document.addEventListener("nk:number", (event) => {
  const { place, how, spoken } = event.detail;
  if (place !== "at=A.1") return;
  event.preventDefault();
  heard.push(how + (spoken ? ", spoken" : ""));
});
</script>
"""


@pytest.fixture(scope="module")
def numbered(tmp_path_factory):
    from books import Book

    return Book(tmp_path_factory.mktemp("numbers")).write("index.md", PAGE)


def test_a_number_that_a_figure_knows_is_a_button_and_says_what_happens(
    numbered, open_folder
):
    numbered.build()
    page = open_folder(numbered.out)
    numbers = page.locator(".nk-number")
    assert numbers.all_inner_texts() == ["0.95", "7"]
    assert [one.get_attribute("role") for one in numbers.all()] == ["button", None]
    known = numbers.first
    for act, sent in (
        (lambda: known.focus(), ["ask", "peek, spoken"]),
        (lambda: page.keyboard.press("Enter"), ["go"]),
        (lambda: known.hover(), ["peek"]),
        (lambda: page.mouse.move(0, 500), []),  # it still has the focus
        (lambda: known.evaluate("one => one.blur()"), ["leave"]),
        (lambda: known.click(), ["peek", "go"]),
    ):
        act()
        assert page.evaluate("heard.splice(0)") == sent
    assert page.said == []


def test_elsewhere_it_is_text(numbered):
    numbered.build("text")
    text = (numbered.out / "index.txt").read_text()
    assert "The weight is 0.95, and it was 7." in text
    assert numbered.complaints == ""


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


def write(folder, name, lines=(), files=()):
    """Lay down an installed distribution of files with these sizes."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    meta = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *lines]
    (info / "METADATA").write_text("\n".join(meta) + "\n")
    for place, size in files:
        (folder / place).parent.mkdir(exist_ok=True)
        with open(folder / place, "wb") as file:
            file.truncate(size)
    record = [f"{place},,{size}" for place, size in files]
    (info / "RECORD").write_text("\n".join(record) + "\n")


@pytest.fixture
def there(tmp_path, monkeypatch):
    write(
        tmp_path,
        "made_top",
        [
            "Requires-Dist: made-below",
            "Requires-Dist: made-extra; extra == 'more'",
            "Requires-Dist: made-never; python_version < '3'",
        ],
        [("top/a.py", 10_000_000), ("top/a.pyc", 99_000_000), ("top/b.so", 20_000_000)],
    )
    back = ["Requires-Dist: made-top"]  # in a circle
    write(tmp_path, "made_below", back, [("below.so", 40_000_000)])
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_all_that_is_needed_is_counted_once_and_compiled(there):
    # 10 of code, 13 compiled from it, and 20 and 40 of libraries
    assert bundles.size_in_words(["made-top", "made_below"]) == "about 80 MB"


def test_what_is_not_there_is_not_counted_and_that_is_said(there):
    assert bundles.size_in_words(["made-top[more]"]).startswith("more than ")
    write(there, "made_extra", [], [("extra.so", 100_000_000)])
    assert bundles.size_in_words(["made-top[more]"]) == "about 180 MB"


MARKDOWN_PAGE = """\
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
    book.write("index.md", MARKDOWN_PAGE).build(extensions=extensions)
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


def test_lines_of_code_know_their_indentation_and_keep_their_text():
    code = "<span></span><b>for</b> n in x:\n\n<i>    </i><b>print</b>(n)\n"
    pre = f'<div class="highlight"><pre>{code}</pre></div>'
    output = f'<div class="output highlight-none">{pre}</div>'
    body = f'<div class="highlight-ipython3 notranslate">{pre}</div>{output}'
    page = SimpleNamespace(context={"body": body}, body=body)
    hang_lines(None, page)
    hung = page.context["body"]
    assert TAG.sub("", hung) == TAG.sub("", body)
    assert hung.count('<span class="nk-line"') == 2
    assert hung.count('style="--nk-indent:4ch"><i>    </i><b>print') == 1
    assert hung.endswith(output)
