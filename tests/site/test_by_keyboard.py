"""What a pointer does in a figure's drawing a keyboard does too, and it has names."""

import pytest
from built_site import wait_until

FOCUSED = "document.activeElement.getAttribute('aria-label')"
PRESSED = "document.activeElement.getAttribute('aria-pressed')"
SHOWN = """() => {
  const box = document.activeElement.getBoundingClientRect();
  const style = getComputedStyle(document.activeElement);
  const seen = box.top >= 0 && box.bottom <= innerHeight;
  return seen && parseFloat(style.outlineWidth) > 1;
}"""
SAYS = "document.getElementById('aw-voice')?.textContent"


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return page.evaluate(FOCUSED)


@pytest.mark.pages("book/09_masks.html")
def test_cells_of_the_mask_are_flipped_by_keyboard(open_page):
    page = open_page("book/09_masks.html")
    grid = page.locator(".aw-masks [role=grid]")
    assert grid.locator("[tabindex='0']").count() == 1
    grid.locator("[tabindex='0']").focus()
    assert press(page, *["ArrowDown"] * 4, "Home") == "it may look at dog"
    assert press(page, *["ArrowUp"] * 9) == "change dog"
    assert press(page, *["ArrowDown"] * 4, "End") == "it may look at delicious"
    assert page.evaluate(PRESSED) == "true"
    assert page.evaluate(SHOWN)
    press(page, "Enter")
    assert page.evaluate(PRESSED) == "false"
    wait_until(page, f"{SAYS}?.includes('No earlier row changed')")
    press(page, "Space")
    assert page.evaluate(PRESSED) == "true"
    press(page, *["ArrowUp"] * 4, "Enter")  # the last word becomes the next one
    assert page.evaluate(FOCUSED) == "change dog"
    assert page.watch.clean()
