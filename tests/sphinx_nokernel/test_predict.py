"""Predictions in a browser: what covers, what uncovers, what is said and remembered."""

import pytest

PAGE = """# Predict

## One

:::{predict} Which word?
:name: first
- [ ] food
  - Not alive.
- [x] dog
  - Yes: alive.
- [ ] itself
  - Not there.
:::

The answer is dog. [A link](#second).

(inside)=
A place to link to.

## Two

:::{predict} Which of these?
:name: second
:any:
- [ ] this
  - As you like.
- [ ] that
  - As you wish.
:::

Both will do.

## Three

See [inside](#inside).
"""
ANSWER = "The answer is dog."


def answer(page):
    return page.get_by_text(ANSWER)


def choice(page, name):
    """The radio button beside these words: after a guess its name says more."""
    return page.locator(f".nk-choice:has(> label:text-is('{name}')) input")


def said(page, number=0):
    return page.locator(".nk-predict [role=status]").nth(number).inner_text()


def test_what_follows_is_covered_until_a_guess(page):
    assert not answer(page).is_visible()
    assert page.get_by_text("Show me").first.is_visible()
    page.get_by_text("food", exact=True).click()
    assert answer(page).is_visible()
    assert page.get_by_text("Not alive.").first.is_visible()
    assert said(page) == (
        "Not so. Not alive. The answer: dog. Alive. The page goes on below."
    )
    assert not page.get_by_text("Both will do.").is_visible()
    assert page.get_by_role("button", name="Show me").count() == 1  # the other one


def test_covered_parts_take_no_focus(page):
    page.locator(".nk-predict input").first.focus()
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.textContent"))
    assert "A link" not in seen


def test_arrow_keys_look_at_choices_and_space_or_enter_guesses(page):
    page.locator("body").press("Tab")
    choice(page, "food").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert choice(page, "itself").evaluate("one => one === document.activeElement")
    page.keyboard.press("ArrowDown")  # round the end
    assert choice(page, "food").evaluate("one => one === document.activeElement")
    assert not answer(page).is_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert answer(page).is_visible()
    assert choice(page, "dog").is_checked()
    assert choice(page, "dog").evaluate("one => one === document.activeElement")
    assert said(page).startswith("Yes: alive. The")


def test_show_me_uncovers_and_takes_the_focus_along(page):
    page.get_by_role("button", name="Show me").first.press("Enter")
    assert answer(page).is_visible()
    assert page.evaluate("document.activeElement.className") == "nk-covered"
    assert said(page) == "The answer: dog. Alive."


def _guess_wrong(page):
    choice(page, "food").check()
    return ["Not alive.", "Alive."]


def _guess_right(page):
    choice(page, "dog").check()
    return ["Yes: alive."]


def _ask(page):
    page.get_by_role("button", name="Show me").first.click()
    return ["Alive."]


@pytest.mark.parametrize("act", [_guess_wrong, _guess_right, _ask])
def test_the_right_choice_is_marked_with_its_sentence(page, act):
    mark = "one => getComputedStyle(one, '::after').content"
    label, sentences = (
        page.locator(".nk-right label"),
        page.locator("#first .nk-feedback"),
    )
    assert "✓" not in label.evaluate(mark)
    assert not any(one.is_visible() for one in sentences.all())
    shown = act(page)
    for _ in range(2):  # at once, and on the next visit
        assert "✓" in label.evaluate(mark)
        assert [
            one.inner_text() for one in sentences.all() if one.is_visible()
        ] == shown
        page.reload()


def test_a_guess_after_the_answer_was_shown_is_no_first_guess(page):
    _ask(page)
    page.evaluate("""() => document.addEventListener("nk:guessed",
        ({ detail }) => { window.guessed = detail; })""")
    choice(page, "dog").check()
    assert page.evaluate("window.guessed") == {"first": False, "right": True}


def test_where_no_choice_is_right_show_me_marks_and_says_none(page):
    page.get_by_role("button", name="Show me").last.click()
    assert page.get_by_text("Both will do.").is_visible()
    assert said(page, 1) == ""
    assert not page.locator("#second .nk-feedback:visible").count()


def test_formulas_are_said_once(page):
    page.locator(".nk-right label").evaluate("""label => {
        label.insertAdjacentHTML("beforeend", ` <math><semantics><mi>d</mi>
            </semantics></math><span class=nk-tex>TeX</span><b aria-hidden=true>d</b>`);
    }""")
    _ask(page)
    assert " ".join(said(page).split()) == "The answer: dog d. Alive."


def test_with_any_there_is_no_verdict(page):
    choice(page, "that").check()
    assert said(page, 1) == "As you wish. The page goes on below."


def test_guesses_are_remembered_until_one_starts_over(page):
    choice(page, "dog").check()
    page.get_by_role("button", name="Show me").last.click()
    page.reload()
    assert answer(page).is_visible()
    assert page.get_by_text("Both will do.").is_visible()
    assert choice(page, "dog").is_checked()
    page.get_by_role("button", name="start over").click()
    assert not answer(page).is_visible()
    assert not choice(page, "dog").is_checked()
    assert page.evaluate("document.activeElement.id") == "first"
    page.reload()
    assert not answer(page).is_visible()
    assert page.get_by_role("button", name="start over").count() == 0


def test_a_link_into_a_covered_part_uncovers_it(page, open_folder, folder):
    page.get_by_role("link", name="inside").click()
    assert page.get_by_text("A place to link to.").is_visible()
    assert page.locator("#first .nk-right .nk-feedback").is_visible()  # why it is one
    assert not page.get_by_text("Both will do.").is_visible()
    arrived = open_folder(folder, fragment="#inside")
    arrived.get_by_text("A place to link to.").wait_for()
    assert arrived.get_by_text("A place to link to.").is_visible()


def test_an_address_that_cannot_be_read_stops_nothing(open_folder, folder):
    page = open_folder(folder, fragment="#100%")
    page.get_by_role("link", name="inside").click()
    assert page.get_by_text("A place to link to.").is_visible()
    shows = page.get_by_role("button", name="Show me")
    assert [show.is_visible() for show in shows.all()] == [True]  # of the second


def test_a_search_in_the_page_uncovers_what_it_finds(page):
    covered = page.locator(".nk-covered").first
    assert covered.get_attribute("hidden") == "until-found"
    covered.dispatch_event("beforematch", {"bubbles": True})
    assert covered.get_attribute("hidden") is None


def test_paper_and_a_script_that_fails_leave_all_open(page, open_folder, folder):
    page.emulate_media(media="print")
    assert answer(page).is_visible()
    assert page.get_by_text("As you like.").is_visible()
    assert not page.get_by_text("Show me").first.is_visible()
    broken = open_folder(folder, block="**/predict.js*")
    broken.wait_for_load_state("load")
    assert answer(broken).is_visible()
