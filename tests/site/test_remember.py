"""The lessons' memory: solved, saved, exported, erased; or nothing."""

import json
import re

import pytest
from built_site import HTML, PHONE, resize, violations, wait_until

LESSON, NEXT, LANDING = (
    f"book/{name}.html" for name in ("03_scaling", "04_softmax", "index")
)
pytestmark = pytest.mark.pages(LESSON, NEXT, LANDING)
DENIED = """Object.defineProperty(window, "localStorage",
    { get() { throw new Error("denied"); } });"""
FULL = """Storage.prototype.setItem = () => { throw new Error("full"); };"""
OURS = re.compile(r"/(nokernel/|remember|kept|come-back)")
ANSWER = {
    "exercise": "scale_scores",
    "function": "mine",
    "source": "def mine(scores, d_k):\n    return scores / d_k**0.5\n",
    "verdict": {"passed": True, "findings": []},
}
# In place of what a page kept: parts of other kinds than they should be.
NONSENSE = {
    "solved": ["x"],
    "answers": {"a": 1, "b": None, "c": {"exercise": 1}},
    "missed": {"x": {}},
    "about": {"place": "here"},
    "cells": 5,
    "guesses": {"x": []},
}


@pytest.fixture
def lesson(open_page):
    return open_page(LESSON, accept_downloads=True)


def task(page, number=0):
    return page.locator(".cell.aw-task").nth(number)


def line(page):
    return page.locator(".aw-solved").inner_text()


def keep(page, part, name, value, where="book/03_scaling"):
    page.evaluate(
        "([a, b, c, d]) => nokernelMemory.note(a, b, c, d)", [part, name, value, where]
    )


def kept(page):
    return page.evaluate("nokernelMemory.all().pages")


def panel(page):
    page.get_by_role("button", name="What is kept here").first.click()
    dialog = page.get_by_role("dialog", name="What this browser remembers")
    dialog.wait_for()
    return dialog


def told(place):
    return place.locator(".aw-told:not(:empty)").last.inner_text()


def download(page, button):
    with page.expect_download() as waiting:
        button.click()
    return waiting.value


# ── Solved, and saved ──


def test_the_line_says_what_is_open_and_leads_there(lesson):
    ids = lesson.locator(".cell.aw-task").evaluate_all("all => all.map((e) => e.id)")
    n = len(ids)
    assert n >= 2
    cells = ", ".join([r"cell \d+"] * n)
    assert re.fullmatch(rf"0 of {n} solved\. Open: {cells}", line(lesson))
    lesson.get_by_role("button", name="Save my answers").click()
    assert told(lesson) == "Nothing to save yet: run an exercise first."
    assert lesson.locator(".aw-task.tag_solution").count() == 0
    keep(lesson, "solved", ids[0], 1)
    assert line(lesson).startswith(f"1 of {n} solved.")
    lesson.reload()
    assert line(lesson).startswith(f"1 of {n} solved.")
    assert task(lesson).get_attribute("data-solved") == ""
    assert lesson.locator(".aw-solved a").first.get_attribute("href") == f"#{ids[1]}"
    other = lesson.context.new_page()  # another tab counts too
    other.goto(lesson.url)
    for name in ids:
        keep(other, "solved", name, 1)
    wait_until(
        lesson, f"document.querySelector('.aw-solved').innerText.startsWith('{n}')"
    )
    assert line(lesson) == f"{n} of {n} solved."


@pytest.mark.pages("book/09_masks.html")
def test_a_verdict_that_is_only_shown_is_no_task():
    html = (HTML / "book/09_masks.html").read_text("utf-8")
    (shown,) = re.findall(r'<div class="cell ([^"]*)" id="cell-verdict-code"', html)
    assert "nk-runs" in shown
    assert "aw-task" not in shown


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param(
            f"book/{name}.html", words, marks=pytest.mark.pages(f"book/{name}.html")
        )
        for name, words in {
            "16_ask_any_attention": "You were in lesson 16, ",
            "how_far_it_looks": "You were on the page, ",
        }.items()
    ],
)
def test_the_landing_page_knows_pages_without_tasks(open_page, site, name, words):
    """They are at no stage of the machine either: lessons, and pages beside them."""
    page = open_page(name)
    section = page.locator("article section[id] > h2").nth(1)
    section.evaluate("one => one.scrollIntoView()")
    page.goto(f"{site}/{LANDING}")
    said = page.locator(".aw-back")
    assert said.inner_text().startswith(words)
    target = section_of(page, said.get_by_role("link", name="Go on"))
    assert target.startswith(f"{site}/{name}#")
    assert page.watch.clean(), page.watch.errors


