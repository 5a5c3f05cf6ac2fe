"""Terms, the strip and claims on the pages of a small book."""

import re

import pytest
from books import Book
from sphinx.errors import ExtensionError

from attncourse import site
from attncourse.site import few_letters, files, icons
from attncourse.site.strip import miniature

pytestmark = pytest.mark.slow

GLOSSARY = """# Glossary

| Here | Shape |
| --- | --- |
| `query` | (n_queries, d_k) |

```{glossary}
hull
  SHAPE_OF_HULL. And more.
```
"""
LESSON = """# Lesson

The hull of `query` and the hull again. {claim}`post1-x`

:::{quiz} What is a hull?
- [x] one
  - A hull.
- [ ] two
  - No hull.
:::
"""
CLAIMS = """[[claim]]
id = "post1-x"
post = 1
says = "This"
verdict = "unverifiable"
"""
STAGES = [{"name": "X", "lesson": "l/01_a"}, {"name": "Q K V", "lesson": "l/02_b"}]
SETTINGS = {
    "extensions": ["myst_nb", "sphinx_nokernel", "attncourse.site"],
    "attncourse_glossary": "glossary",
    "attncourse_lessons": r"l/\d\d_",
    "attncourse_claims": "claims.toml",
    "attncourse_sources": "sources",
    "attncourse_stages": STAGES,
    "attncourse_strip": {"l/01_a": "X", "l/02_b": ["Q K V"]},
    "html_theme": "basic",
    "templates_path": [],
    "suppress_warnings": ["config.cache"],
}


def write(folder):
    """A book with a glossary, two lessons, claims and a strip with titles."""
    book = Book(folder)
    toc = "```{toctree}\nglossary\nsources\nl/01_a\nl/02_b\n```\n"
    book.write("index.md", f"# Book\n\n:::{{strip}}\n:::\n\n{toc}")
    book.write("glossary.md", GLOSSARY.replace("SHAPE_OF_HULL", "The first"))
    book.write("sources.md", "# Sources\n\n(post1-x)=\nA row.")
    book.write("l/01_a.md", LESSON).write("l/02_b.md", LESSON.replace("Lesson", "Next"))
    return book.write("claims.toml", CLAIMS)


NOT_WRITTEN = {site: "_serve", icons: "write", few_letters: "_finish"}
NOT_WRITTEN |= {files: "_write_vectors"}


def build(course, **settings):
    """Build it with another theme than the site's, whose templates are not served.

    Nor is written what no page of it shows: icons, test vectors, shorter scripts.
    """
    with pytest.MonkeyPatch.context() as patch:
        for place, name in NOT_WRITTEN.items():
            patch.setattr(place, name, lambda *_: None)
        course.build(**{**SETTINGS, **settings})
    return course


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    course = build(write(tmp_path_factory.mktemp("course")))
    assert course.complaints == ""
    return course


def test_the_first_use_of_a_term_is_a_link_with_a_tooltip(built):
    html = built.page("l/01_a")
    terms = re.findall(r'<a class="aw-term" href="([^"]+)" data-tip="([^"]+)"', html)
    assert terms == [
        ("../glossary.html#term-hull", "The first. And more."),
        ("../glossary.html#symbol-query", "Shape (n_queries, d_k)"),
    ]


def test_the_strip_says_where_a_lesson_is(built):
    html = built.page("l/01_a")
    (strip,) = re.findall(r'<nav class="aw-strip".*?</nav>', html, re.DOTALL)
    (here,) = re.findall(r'<a href="([^"]*)" aria-current="step">(.*?)</a>', strip)
    assert here[0] == "#"
    assert re.fullmatch(r"<svg aria-hidden=\"true\".*</svg><span>X</span>", here[1])
    assert '<a href="02_b.html">' in strip
    assert html.index("</h1>") < html.index(strip) < html.index("The <a")


def test_the_strip_leads_to_the_lessons_stage_of_the_machine(tmp_path):
    course = write(tmp_path).write("machine.md", "# The machine")
    toc = "```{toctree}\nglossary\nsources\nmachine\nl/01_a\nl/02_b\nl/09_c\n```\n"
    course.write("index.md", f"# Book\n\n{toc}").write("l/09_c.md", LESSON)
    strips = {"l/01_a": "X", "l/02_b": ["Q K V"], "l/09_c": ["Q K V"]}
    build(course, attncourse_machine="machine", attncourse_strip=strips)
    assert course.complaints == ""
    for page, expected in (
        ("l/01_a", ["stage=2&amp;at=X.4.4", "stage=2"]),
        ("l/09_c", ["stage=2&amp;at=X.4.4", "stage=9"]),
    ):
        (strip,) = re.findall(r'<nav class="aw-strip".*?</nav>', course.page(page))
        assert re.findall(r'href="../machine.html\?([^"]*)"', strip) == expected


