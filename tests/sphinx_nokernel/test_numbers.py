"""Numbers of the text that stand in a figure: pointed at, focused, pressed."""

import pytest

PAGE = """# A page

The weight is {number}`0.95 <at=A.1>`, and it was {number}`7 <at=nowhere>`.

<script>
window.heard = [];
const mounted = () => document.dispatchEvent(new CustomEvent("nk:mounted"));
addEventListener("DOMContentLoaded", mounted);
document.addEventListener("nk:number", (event) => {
  const { place, how, spoken } = event.detail;
  if (place !== "at=A.1") return;
  event.preventDefault();
  heard.push(how + (spoken ? ", spoken" : ""));
});
</script>
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    from books import Book

    return Book(tmp_path_factory.mktemp("numbers")).write("index.md", PAGE)


def test_a_number_that_a_figure_knows_is_a_button_and_says_what_happens(
    book, open_folder
):
    book.build()
    page = open_folder(book.out)
    numbers = page.locator(".nk-number")
    assert numbers.all_inner_texts() == ["0.95", "7"]
    assert [one.get_attribute("role") for one in numbers.all()] == ["button", None]
    known = numbers.first
    for act, sent in (
        (lambda: known.focus(), ["ask", "peek, spoken"]),
        (lambda: page.keyboard.press("Enter"), ["go"]),
        (lambda: known.hover(), ["peek"]),
        (lambda: page.mouse.move(0, 500), []),  # it still has the focus
        (lambda: known.evaluate("one => one.blur()"), ["leave"]),
        (lambda: known.click(), ["peek", "go"]),
    ):
        act()
        assert page.evaluate("heard.splice(0)") == sent
    assert page.said == []


def test_elsewhere_it_is_text(book):
    book.build("text")
    text = (book.out / "index.txt").read_text()
    assert "The weight is 0.95, and it was 7." in text
    assert book.complaints == ""