def section_of(page, link):
    return page.evaluate("one => one.href", link.element_handle())


# ── The panel ──


def test_out_away_and_in_again(lesson, tmp_path):
    keep(lesson, "answers", "scale_scores", ANSWER)
    keep(lesson, "cells", "cell-x", {"text": "mine", "ours": "1"}, "book/04_softmax")
    box = panel(lesson)
    assert "(1 answer)" in box.inner_text()
    assert "1 cell edited" in box.inner_text()
    before = kept(lesson)
    file = download(lesson, box.get_by_role("button", name="Export everything"))
    file.save_as(tmp_path / "kept.json")
    box.get_by_role("button", name="Erase…").click()
    box.get_by_role("button", name="No").click()
    assert kept(lesson) == before
    box.get_by_role("button", name="Erase…").click()
    box.get_by_role("button", name="Yes, erase").click()
    assert kept(lesson) == {}
    assert "Nothing is kept yet." in box.inner_text()
    lesson.reload()  # and leaving the page does not bring a place back
    assert kept(lesson) == {}
    box = panel(lesson)
    keep(lesson, "solved", "cell-of-now", 1, "book/01_embeddings")
    box.locator("input[type=file]").set_input_files(tmp_path / "kept.json")
    box.get_by_text("Imported").wait_for()
    after = kept(lesson)
    assert after["book/04_softmax"] == before["book/04_softmax"]
    assert after["book/03_scaling"]["answers"] == {"scale_scores": ANSWER}
    assert after["book/01_embeddings"] == {"solved": {"cell-of-now": 1}}
    assert lesson.watch.clean(), lesson.watch.errors


NOT_OURS = {
    "{oops": "holds no JSON",
    "5": "is something else",
    '{"format": "attncourse-answers"}': "is something else",
    '{"format": "attncourse-memory", "version": 2}': "expected version 1, found 2",
    '{"format": "attncourse-memory", "version": 1}': "expected version 1",
}


def test_what_is_imported_is_named_if_not_ours_and_shown_as_text(lesson, tmp_path):
    keep(lesson, "answers", "scale_scores", ANSWER)
    box = panel(lesson)
    before = kept(lesson)
    for i, (text, said) in enumerate(NOT_OURS.items()):
        path = tmp_path / f"notes-{i}.json"
        path.write_text(text)
        box.locator("input[type=file]").set_input_files(path)
        box.locator(".aw-told", has_text=path.name).wait_for()
        assert said in told(box)
        assert kept(lesson) == before
    place = {
        "title": "<img src=x onerror=alert(1)>",
        "path": "//stranger.example/",
        "at": 9e15,
    }
    record = {"format": "attncourse-memory", "version": 1}
    pages = {"<b>p</b>": {"about": {"place": place}}, "q": 7}
    (tmp_path / "x.json").write_text(json.dumps(record | {"kept": {"pages": pages}}))
    box.locator("input[type=file]").set_input_files(tmp_path / "x.json")
    box.get_by_text("Imported").wait_for()
    assert box.locator("img, b").count() == 0
    lesson.goto(lesson.url.replace("03_scaling", "index"))
    links = lesson.locator(".aw-back a").evaluate_all("all => all.map((a) => a.href)")
    assert not [link for link in links if "stranger" in link]
    assert lesson.locator(".aw-back img").count() == 0
    assert lesson.watch.clean(), lesson.watch.errors


