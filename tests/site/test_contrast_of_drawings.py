"""Letters of drawings stand out from the page, in both themes.

axe does not judge them: here their fill, times every opacity above it, is laid on the
background of the page. Of what lies under a letter in the drawing, only the machine's
cells count.
"""

import pytest
from built_site import pages_with_figures, uncover

pytestmark = pytest.mark.long

LETTERS = 4.5
FAINT = """(least) => {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
  };
  const light = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) =>
    0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const behind = (one) => {
    for (let up = one.closest("svg"); up; up = up.parentElement) {
      const color = rgba(getComputedStyle(up).backgroundColor);
      if (color[3] === 1) return color;
    }
    return rgba("Canvas");
  };
  const over = (front, alpha, back) =>
    front.slice(0, 3).map((v, k) => alpha * v + (1 - alpha) * back[k]);
  const cell = (one, back) => { // a number of the machine stands on its cell
    const rect = one.closest(".mx-cell")?.querySelector("rect");
    const look = rect && getComputedStyle(rect);
    return look ? over(rgba(look.fill), parseFloat(look.fillOpacity), back) : back;
  };
  const found = [...document.querySelectorAll(".nk-live svg text")].flatMap((one) => {
    const style = getComputedStyle(one), back = cell(one, behind(one));
    const fill = rgba(style.fill);
    const unseen = !one.getClientRects().length || style.visibility === "hidden";
    if (unseen || style.fill === "none" || !one.textContent.trim()) return [];
    let alpha = fill[3] * parseFloat(style.fillOpacity);
    for (let up = one; up.parentElement; up = up.parentElement) {
      alpha *= parseFloat(getComputedStyle(up).opacity);
    }
    const seen = over(fill, alpha, back);
    const [low, high] = [luminance(seen), luminance(back)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    const place = one.closest(".aw-view").className;
    return ratio < least ? [`${one.textContent} ${ratio.toFixed(1)} ${place}`] : [];
  });
  return [...new Set(found)];
}"""


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param


@pytest.mark.parametrize("name", pages_with_figures())
def test_letters_of_drawings_stand_out(open_page, name, theme):
    page = open_page(name, color_scheme=theme)
    uncover(page)
    assert page.evaluate(FAINT, LETTERS) == []
