"""Every page of the site: light, without errors or other hosts, accessible, it fits.

And every figure: its controls move it, and all of it can be read. A page is opened once
for all that is looked at on it: with figures from its folder, others from a host, and
from a folder one of these for each set of scripts. Without JavaScript, see
`test_without_javascript.py`.
"""

import re

import drawings
import nbformat
import pytest
from axe_on_pages import THEMES, WHOLE, configure, themes, violations
from built_site import (
    HTML,
    KINDS,
    NOTE,
    PHONE,
    ROOT,
    SAID,
    SOON,
    WIDE,
    left,
    now,
    pages_with_figures,
    real_pages,
    resize,
    uncover,
    wait_for,
    wait_until,
)
from listed import listed
from test_machine import (
    STAGE_ON,
    numbers_light_their_cells,
    the_switch_and_what_it_changes_fit,
)
from test_present import ONE, every_screen_fits
from visits import opened, sent

from attncourse.figures import listed as figures

pytestmark = pytest.mark.long

FIGURES = pages_with_figures()
PAGES = [*FIGURES, *(one for one in real_pages() if one not in FIGURES)]

# Bytes. Of the next visit, to a lesson with the machine live and as a picture, 43 kB
# or more are the letters of formulas, which the first page does without. That of all
# figures brings the picture and the words of each.
FIRST_VISIT, NEXT_VISIT, EACH_FIGURE = 250_000, 135_000, 2_000
SHIFT = 0.025
FIRST = "book/index.html"
LESSONS = [f"{page}.html" for page in listed() if re.match(r"book/\d", page)]
OTHER = [*LESSONS[2:3], *LESSONS, FIRST][0]  # the third, or one of fewer

WIDTHS = (1280, 320)
ALL_WIDTHS = (1440, 1280, 768, 640, 390, 320)  # 640, 320: 1280 at 200 and 400 %
LEAST = 10.95  # pixels: the letters of a live figure
CHECKED = re.compile(r"book/(index|machine|ask_another|0\d_|puzzles/)")
ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)=["'](?:https?:)?//"""
)
UNREACHED = """() => [...document.querySelectorAll("article *")].filter((one) =>
  ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && one.clientWidth &&
  one.scrollWidth > one.clientWidth && one.tabIndex < 0 && !one.closest("[tabindex]")
).map((one) => one.outerHTML.slice(0, 90))"""
UNNAMED = """() => [...document.querySelectorAll("[data-nk-scrolls]")].filter((one) =>
  !one.getAttribute("role") || !one.getAttribute("aria-label")
).map((one) => one.outerHTML.slice(0, 90))"""
# Boxes with letters in them that stand out of the frame, and scroll nowhere.
OUTSIDE = """() =>
  [...document.querySelectorAll(".nk-figure:has(.nk-live)")].flatMap((figure) => {
  const frame = figure.getBoundingClientRect();
  const scrolls = (one) => one && one !== figure &&
    (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
  return [...figure.querySelectorAll(".nk-live *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.right > frame.right + 1 && !scrolls(one);
  }).map((one) => one.outerHTML.slice(0, 90));
})"""
# Lines of text that the window cuts off, where nothing scrolls to their ends.
CUT = """() => {
  const scrolls = (one) => one && one.tagName !== "ARTICLE" &&
    (["auto", "scroll"].includes(getComputedStyle(one).overflowX)
      || scrolls(one.parentElement));
  const texts = document.querySelectorAll("article :is(p, li, dd, h1, h2, h3, h4)");
  return [...texts].filter((one) => one.getBoundingClientRect().width > 1 &&
    one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one)
  ).map((one) => one.outerHTML.slice(0, 90));
}"""
WIDER = """
* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }
"""
# Text that a box cuts off: it neither grows nor scrolls.
CUT_OFF = """() => [...document.querySelectorAll("article *")].filter((one) => {
    const style = getComputedStyle(one);
    const text = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const hides = ["hidden", "clip"].includes(style.overflowY);
    return text && hides && one.clientHeight > 1 &&
        one.scrollHeight > one.clientHeight + 1;
}).map((one) => `${one.localName}.${one.className} ${one.textContent}`.slice(0, 90))"""
STILL = """[...document.querySelectorAll("*")].every((one) => {
  const style = getComputedStyle(one);
  return style.transitionDuration === "0s" && style.animationName === "none";
})"""
WIDER_THAN_THE_WINDOW = """() =>
  [document.documentElement.scrollWidth].filter((width) => width > innerWidth)"""
