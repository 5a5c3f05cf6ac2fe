"""Text set wider, as WCAG 1.4.12 lets a reader set it: all is there, nothing leaves."""

import pytest
from built_site import PHONE, uncover
from test_large_letters import OUTSIDE, PAGES

WIDER = """
* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }
"""
# Lines of text that a box cuts off: it neither grows nor scrolls.
CUT = """() => [...document.querySelectorAll("article *")].filter((one) => {
    const style = getComputedStyle(one);
    const text = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const hides = ["hidden", "clip"].includes(style.overflowY);
    return text && hides && one.clientHeight > 1 &&
        one.scrollHeight > one.clientHeight + 1;
}).map((one) => `${one.localName}.${one.className} ${one.textContent}`.slice(0, 90))"""


@pytest.mark.parametrize("width", [PHONE["width"], 1280])
def test_wider_text_fits(open_page, width):
    for name in PAGES:
        page = open_page(f"book/{name}.html", viewport={"width": width, "height": 844})
        uncover(page)
        page.add_style_tag(content=WIDER)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(CUT) == [], name
        if width == PHONE["width"]:  # a wider screen has room beside the frame
            assert page.evaluate(OUTSIDE) == [], name