def test_a_miniature_has_its_matrix_cell_by_cell():
    weights, three = miniature("weights"), miniature("Q K V")
    told = {
        float(o): d.count("M") for o, d in re.findall(r'ty="(.*?)" d="(.*?)"', weights)
    }
    assert told == {0.13: 1, 0.2: 20, 0.9: 1}
    roles = re.findall(r'class="aw-mini-(\w+)"', three)
    assert roles == ["query", "key", "value"]
    assert miniature("a stage of another book") == ""


def test_the_landing_page_has_it_with_titles(built):
    html = built.page("index")
    (path,) = re.findall(r'<ol class="aw-strip aw-path">.*?</ol>', html, re.DOTALL)
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', path)
    assert links == [("l/01_a.html", "Lesson"), ("l/02_b.html", "Next")]


def test_a_claim_of_the_fifth_kind(built):
    html = built.page("l/01_a")
    assert "post 1: <b>cannot be checked from the post</b>" in html
    assert 'href="../sources.html#post1-x"' in html


def test_tooltips_follow_the_glossary(built):
    """The last test of this book: it is another afterwards."""
    built.write("glossary.md", GLOSSARY.replace("SHAPE_OF_HULL", "Another"))
    assert build(built).complaints == ""
    assert 'data-tip="Another. And more."' in built.page("l/01_a")


def test_an_unknown_claim_and_a_link_to_no_page_fail_the_build(tmp_path):
    course, lesson = write(tmp_path), LESSON.replace("post1-x", "post9-y")
    build(course.write("l/01_a.md", f"{lesson}\nSee [lesson 3](03_c.md)."))
    assert "claims.toml has no claim with the id 'post9-y'" in course.complaints
    assert "03_c" in course.complaints


ROUTE = """# Book

:::{strip}
:::

:::{container} aw-begin
[Begin](l/01_a.md) [Or here](l/02_b.md)
:::

:::{container} aw-route
**All of it**

1. [One](l/01_a.md). Why?
2. [Two](l/02_b.md). How?
3. [Three](l/03_c.md). When?

**The end**

4. [Four](l/02_b.md)
:::

**See also:** [two](l/02_b.md), and more.

"""


def test_of_a_page_that_is_left_out_words_stay_and_a_path_keeps_its_order(tmp_path):
    course = write(tmp_path).write("l/03_c.md", LESSON)
    toc = "```{toctree}\nl/03_c\nl/01_a\nglossary\nsources\n```\n"
    end = "\nSee [lesson *2*](02_b.md). **Next:** why? [Lesson 2](02_b.md) says it."
    course.write("index.md", ROUTE + toc).write("l/01_a.md", LESSON + end)
    build(course, exclude_patterns=["l/02_b.md"])
    assert course.complaints == ""
    html = course.page("l/01_a")
    assert "02_b" not in html + course.page("index")
    assert "See lesson <em>2</em>. </p>" in re.sub("</?span[^>]*>", "", html)
    (strip,) = re.findall(r'<nav class="aw-strip".*?</nav>', html, re.DOTALL)
    words = re.sub("<svg.*?</svg>", "", strip)
    assert '<li><span><span><span class="aw-query">Q</span>' in words
    text = re.sub("<(?!/?ol)[^>]*>|\n", "", course.page("index"))
    (path,) = re.findall("All of it.*</ol>", text)
    lists = (
        '<ol class="arabic simple" start="3">Three. When?</ol>',
        "<ol",
        "One. Why?",
    )
    assert [path.index(one) for one in lists] == sorted(map(path.index, lists))
    for gone in ("Or here", "Two", "The end", "See also"):
        assert gone not in text


def test_without_terms_the_build_stops_with_a_sentence(tmp_path):
    with pytest.raises(
        ExtensionError, match=r"leaves out glossary\. Keep the glossary"
    ):
        build(write(tmp_path), exclude_patterns=["glossary.md"])