OVERLAPPING = """() => {
  const all = [...document.querySelectorAll(".attnlib-trace table")];
  return all.filter((a) => all.some((b) => {
    const [one, two] = [a, b].map((table) => table.getBoundingClientRect());
    return a !== b && one.right > two.left && two.right > one.left &&
      one.bottom > two.top && two.bottom > one.top;
  })).map((one) => one.textContent.slice(0, 90));
}"""
# Each lists what is wrong; all are asked at once, and those that found something told.
FITS = {
    "WIDER_THAN_THE_WINDOW": WIDER_THAN_THE_WINDOW,
    "CUT": CUT,
    "OUTSIDE": OUTSIDE,
    "UNREACHED": UNREACHED,
    "UNNAMED": UNNAMED,
    "OVERLAPPING": OVERLAPPING,
    "BROKEN": drawings.BROKEN,
    "OVER": drawings.OVER,
}
WRONG = """Object.fromEntries(Object.entries({%s}).map(([name, one]) => [name, one()])
  .filter(([, found]) => found.length))"""
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
DESK = {"width": 1280, "height": 800}
SCREEN = {"media": "screen", "color_scheme": "light"}
CONTRAST = [[4.5, drawings.LETTERS], [3, drawings.LINES]]
# Colors follow the theme, drawings the width: each once.
LOOKS = ("dark", PHONE), ("light", DESK)
FRAMED = ("book/10_learn_the_weights.html", "book/what_the_scale_does.html")
SLIDER = ".nk-live input[type=range]"
# The name of each slider, its value in words, and whether a change of it reaches the
# picture within the event: no frame in between.
AT_ONCE = """all => all.map((input) => {
    const view = input.closest(".nk-live").querySelector(".aw-view");
    const name = document.querySelector(`label[for='${input.id}']`).innerText.trim();
    const before = view.innerHTML, value = input.ariaValueText;
    input.value = input.value === input.min ? input.max : input.min;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    return [name, value, view.innerHTML !== before];
})"""
# Whether a slider's own figure shows another picture than when last asked; which one it
# is; the words of its picture, if it has one; the slider's value.
MOVED = """input => {
    const figure = input.closest(".nk-live"), before = figure.drawn;
    figure.drawn = figure.querySelector(".aw-view").innerHTML;
    return [figure.drawn !== before, [...document.querySelectorAll(".nk-live")]
        .indexOf(figure), figure.querySelector("[role=img]")?.ariaLabel ?? null,
        input.value];
}"""
# A slider gets the focus: the key to the end that it is not at; where to press there.
TO_THE_END = """input => {
    input.focus();
    return input.value === input.max ? "Home" : "End";
}"""
PLACE = """input => {
    input.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = input.getBoundingClientRect();
    const share = (input.value - input.min) / (input.max - input.min);
    return [x + width * (share > 0.5 ? 0.1 : 0.9), y + height / 2];
}"""
FOLDS = "details.hide.above-input > summary, details.nk-solution > summary"
SPEAKING = ".nk-live:has(.aw-panel input[type=range])"
MOST = 12  # words
# Challenges seen before what leads to them; the figure of one; whether it is in view.
EARLY = """() => [...document.querySelectorAll(".nk-covered[hidden] + .nk-challenge")]
    .filter((one) => one.checkVisibility()).map(({ id }) => id)"""
CHALLENGED = """[...document.querySelectorAll(".aw-view")].findLast((one) =>
    one.compareDocumentPosition(document.getElementById("%s")) & 4)"""
PRESS = "all => all.forEach((one) => one.click())"
IN_VIEW = """one => {
    const { top, bottom } = one.closest(".aw-panel").getBoundingClientRect();
    const slack = bottom - top > innerHeight - 80 ? 160 : 0;
    return slack ? top < slack && bottom > innerHeight - slack
      : top >= 0 && bottom <= innerHeight;
}"""
# The heading above each card, and whether its facts and their names are shown.
CARDS = """all => all.map((one) => [
  one.closest("section").querySelector("h2").firstChild.textContent.trim(),
  [one, ...one.querySelectorAll(".admonition-title, summary")].every((part) =>
    part.checkVisibility())
])"""


