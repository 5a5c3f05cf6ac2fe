"""*Show me* under a challenge: the figure goes to where the challenge is met."""

import pytest
from built_site import HTML, NOTE, PHONE, WIDE, Watch, wait_until

PAGES = [
    f"book/{path.name}"
    for path in sorted((HTML / "book").glob("*.html"))
    if 'class="nk-challenge"' in path.read_text(encoding="utf-8")
]
FIGURE = """[...document.querySelectorAll(".aw-view")].findLast((one) =>
    one.compareDocumentPosition(document.getElementById("%s")) & 4)"""
PRESS = "all => all.forEach((one) => one.click())"  # questions before a challenge
EARLY = """() => [...document.querySelectorAll(".nk-covered[hidden] + .nk-challenge")]
    .filter((one) => one.checkVisibility()).map(({ id }) => id)"""
SEEN = """one => {
    const { top, bottom } = one.closest(".aw-panel").getBoundingClientRect();
    const slack = bottom - top > innerHeight - 80 ? 160 : 0; // it fills the screen
    return slack ? top < slack && bottom > innerHeight - slack
      : top >= 0 && bottom <= innerHeight;
}"""


@pytest.fixture
def show(browser, site):
    """A function that opens a page and asks to be shown, by mouse or by keyboard."""
    contexts = []

    def ask(name, by_keys):
        how = {"viewport": WIDE, "reduced_motion": "reduce"} if by_keys else {}
        contexts.append(browser.new_context(**{"viewport": PHONE} | how))
        page = contexts[0].new_page()
        watch = Watch(page, site)
        page.goto(f"{site}/{name}")
        assert page.evaluate(EARLY) == []  # it comes with what leads to it
        page.locator(".nk-predict .nk-show").evaluate_all(PRESS)
        page.evaluate("window.mountWidgets?.ready")
        wait_until(page, "document.getElementById('aw-voice')")
        page.evaluate(NOTE)
        for box in page.locator(".nk-challenge").all():
            page.evaluate("texts.length = 0")
            button = box.get_by_role("button", name="Show me")
            button.press("Enter") if by_keys else button.click()
            figure = FIGURE % box.get_attribute("id")
            wait_until(page, f"texts[0]?.startsWith({figure}.figure.spec.told)")
            yield page, figure
        assert watch.clean()

    yield ask
    contexts[0].close()


@pytest.mark.parametrize("name", PAGES)
def test_the_figure_goes_where_the_challenge_is_met(show, name):
    """On a phone and by keyboard at a desk in turn: what follows is the same."""
    for page, figure in show(name, by_keys=PAGES.index(name) % 2):
        spec, state = page.evaluate(f"[{figure}.figure.spec, {figure}.figure.state]")
        assert state | spec["solved"] == state
        wait_until(page, f"({SEEN})({figure})")
        page.wait_for_timeout(700)  # the figure itself would have spoken by now
        assert page.evaluate("texts.length") == 1
        assert page.locator(".nk-covered:focus").count() == 1
