"""On a phone the names of controls break between words, never inside one."""

import pytest
from built_site import PHONE

# Words of which the first and the last letter don't stand on one line.
BROKEN = """(labels) => labels.flatMap((label) => {
    const letters = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (letters.nextNode()) {
        for (const found of letters.currentNode.data.matchAll(/\\p{L}+/gu)) {
            const word = document.createRange();
            word.setStart(letters.currentNode, found.index);
            word.setEnd(letters.currentNode, found.index + found[0].length);
            const tops = [...word.getClientRects()].map((one) => one.top);
            if (Math.max(...tops) - Math.min(...tops) > 5) broken.push(found[0]);
        }
    }
    return broken;
})"""
PAGES = [
    "book/11_two_layers_that_copy.html",
    "book/14_read_a_model.html",
    "book/a_model_that_writes.html",
    "book/how_far_it_looks.html",
    "book/instead_of_softmax.html",
    "book/many_users.html",
    "book/who_shares.html",
]


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.pages(one)) for one in PAGES]
)
@pytest.mark.parametrize("width", [390, 320])
def test_no_word_breaks(open_page, name, width):
    page = open_page(name, viewport={**PHONE, "width": width})
    labels = page.locator(".nk-live .nk-control :is(label, .nk-control-title):visible")
    labels.first.wait_for()
    assert labels.evaluate_all(BROKEN) == []
