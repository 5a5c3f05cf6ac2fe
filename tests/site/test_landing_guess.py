"""The landing page: guess, see, change a word, guess again, and look at the others."""

import pytest
from built_site import PHONE, tap, violations

SURPRISE = "a lovely picture fall apart"


@pytest.fixture
def landing(open_page):
    return open_page("book/index.html", viewport=PHONE, has_touch=True)


def tap_word(page, word):
    tap(page.locator(".aw-sentence button", has_text=word))


def says(page):
    return page.locator(".aw-says").inner_text()


def shares(page):
    return page.locator(".aw-sentence small").all_inner_texts()


def ticked(page):
    """The words that are marked as the right one."""
    return page.locator(".aw-sentence button").evaluate_all("""all => all
        .filter((one) => /✓/.test(getComputedStyle(one.lastChild, "::before").content))
        .map((one) => one.firstChild.textContent)""")


def test_before_a_guess_nothing_is_given_away_and_show_me_marks_the_word(landing):
    landing.evaluate("window.nokernelPredictions.forget()")
    assert not landing.get_by_text(SURPRISE).is_visible()
    assert "dog" not in says(landing)
    assert not any(text.strip() for text in shares(landing))
    widths = landing.locator(".aw-arc").evaluate_all(
        "arcs => arcs.map((arc) => Number(arc.getAttribute('stroke-width')))"
    )
    assert max(widths) == 0
    assert ticked(landing) == []
    tap(landing.locator(".aw-next"))
    assert says(landing).startswith("“it” looks at “dog”")
    assert ticked(landing) == ["dog"]


def test_words_are_large_enough_to_touch(landing):
    """In the first screen, with one button below to begin."""
    box = landing.locator(".aw-sentence").bounding_box()
    assert box["y"] + box["height"] < landing.viewport_size["height"]
    for button in landing.locator(".aw-sentence button").all():
        box = button.bounding_box()
        assert box["width"] >= 24
        assert box["height"] >= 44
    landing.get_by_role("link", name="Begin with lesson 1").click()
    assert landing.url.endswith("book/01_embeddings.html")


def test_every_word_can_be_read_on_its_share(landing):
    """In both themes, up to the largest share there is."""
    landing.evaluate("window.nokernelPredictions.forget()")
    landing.locator(".nk-challenge .nk-show").click()
    landing.locator(".aw-sentence small", has_text="0.90").wait_for()
    for scheme in ("light", "dark"):
        landing.emulate_media(color_scheme=scheme)
        assert violations(landing, ".aw-guess") == []


def test_a_guessed_word_shows_its_focus(landing):
    """Words are buttons for the keyboard."""
    landing.locator(".aw-sentence button").first.focus()
    landing.keyboard.press("Tab")
    landing.keyboard.press("Enter")
    assert "You guessed it" in says(landing)
    word = landing.locator(".aw-sentence button").nth(1)
    look = "one => ['Style', 'Color'].map((x) => getComputedStyle(one)[`outline${x}`])"
    focused = word.evaluate(look)
    landing.keyboard.press("Tab")
    assert word.get_attribute("aria-pressed") == "true"
    assert word.evaluate(look) != focused


def test_it_says_dog_and_says_dog_again(landing):
    landing.evaluate("window.nokernelPredictions.forget()")
    tap_word(landing, "food")
    assert "“dog”, with 0.60" in says(landing)
    assert "Your guess, “food”, gets 0.12" in says(landing)
    assert ticked(landing) == ["dog"]
    tap(landing.locator(".aw-next"))
    assert "Tap a word" in says(landing)
    assert "delicious" in landing.locator(".aw-sentence").inner_text()
    tap_word(landing, "food")
    assert says(landing).startswith("Still “dog”: 0.51")
    tap(landing.locator(".aw-next"))
    assert says(landing).startswith("Every word looks most at “dog”")
    assert min(map(float, shares(landing))) == 0.29
    assert landing.get_by_text(SURPRISE).is_visible()
    assert landing.watch.clean()


def test_the_controls_do_the_same(landing):
    landing.get_by_label("Your guess").select_option("dog")
    assert "You guessed it" in says(landing)
    landing.get_by_label("Show", exact=True).select_option("because")
    assert says(landing) == "“because” looks at “dog” too: 0.36."
    tap(landing.locator(".nk-chips label", has_text="delicious"))
    assert "Tap a word" in says(landing)
    tap(landing.locator(".nk-chips label", has_text="hungry"))
    assert "You guessed it" in says(landing)
