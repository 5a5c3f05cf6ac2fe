"""The printed book: every page, every figure, all of the code, nothing to press."""

import html
import re
import subprocess
import sys

import pdf
import pytest
import yaml
from built_site import HTML, ROOT
from pypdf import PdfReader

SHEET = 672  # pixels: A4 less its margins
TOO_WIDE = """[...document.querySelectorAll(
    ".bd-article :is(pre, table, svg, .katex-display)")]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1
        || (one.matches("pre") && one.scrollWidth > one.clientWidth + 1))
    .map(one => one.textContent.slice(0, 60))"""
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """What `make pdf` makes, in a process of its own: a session has one Playwright."""
    target = tmp_path_factory.mktemp("pdf") / "book.pdf"
    subprocess.run([sys.executable, ROOT / "tools" / "pdf.py", target], check=True)
    return PdfReader(target)


@pytest.fixture(scope="module")
def letters(book):
    """All text of the book with white space taken out: lines break anywhere."""
    return squeezed("".join(page.extract_text() for page in book.pages))


def squeezed(text):
    return re.sub(r"[\s\u200b]", "", text)


def titles(outline):
    return [item.title for item in outline if not isinstance(item, list)]


def test_order_follows_the_table_of_contents():
    toc = {"root": "a", "parts": [{"chapters": [{"file": "b"}, {"file": "c"}]}]}
    assert pdf.order(toc) == ["a", "b", "c"]


def test_every_page_has_a_bookmark(book):
    marked = titles(book.outline)
    for name in pdf.order(TOC):
        source = (HTML / f"{name}.html").read_text()
        title = re.search(r"<h1>(.*?)<a class=\"headerlink\"", source, re.DOTALL)[1]
        plain = re.sub(r"<[^>]+>", "", title)
        assert any(plain.startswith(mark) for mark in marked), name


def test_all_code_is_printed(letters):
    """The longest lines of each page are there to the end."""
    for page in sources():
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


def test_solutions_come_last(book):
    marked = titles(book.outline)
    where = [mark.startswith("Solutions: ") for mark in marked]
    assert where == sorted(where)
    assert any(where) == any("nk-solution" in page for page in sources())


def sources():
    return [(HTML / f"{name}.html").read_text() for name in pdf.order(TOC)]


def test_no_control_is_printed(letters):
    for words in ("RunEditcell", "Resetcell", "Copytoclipboard", "MovesliderPress"):
        assert words not in letters


def test_every_figure_is_printed_and_nothing_is_cut_off(open_page):
    """On a sheet, pictures are visible and still, and nothing is wider than it."""
    for name in pdf.order(TOC):
        page = open_page(f"{name}.html", viewport={"width": SHEET, "height": 1000})
        page.emulate_media(media="print")
        page.evaluate(pdf.PREPARE, False)
        for picture in page.locator(".aw-picture").all():
            assert picture.bounding_box()["height"] > 40, name
        assert page.evaluate(TOO_WIDE) == [], name
        for control in page.locator(".nk-live, .live-bar").all():
            assert not control.is_visible()
