"""The printed book: every page, every figure, all of the code, nothing to press.

Before a release; each time a few pages are made one, which no browser prints.
"""

import html
import re
import unicodedata
from collections import Counter

import export
import pdf
import pytest
import yaml
from bs4 import BeautifulSoup, SoupStrainer
from built_site import HTML, ROOT
from listed import listed
from pypdf import PdfReader
from pypdfium2 import PdfDocument

pytestmark = pytest.mark.long

TOO_WIDE = """[...document.querySelectorAll(
    ".bd-article :is(pre, table, svg, .katex-display)")]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1
        || (one.matches("pre") && one.scrollWidth > one.clientWidth + 1))
    .map(one => one.textContent.slice(0, 60))"""
FLAT = """[...document.querySelectorAll(".aw-picture")]
    .filter(one => one.getBoundingClientRect().height <= 40)
    .map(one => one.getAttribute("aria-label"))"""
UNTITLED = """[...document.querySelectorAll("details")]
    .filter(one => !one.querySelector(":scope > summary"))
    .map(one => one.textContent.slice(0, 60))"""
# A part of a formula that may break into lines does so in a narrow table.
BROKEN = """[...document.querySelectorAll(".katex-html *")]
    .filter(one => getComputedStyle(one).whiteSpace !== "nowrap")
    .map(one => one.closest(".katex").textContent.slice(0, 60))"""
TITLE = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
ANSWERS_TITLE = pdf.ANSWERS.replace(" ", "")
LONGEST = 1000  # letters of what is compared: Chromium hands on some 10,000
ANSWERS = SoupStrainer(class_=["nk-feedback", "nk-solution"])
FEW = [one for one in listed() if one.endswith(("index", "03_scaling", "glossary"))]
WHOLE = pytest.param(listed(), id="whole", marks=pytest.mark.release)


def test_a_few_pages_become_one_whose_answers_come_last():
    one = BeautifulSoup(pdf.one_page(HTML, FEW, TITLE), "html.parser")
    assert one.select("script, .copybtn") == []
    assert all(picture.get("alt") for picture in one.select("img"))
    *chapters, answers = one.select("article > section")
    assert len(chapters) == len(FEW)
    assert not [part for part in chapters if part.select(".nk-feedback, .nk-solution")]
    assert len(answers.select("li")) > len(answers.select("pre")) > 0
    ids = Counter(part["id"] for part in one.select("article [id]"))
    assert [name for name, times in ids.items() if times > 1] == []


@pytest.fixture(scope="module", params=[WHOLE])
def names(request):
    return request.param


@pytest.fixture(scope="module")
def one_page(names, browser):
    """The pages as one, laid out for paper: without JavaScript, nothing is pressed."""
    with pdf.laid_out(browser, names) as page:
        yield page


@pytest.fixture(scope="module")
def printed(one_page, tmp_path_factory):
    target = tmp_path_factory.mktemp("pdf") / "book.pdf"
    pdf.print_page(one_page, target)
    return target


@pytest.fixture(scope="module")
def book(printed):
    return PdfReader(printed)


@pytest.fixture(scope="module")
def sheets(printed):
    """The text of each sheet with white space taken out: lines break anywhere.

    PDFium reads it in a second, pypdf in half a minute.
    """
    with PdfDocument(printed) as document:
        return [squeezed(page.get_textpage().get_text_bounded()) for page in document]


@pytest.fixture(scope="module")
def letters(sheets):
    return "".join(sheets)


@pytest.fixture(scope="module")
def sources(names):
    return [(HTML / f"{name}.html").read_text() for name in names]


def squeezed(text):
    """Without white space, and with ligatures taken apart."""
    return re.sub(r"[\s\u200b]", "", unicodedata.normalize("NFKC", text))


def bookmarks(outline, depth=0):
    """Yield (depth, title, page) of each bookmark, in order."""
    for item in outline:
        if isinstance(item, list):
            yield from bookmarks(item, depth + 1)
        else:
            yield depth, item.title, item.page


def chapters(book):
    return [title for depth, title, _ in bookmarks(book.outline) if depth == 0]


def test_order_follows_the_table_of_contents():
    toc = {"root": "a", "parts": [{"chapters": [{"file": "b"}, {"file": "c"}]}]}
    assert export.order(toc) == ["a", "b", "c"]