def test_it_opens_and_closes_by_keyboard_axe_finds_nothing_and_all_of_it_fits(lesson):
    keep(lesson, "answers", "scale_scores", ANSWER)
    opener = lesson.get_by_role("button", name="What is kept here")
    opener.press("Enter")
    dialog = lesson.get_by_role("dialog", name="What this browser remembers")
    dialog.wait_for()
    for place in (".aw-remembered", ".aw-kept"):
        for theme in ("light", "dark"):
            lesson.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            assert violations(lesson, place) == [], theme
        lesson.keyboard.press("Escape")
        assert not dialog.is_visible()
        assert opener.evaluate("one => one === document.activeElement")
    resize(lesson, {"width": 320, "height": 640})
    box = panel(lesson)
    assert box.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert lesson.evaluate("document.documentElement.scrollWidth") <= 320
    for button in [*box.get_by_role("button").all()]:
        if button.is_visible():
            assert button.bounding_box()["height"] >= 24


# ── Where it cannot be kept, and what may stand in its place ──


@pytest.mark.parametrize("broken", [DENIED, FULL], ids=["denied", "full"])
def test_where_nothing_is_kept_all_works_and_nothing_nags(browser, site, broken):
    context = browser.new_context(accept_downloads=True)
    page, stacks = context.new_page(), []
    page.on("pageerror", lambda error: stacks.append(error.stack))
    page.add_init_script(broken)
    page.goto(f"{site}/{LESSON}")
    text = page.locator(".aw-kept").inner_text()
    assert text.startswith("0 of ")
    keep(page, "answers", "scale_scores", ANSWER)  # as a run does
    keep(page, "solved", task(page).get_attribute("id"), 1)
    assert line(page).startswith("1 of ")
    file = download(page, page.get_by_role("button", name="Save my answers"))
    assert file.suggested_filename == "answers-03_scaling.json"
    assert "lets the page keep nothing" in panel(page).inner_text()
    page.goto(f"{site}/{LANDING}")
    assert page.locator(".aw-back").count() == 0
    # The theme and Sphinx are not prepared for it.
    assert [stack for stack in stacks if OURS.search(stack)] == []
    context.close()


@pytest.mark.pages(LESSON)
def test_from_a_folder_it_works_too(open_page):
    def comes_back():
        page = open_page(LESSON, home=HTML.as_uri())
        keep(page, "solved", task(page).get_attribute("id"), 1)
        page.reload()
        assert panel(page).is_visible()
        assert page.watch.clean(), page.watch.errors
        return line(page).startswith("1 of ")

    # On a busy machine, Chromium shows one file in twenty an empty store after a
    # reload, and all of it after the next (153, with any page that stores a word).
    assert any(comes_back() for _ in range(4))


def test_nonsense_stops_nothing(lesson, site):
    key = "Object.keys(localStorage).find((key) => key.startsWith('nokernel'))"
    keep(lesson, "solved", "x", 1)
    for text in (json.dumps({"pages": {"book/03_scaling": NONSENSE}}), "{oops"):
        # Later than what the page itself writes when it is left.
        other = lesson.context.new_page()
        other.goto(f"{site}/{LANDING}")
        lesson.goto(f"{site}/{NEXT}")
        other.evaluate(f"text => {{ localStorage[{key}] = text; }}", text)
        lesson.goto(f"{site}/{LESSON}")
        assert line(lesson).startswith("0 of ")
        lesson.get_by_role("button", name="Save my answers").click()
        assert "Nothing to save" in told(lesson)
        assert panel(lesson).is_visible()
        other.reload()
    assert lesson.watch.clean(), lesson.watch.errors


# ── Coming back ──


def test_the_landing_page_says_where_one_was(open_page, site):
    page = open_page(LANDING, viewport=PHONE)
    assert page.locator(".aw-back").count() == 0
    page.goto(f"{site}/{LESSON}")
    page.evaluate("document.getElementById('practice').scrollIntoView()")
    page.goto(f"{site}/{LANDING}")
    said = page.locator(".aw-back").inner_text()
    assert said.startswith("You were in lesson 3, Scale the scores, at")
    assert "Practice" in said
    page.get_by_role("link", name="Go on").click()
    assert page.url == f"{site}/{LESSON}#practice"
    assert page.watch.clean(), page.watch.errors