@pytest.fixture(scope="module")
def asked(browser, site):
    """A function that says what a first visit to a page asks for."""
    known = {}

    def of(name):
        if name not in known:
            page = opened(browser, site, name, WIDE)
            page.context.close()
            known[name] = page.asked
        return known[name]

    return of


@pytest.fixture(scope="module", params=PAGES)
def visit(request, browser, site):
    """A page, opened once for all that is looked at on it."""
    home = HTML.as_uri() if request.param in FIGURES else site
    page = opened(browser, home, request.param, WIDE)
    page.got = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name)"
    )
    page.open = page.locator(".nk-covered:not([hidden])").count()
    page.cards = page.locator(".aw-card").evaluate_all(CARDS)
    page.early = page.evaluate(EARLY)
    uncover(page)
    page.said = page.evaluate(SAID)
    yield page
    page.context.close()


@pytest.fixture
def phone(visit):
    """The page on a phone that takes touches, whatever another test looked at."""
    visit.emulate_media(**SCREEN, reduced_motion="no-preference")
    resize(visit, PHONE)
    return visit


@pytest.fixture
def still(visit):
    """The page, where nothing moves, as wide as another test left it."""
    visit.emulate_media(**SCREEN, reduced_motion="reduce")
    return visit


def on_pages(names):
    """Parametrize by pages, in the order of `PAGES`: one visit for all tests."""
    return pytest.mark.parametrize("visit", names, indirect=True)


every_figure = on_pages(FIGURES)
a_figure_of_each_kind = on_pages(now(FIGURES, KINDS))


# ── As it comes ──


def test_it_loads_without_error_or_other_host_and_names_none(visit):
    assert visit.watch.errors == []
    assert visit.watch.strangers == []
    canonical = re.compile(r'<link rel="canonical"[^>]*>')
    html = canonical.sub("", (HTML / visit.name).read_text(encoding="utf-8"))
    assert ELSEWHERE.findall(html) == []


def test_it_is_light(visit, asked):
    """The first page with nothing kept, then this page with what the first one left."""
    kept = asked(OTHER if visit.name == FIRST else FIRST)
    assert visit.name in visit.asked
    assert sum(map(sent, visit.asked)) <= FIRST_VISIT
    most = max(NEXT_VISIT, EACH_FIGURE * visit.locator("article figure").count())
    assert sum(map(sent, visit.asked - kept)) <= most


def test_nothing_is_fetched_before_the_first_run(visit):
    assert not [url for url in visit.got if re.search(r"\.(mjs|whl|py|wasm)$", url)]


def test_nothing_moves_when_figures_come(visit):
    if visit.name in FIGURES:
        assert visit.live or visit.covered  # until one has guessed
    assert visit.shift < SHIFT


def cards(name):
    """The titles of a page's cards."""
    found, title, path = [], "", (ROOT / name).with_suffix(".ipynb")
    for cell in nbformat.read(path, as_version=4).cells if path.exists() else ():
        if cell.source.startswith("## "):
            title = cell.source.splitlines()[0][3:]
        if ":::{model-part}" in cell.source:
            found.append(title)
    return found


def test_questions_cover_their_answers_and_no_facts_of_a_card(visit):
    """As a reader meets it who has guessed nothing."""
    assert visit.open == 0
    wanted = cards(visit.name)
    assert not wanted or [title for title, _ in visit.cards] == wanted
    assert [title for title, seen in visit.cards if not seen] == []


# ── Its figures, on a phone ──


def sliders(page):
    """List the sliders; a lesson has at least one."""
    found = page.locator(SLIDER).all()
    assert found or not re.search(r"book/\d\d_", page.url)
    return found


def press(page, slider, touch):
    """Press a slider at the end that it is not at."""
    act = page.touchscreen.tap if touch else page.mouse.click
    act(*slider.evaluate(PLACE))


def move(page, slider):
    """Move a slider by keyboard, to the end that it is not at."""
    page.keyboard.press(slider.evaluate(TO_THE_END))