def test_every_chapter_and_section_has_a_bookmark(book, sources):
    articles = [article(page) for page in sources]
    wanted = [headings(one, "h1")[0] for one in articles]
    assert [squeezed(one) for one in chapters(book)] == [*wanted, ANSWERS_TITLE]
    marked = {squeezed(title) for _, title, _ in bookmarks(book.outline)}
    assert {title for one in articles for title in headings(one, "h2")} <= marked


def article(page):
    """What is printed of a page's text, formulas without their sources."""
    soup = BeautifulSoup(page.partition("<article")[2], "html.parser")
    for one in soup.select(f".headerlink, .katex-mathml, {pdf.UNPRINTED}"):
        one.decompose()
    return soup


def headings(article, tag):
    return [squeezed(one.text) for one in article.select(f"section > {tag}")]


def test_pages_are_numbered_in_a_tagged_file_that_names_its_language(book, sheets):
    root = book.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    for number, text in enumerate(sheets, 1):
        assert text.endswith(f"{squeezed(TITLE)}{number}")


def figures(part):
    """Yield the words of each tagged picture below a part of the tree, None without."""
    part = part.get_object()
    if isinstance(part, list):
        for one in part:
            yield from figures(one)
    elif isinstance(part, dict):
        if part.get("/S") == "/Figure":
            yield part.get("/Alt")
        if "/K" in part:
            yield from figures(part["/K"])


def test_pictures_and_formulas_have_their_words_in_the_tags(book, one_page):
    words = one_page.locator("img").evaluate_all("all => all.map((one) => one.alt)")
    assert all(words)
    shown = one_page.locator(".aw-picture, .katex:not(:is(h1, h2, h3, h4) .katex)")
    assert len(words) == shown.count() > 0
    told = [*figures(book.trailer["/Root"]["/StructTreeRoot"])]
    told, words = (Counter(squeezed(x)[:LONGEST] for x in one) for one in (told, words))
    assert told - words == words - told == Counter()


def test_no_page_is_nearly_empty(book, sheets):
    """A page with few words holds a picture: many lines and curves."""
    for number, text in enumerate(sheets[:-1], 1):
        if len(text) < 150:
            drawing = book.pages[number - 1].get_contents().get_data()
            assert drawing.count(b" l\n") + drawing.count(b" c\n") > 50, (number, text)


def test_all_code_is_printed(letters, sources):
    """The longest lines of each page are there to the end."""
    for page in sources:
        blocks = re.findall(r'class="cell_input.*?<pre>(.*?)</pre>', page, re.DOTALL)
        code = html.unescape(re.sub(r"<[^>]+>", "", "\n".join(blocks)))
        longest = sorted(code.splitlines(), key=len)[-3:]
        assert [line for line in longest if squeezed(line) not in letters] == []


def test_links_lead_to_no_file_of_this_machine(book):
    notes = [
        note.get_object() for page in book.pages for note in page.annotations or []
    ]
    addresses = [str(note.get("/A", {}).get("/URI", "")) for note in notes]
    assert [one for one in addresses if one.startswith("file:")] == []


def test_answers_and_solutions_come_last(book, sheets, sources):
    """No feedback and no solution stands before the last chapter."""
    start = next(
        book.get_page_number(page.get_object())
        for _, title, page in bookmarks(book.outline)
        if title == pdf.ANSWERS
    )
    before, after = "".join(sheets[:start]), "".join(sheets[start:])
    assert any("nk-feedback" in page for page in sources)
    for page in sources:
        soup = BeautifulSoup(page, "html.parser", parse_only=ANSWERS)
        for told in soup.select(".nk-feedback")[:2]:
            words = squeezed(told.text)[:60]
            if words.isascii() and not told.select(".katex"):
                assert words not in before, words
                assert words in after, words
        for cell in soup.select(".nk-solution pre")[:1]:
            assert squeezed(cell.text)[:40] in after


def test_no_fold_is_without_a_title_of_its_own(one_page):
    """A browser would print "Details" in its place."""
    assert one_page.locator("details").count()
    assert one_page.evaluate(UNTITLED) == []


def test_no_control_is_printed(letters):
    for words in ("RunEditcell", "Resetcell", "Copytoclipboard", "MovesliderPress"):
        assert words not in letters


def test_every_figure_is_printed_and_nothing_is_cut_off(one_page):
    """On a sheet, pictures are visible, and nothing is wider than it."""
    assert one_page.evaluate(FLAT) == []
    assert one_page.evaluate(TOO_WIDE) == []
    assert one_page.evaluate(BROKEN) == []
