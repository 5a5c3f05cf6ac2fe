"""The cells that a figure's words call framed have a frame, in both themes."""

import pytest

FRAMES = """all => all.map((one) => {
  const { stroke, strokeWidth } = getComputedStyle(one);
  return [stroke, strokeWidth];
})"""
PAGES = ("book/10_learn_the_weights.html", "book/what_the_scale_does.html")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.pages(name)) for name in PAGES]
)
def test_named_cells_are_framed_in_the_color_of_the_text(open_page, name, theme):
    page = open_page(name, color_scheme=theme)
    view = page.locator(".aw-view:has(.aw-marked)").first
    frames = view.locator(".aw-marked").evaluate_all(FRAMES)
    others = view.locator(".aw-cell:not(.aw-marked)").evaluate_all(FRAMES)
    text = view.evaluate("one => getComputedStyle(one).color")
    assert len(frames) > 1
    assert {tuple(one) for one in frames} == {(text, "2px")}
    assert {stroke for stroke, _ in others} == {"none"}