def heard(page, sliders):
    """Move sliders in turn until something new is said; return it.

    Where a hand that has not rested yet moves one back, nothing has changed; and the
    temperature of equal scores changes nothing.
    """
    before = page.evaluate(SAID)
    for slider in sliders * 15:
        move(page, slider)
        for rest in [*SOON, *[50] * 15]:
            if (said := page.evaluate(SAID)) != before:
                return said
            page.wait_for_timeout(rest)
    raise AssertionError(f"nothing said of {len(sliders)} sliders")


# Which of a page's things to hold, and where to pull it.
HELD = {
    "book/01_embeddings.html": (0, (0, -40)),
    "book/02_queries_keys_values.html": (1, (0, -30)),
    "book/03_scaling.html": (0, (0, 40)),
    "book/04_softmax.html": (0, (20, 0)),
    "book/05_weighted_sum.html": (0, (0, -40)),
    "book/07_positional_encoding.html": (3, (40, 20)),
    "book/13_go_long.html": (0, (0, 30)),
    "book/tame_scores.html": (0, (40, 0)),
    "book/around_attention.html": (1, (0, -30)),
}
VALUES = """all => all.map((one) => one.type === "radio" ? one.checked : one.value)"""


def values(page):
    controls = ".nk-live :is(input[type=range], input[type=radio])"
    return page.locator(controls).evaluate_all(VALUES)


def middle(page, number):
    """Bring what can be held into view; return its middle."""
    hold = page.locator(".aw-hold").nth(number)
    hold.evaluate("one => one.scrollIntoView({ block: 'center' })")
    box = hold.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page, x, y, across, down):
    """Pull with a finger, in small steps, one in each frame."""
    screen = page.context.new_cdp_session(page)

    def touch(kind, *points):
        places = [{"x": left, "y": top} for left, top in points]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + across * step / 8, y + down * step / 8))
        page.wait_for_timeout(16)
    touch("touchEnd")


@every_figure
def test_a_finger_drags_it_and_not_the_page(phone):
    """Where it stands at first, before other tests move it."""
    if phone.name not in HELD:
        return
    number, way = HELD[phone.name]
    phone.emulate_media(reduced_motion="reduce")
    x, y = middle(phone, number)
    canceled = "addEventListener('pointercancel', () => { window.canceled = true; })"
    phone.evaluate(canceled)
    before, top = values(phone), phone.evaluate("scrollY")
    pull(phone, x, y, *way)
    assert phone.evaluate("[scrollY, Boolean(window.canceled)]") == [top, False]
    if "03" not in phone.name:  # at its end already: only the page could move
        wait_for(phone, lambda: values(phone) != before)
    phone.emulate_media(reduced_motion="no-preference")


def other(before, moved, _, __, value):
    """Whether a picture has changed, and its slider, too: a late one does so alone."""
    return moved and value != before


@every_figure
def test_every_slider_moves_its_figure_by_keyboard_and_mouse_or_touch(phone):
    """A mouse and a finger in turn: the browser makes one event of both.

    The first picture that has words says something else after one of its moves.
    """
    said = {}
    for i, slider in enumerate(sliders(phone)):
        _, figure, words, value = slider.evaluate(MOVED)
        move(phone, slider)
        moved, _, other_words, now_at = slider.evaluate(MOVED)
        assert moved
        assert now_at != value
        press(phone, slider, touch=i % 2 == 0)
        wait_for(phone, lambda: other(now_at, *slider.evaluate(MOVED)))  # noqa: B023
        said.setdefault(figure, set()).update((words, other_words))
    spoken = [words for words in said.values() if words != {None}]
    assert not spoken or len(spoken[0]) > 1
    assert phone.watch.clean()


@every_figure
def test_controls_have_names_and_values_and_act_at_once(phone):
    for name, value, at_once in phone.locator(SLIDER).evaluate_all(AT_ONCE):
        assert name
        assert value
        assert at_once, name


@every_figure
def test_every_figure_says_what_a_control_changed_and_nothing_before_that(phone):
    assert not phone.said
    for figure in phone.locator(SPEAKING).all():
        for folded in figure.locator("details:has(input[type=range])").all():
            folded.evaluate("one => one.setAttribute('open', '')")
        found = figure.locator("input[type=range]").all()
        assert 0 < len(heard(phone, found).split()) <= MOST
        assert (
            phone.evaluate("document.getElementById('aw-voice').childNodes.length") == 1
        )
    assert phone.watch.clean()


