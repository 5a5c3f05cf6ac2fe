"""The page on writing: type, click, look; it writes what attnlib writes."""

import pytest
from built_site import PHONE

from attncourse.figures.writer.live import panel
from attncourse.figures.writer.written import written
from attncourse.toys.writer.stories import WORDS

NAME = "book/a_model_that_writes.html"
pytestmark = pytest.mark.pages(NAME)
COLORS = """[...document.querySelectorAll(".aw-written span")].map((one) =>
  one.style.getPropertyValue("--share")).join()"""


@pytest.fixture
def page(open_page):
    return open_page(NAME, viewport=PHONE)


def text(page):
    return page.locator(".aw-written").inner_text().split()


def slide(page, label, value):
    page.get_by_label(label, exact=True).fill(str(value))


def test_the_line_stands_on_a_phones_first_screen(page):
    """Within the figure: what is typed, what is written, before any slider but one."""
    line = page.get_by_label("Beginning", exact=True).bounding_box()
    figure = page.locator(".aw-panel").first.bounding_box()
    assert line["y"] - figure["y"] < 150
    sliders = page.locator(".aw-panel").first.locator("input[type=range]").all()
    above = [one for one in sliders if one.bounding_box()["y"] < line["y"]]
    assert (len(above), len(sliders)) == (1, 6)
    assert page.locator(".aw-panel details:has(input[type=range])").count() == 1


def test_it_writes_what_attnlib_writes(page):
    slide(page, "Words it adds", 40)
    slide(page, "Temperature", 1.5)
    slide(page, "Top-p", 0.8)
    slide(page, "Attempt", 3)
    values = {"added": 40, "temperature": 1.5, "top_k": 37, "top_p": 0.8, "attempt": 3}
    now = written(panel().view.beginning, **values)
    assert text(page) == now.words
    shares = page.locator(".aw-share").all_inner_texts()
    names = page.locator(".aw-name").all_inner_texts()
    assert len(shares) == 8
    for name, share in zip(names, shares, strict=True):
        assert float(share) == pytest.approx(now.probabilities[name], abs=0.0051)
    assert f"{now.cache_bytes:,} bytes" in page.locator(".aw-writer svg").text_content()
    assert page.watch.clean()


def test_one_typed_word_changes_what_comes(page):
    line = page.get_by_label("Beginning", exact=True)
    assert page.locator(".aw-name").first.inner_text() == "dog"
    line.fill("a dog ate the food because it was delicious. then the")
    assert page.locator(".aw-name").first.inner_text() == "food"
    line.fill("a wolf")
    status = page.locator(".aw-writer .aw-caption[role=status]")
    stays = "Below stands the last"
    known = f"“wolf” is not among the {len(WORDS)} words it knows."
    assert status.inner_text().startswith(f"{known} {stays}")
    assert line.get_attribute("aria-invalid") == "true"
    assert text(page)[-1] == "the"  # what was written before stays
    line.fill("")
    assert status.inner_text().startswith(f"Type a word that it knows. {stays}")
    line.fill("a " * 41)
    assert status.inner_text().startswith(f"At most 40 words: these are 41. {stays}")
    line.fill("A cat")
    assert (status.inner_text(), text(page)) == ("", ["a", "cat"])
    assert line.get_attribute("aria-invalid") == "false"
    assert page.watch.clean()


def test_a_click_writes_a_word_and_another_looks(page):
    slide(page, "Words it adds", 3)
    before = text(page)
    page.locator(".aw-next").nth(1).click()
    assert text(page)[:-1] == before
    assert page.get_by_label("Words it adds", exact=True).input_value() == "0"
    page.locator(".aw-written span").nth(1).click()
    assert page.locator(".aw-from").inner_text() == "dog"
    steps = page.get_by_label("Steps back", exact=True).input_value()
    assert int(steps) == len(before) - 1
    heads = page.locator(".aw-head-row")
    shares = (
        "[...document.querySelectorAll('.aw-written span')].map((one) => one.style)"
    )
    colors = f"{shares}.map((style) => style.getPropertyValue('--share')).join()"
    look = page.evaluate(colors)
    heads.nth(0).press("Enter")
    pressed = [h.get_attribute("aria-pressed") for h in heads.all()]
    assert pressed == ["true", "false", "false", "false"]
    assert page.evaluate(COLORS) != look
    assert page.watch.clean()
