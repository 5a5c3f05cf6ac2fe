"""A picture with fewer characters is the same picture."""

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

from attncourse.figures.kit import picture
from attncourse.figures.kit.slim_svg import slim
from attncourse.figures.layer import still

SVG = "{http://www.w3.org/2000/svg}"
PART = re.compile(r"[A-DF-Za-df-z]|[-+.\de]*\d")
NUMBER = re.compile(r"-?[\d.]+")
FINE = {"x", "y", "width", "height", "transform"}
OTHER_FONTS = re.compile(r", [^;]*(?=, sans-serif)")
AS_DRAWN = """<svg><!-- it --><defs><path id="m1" d="M 0 0
L 3.5 -1e-05 L 1.23456 -7.005 z"/></defs><g id="axes_1"><g id="text_1">
 <text>a  b</text> </g><g transform="scale(2)"><g><use href="#m1"/></g></g></g></svg>"""


def test_leaves_out_what_draws_nothing():
    assert slim(AS_DRAWN) == (
        '<svg><defs><path id="m1" d="M0 0L3.5 -1e-05L1.23 -7.00z"/></defs>'
        "<g><text>a  b</text>"
        '<g transform="scale(2)"><use href="#m1"/></g></g></svg>'
    )


def rounded(text):
    """A number to the hundredth of a point, and a command as it is."""
    return text if text.isalpha() else f"{float(text):.2f}"


def drawn(svg):
    """What a picture draws, in order, each with the attributes that it inherits."""
    found = []

    def walk(node, inherited):
        own = {k: " ".join(v.split()) for k, v in node.attrib.items() if k != "id"}
        if "d" in own:
            own["d"] = [rounded(one) for one in PART.findall(own["d"])]
        own |= {k: NUMBER.sub(lambda n: rounded(n[0]), own[k]) for k in FINE & set(own)}
        if own.get("transform", "").startswith("rotate(-0.00 "):  # turns nothing
            del own["transform"]
        own |= {k: OTHER_FONTS.sub("", own[k]) for k in {"style"} & set(own)}
        if node.tag != f"{SVG}g" and node.tag != f"{SVG}svg":
            found.append((node.tag, inherited, own, (node.text or "").strip()))
        for one in node:
            walk(one, [*inherited, own] if node.tag == f"{SVG}g" and own else inherited)

    walk(ET.fromstring(svg), [])
    return found


@pytest.mark.parametrize("name", ["plain", "themed"])
def test_draws_the_same(monkeypatch, name):
    with mpl.rc_context(picture.STYLE):
        monkeypatch.setattr(picture, "slim", lambda svg: svg)
        words = ["dog", "it"] if name == "plain" else ["a & b", "<it>", "“x”"]
        whole = still.layer(words).svg
    assert len(slim(whole)) < 0.9 * len(whole)
    assert drawn(slim(whole)) == drawn(whole)