@every_figure
def test_what_is_pressed_or_dragged_is_large_enough(phone):
    """On a phone; what looks at the letters looks for it at a desk, too."""
    phone.locator("details").evaluate_all("all => all.map((one) => one.open = true)")
    assert left(phone, drawings.TOO_SMALL) == []


@every_figure
def test_what_a_pointer_changes_has_a_control_besides(phone):
    """What is pressed or dragged in a declared figure, and takes no focus itself."""
    for name, key in phone.evaluate(drawings.POINTED):
        control = figures.figure(name).controls[key]
        assert control.widgets(key, control.default), (name, key)


@every_figure
def test_a_graphic_is_a_picture_with_words_or_is_not_heard(phone):
    """As is the icon of each button that copies code."""
    assert left(phone, drawings.BARE) == []


@every_figure
def test_folds_of_code_have_names_of_their_own(phone):
    names = phone.locator(FOLDS).evaluate_all(
        "all => all.map((one) => one.textContent)"
    )
    assert all(re.search(r": \S", one) for one in names)
    assert len({*names}) == len(names)


@every_figure
def test_cells_whose_strength_is_a_number_are_read_as_numbers(phone):
    assert phone.evaluate(drawings.TINTED) == []


@every_figure
def test_styles_that_come_in_another_order_change_no_figure(phone):
    """Each view brings the shared rules: the next one's come after the first's own."""
    assert left(phone, drawings.BY_ORDER) == []


@a_figure_of_each_kind
def test_still_picture_in_print(phone):
    still, live = phone.locator(".nk-still").first, phone.locator(".nk-live").first
    assert not still.is_visible()
    phone.emulate_media(media="print")
    assert still.is_visible()
    assert not live.is_visible()


def in_theme(page, theme, **media):
    page.emulate_media(color_scheme=theme, **media)
    wait_until(page, f"document.documentElement.dataset.theme === '{theme}'")


@every_figure
def test_letters_and_lines_stand_out_and_named_cells_are_framed(phone):
    """And at a desk what is pressed or dragged is large enough."""
    if phone.name in FRAMED:
        assert phone.locator(".aw-marked").count() > 1
    for theme, screen in LOOKS:
        in_theme(phone, theme)
        resize(phone, screen)
        assert left(phone, drawings.FAINT, CONTRAST) == [], (theme, screen)
        assert left(phone, drawings.UNFRAMED) == [], (theme, screen)
        assert left(phone, drawings.TOO_SMALL) == [], (theme, screen)


@a_figure_of_each_kind
def test_letters_stand_out_more_for_who_asks_for_contrast(phone):
    """On the bare page, 7 : 1 but for three words; on tinted cells, as without.

    And they stand out in colors that are the system's.
    """
    for theme in ("dark", "light"):
        in_theme(phone, theme, contrast="more")
        asked = [[5.5, drawings.LETTERS, True], *CONTRAST]
        assert left(phone, drawings.FAINT, asked) == [], theme
    phone.emulate_media(contrast="no-preference", forced_colors="active")
    assert left(phone, drawings.FAINT, CONTRAST) == []
    phone.emulate_media(forced_colors="none")


# ── All of it, at every width ──


def test_reduced_motion_stills_everything(still):
    assert still.evaluate(STILL)


def test_presented_every_screen_fits_and_every_paragraph_is_on_one(still):
    if still.name in ONE:
        resize(still, ONE[still.name])
        still.locator(".aw-present").click()
        every_screen_fits(still)


# Controls of one, two and four columns; a drawing beside a table; names to look up.
MUCH = ("book/01_", "book/02_", "book/05_", "book/sources")


def test_wider_text_fits(still):
    """As a reader may have it (WCAG 1.4.12)."""
    if not still.name.startswith(MUCH):
        return
    wider = still.add_style_tag(content=WIDER)
    for width in (1280, 390):
        resize(still, {"width": width, "height": 844})
        assert still.evaluate("document.documentElement.scrollWidth") <= width
        assert left(still, CUT_OFF) == [], width
    assert left(still, OUTSIDE) == []  # a wider screen has room beside the frame
    wider.evaluate("one => one.remove()")


