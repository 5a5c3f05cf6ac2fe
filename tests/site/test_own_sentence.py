"""Lesson 12: one's own sentence, read in the page, from a host and from a folder."""

import re

import pytest
from built_site import HTML, PHONE, Watch, wait_until
from own_figure import CAT, LESSON, captions, form, says, sliders, write
from scipy.special import stdtrit

from attncourse.real_model import load_extract

pytestmark = [pytest.mark.pages(LESSON), pytest.mark.long]
MANIFEST = "**/_static/minilm/manifest.js"
LOAD_AND_STOP = "all => [0, 2].forEach((i) => all[i].click())"  # at once: it is quick


@pytest.fixture(scope="module")
def model():
    """The folder of the model, which the build writes where it has the weights."""
    folder = HTML / "_static" / "minilm"
    assert (folder / "worker.js").exists(), "The site has no model: see CONTRIBUTING.md"
    return folder


@pytest.fixture(scope="module")
def reading(browser, model):
    """The lesson from a folder, on a phone, with the model loaded at the second try."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.watch = Watch(page, "file:")
    page.goto((HTML / LESSON).as_uri())
    page.evaluate("window.mountWidgets.ready")
    form(page)
    sliders(page)
    write(page, CAT)
    asked = says(page, "needs the model")
    assert len(captions(page)) == 2, asked  # the stored pair stays
    page.locator(".aw-actions button").evaluate_all(LOAD_AND_STOP)
    says(page, "Stopped")
    page.locator(".aw-load").click()
    says(page, "11 tokens and 11 tokens. In head 5.11 “it” looks at")
    yield page
    assert page.watch.clean(), page.watch.errors
    context.close()


def test_the_button_says_what_the_model_costs(open_page, model):
    page = open_page(LESSON)
    form(page)
    megabytes = int(page.locator(".aw-load").inner_text().split()[3])
    sent = sum(path.stat().st_size for path in model.glob("*.js")) / 1e6
    assert 5 < megabytes < sent


def test_typed_sentences_are_read_at_once(reading):
    write(reading, CAT.replace("thirsty", "cold"), "Compare with")
    says(reading, "11 tokens and 11 tokens")
    assert all("“it” looks at" in text for text in captions(reading))
    write(reading, "", "Compare with")
    assert says(reading, "11 tokens. In head").count("tokens") == 1
    assert len(captions(reading)) == 1
    assert reading.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_it_asks_where_there_is_one_and_the_status_says_the_head(reading):
    write(reading, "", "Compare with")
    write(reading, "My neighbour threw the old pizza away because it was disgusting")
    assert "In head 5.11 “it” looks at" in says(reading, "13 tokens. ")
    reading.get_by_role("slider", name="Layer").fill("3")
    says(reading, "In head 3.11 “it” looks at")
    reading.get_by_role("slider", name="Token that asks").fill("3")
    says(reading, "In head 3.11 “neighbour” looks at")
    reading.get_by_role("slider", name="Layer").fill("5")
    write(reading, "A dog barked")  # no “it”: whoever asks now
    assert "In head 5.11 “dog” looks at" in says(reading, "5 tokens. ")


def test_words_that_are_cut_into_pieces_are_said(reading):
    write(reading, "Der Hund frisst, weil es hungrig ist")
    said = says(reading, "not in its English vocabulary")
    assert re.search(r"reads pieces, such as \w+( ##\w+)+\.", said)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "at least one word"),
        ("word " * 2000, "2002 tokens, and the model reads at most 256"),
        ("?" * 10_000, "10002 tokens, and the model reads at most 256"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_last_picture_stays(reading, text, part):
    before = captions(reading)
    write(reading, text)
    said = says(reading, part)
    assert "stays in view" in said
    assert reading.get_by_label("Your sentence").get_attribute("aria-invalid") == "true"
    assert captions(reading) == before


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x" * 10_000, "3 tokens. One word is not in the model's vocabulary"),
        ("ᚠᚢ ᚦᚨ it", "5 tokens. 2 words are not in the model's vocabulary"),
        ("🐕 ate it", "5 tokens. One word is not in the model's vocabulary"),
    ],
)
def test_words_that_the_model_does_not_know_are_said(reading, text, part):
    write(reading, "", "Compare with")
    write(reading, text)
    assert "it reads [UNK] instead" in says(reading, part)
    assert reading.get_by_label("Your sentence").get_attribute("aria-invalid") != "true"


def test_with_all_words_no_network_is_needed(open_page, model):
    page = open_page(LESSON)
    form(page)
    page.locator(".aw-load").click()
    says(page, "11 tokens and 11 tokens")
    page.get_by_role("button", name="Work without a network: 12 MB more").click()
    says(page, "All words are here")
    page.context.set_offline(True)
    write(page, "Quixotic zebras yodel because it was xenial")
    assert " tokens" in says(page, "In head 5.11")
    # A new address makes the browser ask for the tab's icon again, on its own.
    assert [one for one in page.watch.errors if "favicon" not in one] == []
    assert page.watch.strangers == []


def test_the_address_brings_the_sentences_back(reading):
    write(reading, CAT)
    write(reading, CAT.replace("thirsty", "cold"), "Compare with")
    says(reading, "11 tokens and 11 tokens")
    reading.get_by_role("slider", name="Layer").fill("3")
    wait_until(reading, "location.hash.includes('head=3.11')")
    shown = captions(reading)
    address = reading.url
    other = reading.context.new_page()
    other.goto(address)
    other.evaluate("window.mountWidgets.ready")
    assert other.get_by_label("Your sentence").input_value() == CAT
    sliders(other)
    assert other.get_by_role("slider", name="Layer").input_value() == "3"
    says(other, "needs the model")
    other.locator(".aw-load").click()
    says(other, "11 tokens and 11 tokens")
    assert captions(other) == shown
    other.close()


@pytest.mark.pages("book/start.html")
def test_a_site_without_the_model_says_so(open_page):
    page = open_page("book/start.html")
    page.route(
        MANIFEST,
        lambda route: route.fulfill(
            body='receivePiece("manifest",{"there":false});',
            content_type="text/javascript",
        ),
    )
    page.goto(page.url.replace("start", LESSON[5:-5]))
    page.locator(".aw-own > summary").first.click()
    says(page, "comes without the model")
    assert not page.locator(".aw-load").is_visible()
    assert page.locator(".aw-own:visible").count() == 1  # no experiment either
    assert len(captions(page)) == 2


@pytest.mark.pages("book/start.html")
def test_a_model_that_does_not_arrive_is_said_and_can_be_tried_again(open_page):
    page = open_page("book/start.html")
    page.route(MANIFEST, lambda route: route.abort())
    page.goto(page.url.replace("start", LESSON[5:-5]))
    page.locator(".aw-own > summary").first.click()
    says(page, "could not be loaded")
    page.unroute(MANIFEST)
    page.locator(".aw-own > summary").first.click()
    form(page)


def one_letter_changed(folder):
    """A piece of the right length in which one letter, so six bits, is another."""
    text = (folder / "weights-0.js").read_text("utf-8")
    place = len(text) // 2
    return f"{text[:place]}{'B' if text[place] == 'A' else 'A'}{text[place + 1 :]}"


def answering(**how):
    return lambda route: route.fulfill(**how)


def test_a_file_that_fails_is_said_and_what_was_there_stays(open_page, model):
    fails = {
        "not the file that": {"body": one_letter_changed(model)},
        "could not be loaded. Check your connection": {"status": 404},
    }
    page = open_page(LESSON)
    form(page)
    before = captions(page)
    kind = {"content_type": "text/javascript"}
    pieces = "**/_static/minilm/weights-0.js*"
    # As long as there is a route, the browser asks for each request. Where the last one
    # goes, Chromium never answers those that are on their way just then.
    page.route("**", lambda route: route.continue_())
    for part, answer in fails.items():
        page.route(pieces, answering(**answer, **kind))
        page.locator(".aw-load").click()
        assert "The stored sentences are still here" in says(page, part)
        assert captions(page) == before
        page.unroute(pieces)
    page.locator(".aw-load").click()
    says(page, "11 tokens and 11 tokens")


EXTRACT = load_extract()
FRESH = EXTRACT["pair_group"] == "held_out"
SEARCH = EXTRACT["pair_group"] == "discovery"
WAYS = {0: "as it is", 1: "cut the three", 2: "swap it, 3"}  # the choice, the extract's


def stored(name, pairs):
    """The effect of each pair in head 3.1, from the extract."""
    found = EXTRACT["preferences"][EXTRACT["tests"].tolist().index(name)]
    return found[pairs, 0].astype(float) - found[pairs, 1].astype(float)


def told(text):
    """The mean effect, its interval and how many are positive, as the figure says."""
    parts = r"effect (\S+), 95 % interval (\S+) to (\S+); (\d+) of (\d+) effects"
    return [float(one.replace("−", "-")) for one in re.search(parts, text).groups()]


PRESSED = """one => {
    one.click();
    return document.querySelector("#aw-way").disabled;
}"""
# Of the 24 and 36 pairs the first few, and before a release all of them.
ALL = pytest.param(None, id="all", marks=pytest.mark.release)


@pytest.mark.parametrize("n", [6, ALL])
def test_the_lessons_pairs_give_the_lessons_figures(reading, n):
    page = reading
    page.locator(".aw-own > summary", has_text="experiment").click()
    experiment = page.locator(".aw-own", has_text="Your own experiment")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for label in ("Pairs to search in", "Fresh pairs"):
        lines = page.get_by_label(label).input_value().splitlines()
        page.get_by_label(label).fill("\n".join(lines[:n]))

    def press(name, part):
        held = experiment.get_by_role("button", name=name).evaluate(PRESSED)
        assert held == (name in ("Search", "Open"))  # while pairs are being read
        said = experiment.locator(".aw-says", has_text=part)
        said.wait_for(timeout=300_000)
        return said.inner_text()

    assert experiment.get_by_role("button", name="Open").is_disabled()
    found = press("Search", "It was chosen for that")
    assert found.startswith("Head 3.1 leads, as it is")
    mean = told(found)[0]
    assert mean == pytest.approx(stored("as it is", SEARCH)[:n].mean(), abs=0.006)
    press("Fix", "head 3.1 has a mean effect above 0")
    assert experiment.get_by_role("button", name="Search").is_disabled()
    for index, name in WAYS.items():
        page.get_by_label("Read the pairs").select_option(index=index)
        way = page.get_by_label("Read the pairs").locator("option").nth(index)
        mean, low, high, positive, count = told(
            press("Open", f"Head 3.1, {way.inner_text()}: mean")
        )
        effects = stored(name, FRESH)[:n]
        wide = stdtrit(len(effects) - 1, 0.975) / len(effects) ** 0.5
        assert mean == pytest.approx(effects.mean(), abs=0.006)
        half = wide * effects.std(ddof=1)
        assert (high - low) / 2 == pytest.approx(half, abs=0.006)
        assert (positive, count) == ((effects > 0).sum(), len(effects))
        if n is None and name == "as it is":
            assert positive == 21
            said = experiment.locator(".aw-says").inner_text()
            assert "none of the other 71 heads" in said
            assert "fewer than 0.01 of the 72 heads would do as well" in said
    press("Start over", "no longer fresh")
    assert page.get_by_label("Fresh pairs").input_value() == ""


CLIPPED = """() => {
    const all = [...document.querySelectorAll(".aw-own-sentence svg text")];
    const cut = all.filter((text) => {
        const word = text.getBoundingClientRect();
        const svg = text.closest("svg").getBoundingClientRect();
        return word.left < svg.left - 1 || word.right > svg.right + 1
            || word.top < svg.top - 1 || word.bottom > svg.bottom + 1;
    });
    return cut.map((text) => text.textContent);
}"""
INTO_ARCS = """() => {
    const arcs = [...document.querySelectorAll(".aw-own-sentence .aw-arc")];
    return arcs.flatMap((arc) => {
        const foot = arc.getPointAtLength(0).y;
        const names = [...arc.closest("svg").querySelectorAll("text")];
        const top = (text) => text.getAttribute("y") - text.getComputedTextLength();
        return names.filter((text) => top(text) < foot - 1);
    }).map((text) => text.textContent);
}"""


def test_long_words_stand_whole_beside_the_matrix_and_below_the_arcs(reading):
    write(reading, "", "Compare with")
    write(reading, "My neighbour washed the delicious mushrooms because it mattered")
    says(reading, "tokens. In head")
    assert reading.evaluate(CLIPPED) == []
    assert reading.evaluate(INTO_ARCS) == []