def look(page, widths, looks, judged):
    """Folds opened; figures in their frames; what scrolls is reached by keyboard.

    Letters of figures are large enough, and names of their controls whole.
    """
    page.evaluate(OPEN)
    configure(page)
    asked = {**FITS, "SMALL": f"() => ({drawings.SMALL})({LEAST})"}
    if not CHECKED.match(page.name):
        asked.pop("SMALL")
    wrong = WRONG % ",\n".join(f"{name}: {one}" for name, one in asked.items())
    for width in widths:
        resize(page, {"width": width, "height": 800})
        assert left(page, wrong) == {}, width
        if theme := looks.get(width):
            page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(page, judged) == [], width


def test_it_fits_every_width_and_axe_finds_nothing(still):
    widths = ALL_WIDTHS if still.name in WHOLE else WIDTHS
    look(still, widths, themes(still.name, PAGES), still.name in KINDS)
    if still.locator(".nk-live svg text:visible").count():
        both = f"({drawings.SHRUNK})('5px'), ({drawings.SMALL})({LEAST})"
        assert still.evaluate(both)  # at once: a figure may draw itself anew


@every_figure
def test_shown_a_figure_goes_where_its_challenge_is_met(phone):
    """On a phone and by keyboard at a desk in turn; late, as it changes the figure."""
    assert phone.early == []
    if not (challenges := phone.locator(".nk-challenge").all()):
        return
    by_keys = FIGURES.index(phone.name) % 2
    phone.emulate_media(reduced_motion="reduce" if by_keys else "no-preference")
    resize(phone, WIDE if by_keys else PHONE)
    phone.evaluate("nokernelPredictions.forget()")
    phone.locator(".nk-predict .nk-show").evaluate_all(PRESS)
    phone.evaluate(NOTE)
    for box in challenges:
        phone.evaluate("texts.length = 0")
        button = box.get_by_role("button", name="Show me")
        button.press("Enter") if by_keys else button.click()
        figure = CHALLENGED % box.get_attribute("id")
        wait_until(phone, f"texts[0]?.startsWith({figure}.figure.spec.told)")
        spec, state = phone.evaluate(f"[{figure}.figure.spec, {figure}.figure.state]")
        assert state | spec["solved"] == state
        wait_until(phone, f"({IN_VIEW})({figure})")
        phone.wait_for_timeout(100)  # hurried: the figure would have spoken by now
        assert phone.evaluate("texts.length") == 1
        assert phone.locator(".nk-covered:focus").count() == 1
    assert phone.watch.clean()


def test_a_lessons_machine_follows_its_text_and_fits(still):
    """Last, as it leaves the machine changed."""
    if stage := STAGE_ON.get(still.name):
        resize(still, WIDE)
        numbers_light_their_cells(still)
        the_switch_and_what_it_changes_fit(still, stage)


@pytest.mark.release
def test_every_page_is_looked_at_as_those_of_each_kind(still):
    look(still, ALL_WIDTHS, THEMES, judged=True)


def one_for_each_set_of_scripts():
    """Pages without figures, no two of which load the same scripts."""
    found = {}
    for name in sorted({*PAGES} - {*FIGURES, "404.html"}):
        html = (HTML / name).read_text(encoding="utf-8")
        scripts = re.findall(r'<script\b[^>]*\ssrc="([^"?]+)', html)
        found.setdefault(frozenset(one.rpartition("/")[2] for one in scripts), name)
    return [*found.values()]


@pytest.mark.parametrize("name", one_for_each_set_of_scripts())
def test_from_a_folder_it_loads_without_error(open_page, name):
    page = open_page(name, home=HTML.as_uri())
    assert page.watch.clean(), (page.watch.errors, page.watch.strangers)


def test_styles_name_no_other_host_and_no_change_restyles_the_page():
    """As with a first letter that `:has` decides on."""
    wrong = re.compile(r"url\(['\"]?(https?:)?//|:has\([^{}]*::first-l")
    found = {style: wrong.search(style.read_text()) for style in HTML.rglob("*.css")}
    assert {*found.values()} == {None}, found
