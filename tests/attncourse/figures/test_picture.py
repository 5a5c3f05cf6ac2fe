"""Still pictures: their words, their looks, their size."""

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

from attncourse.figures.kit import picture as slim_svg_picture
from attncourse.figures.kit.grids import grid
from attncourse.figures.kit.picture import PHONE, on_phone, panels, picture
from attncourse.figures.kit.slim_svg import slim
from attncourse.figures.layer import still

POINTS = 72 * PHONE


def draw(*shape, **options):
    @picture
    def it():
        figure, axes = panels(*shape, **options)
        for axis in [axes] if shape == (1, 1) else axes:
            axis.plot([0, 1], "o", label="a")
        return figure, f"{len(figure.axes)} axes, {'narrow' if on_phone() else 'wide'}"

    return it()


def sizes(drawn):
    """The width and height of each drawing, in points."""
    boxes = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn._repr_html_())
    return [tuple(map(float, box)) for box in boxes]


def test_a_narrow_picture_is_drawn_once():
    drawn = draw(1, 1, size=(4.6, 2))
    assert len(sizes(drawn)) == 1
    assert drawn.narrow == ""


def test_a_row_of_axes_becomes_a_column():
    drawn = draw(1, 3, size=(7.2, 2), width_ratios=[1, 2, 3])
    (wide, _), (narrow, high) = sizes(drawn)
    assert wide == pytest.approx(7.2 * 72)
    assert narrow == pytest.approx(POINTS, abs=0.1)
    assert high == pytest.approx(0.9 * 3 * 2 * 72, abs=0.1)
    assert drawn.alt == "3 axes, wide"


def test_the_second_is_hidden_where_no_style_chooses_and_shares_no_name():
    drawn = draw(1, 1, size=(7.2, 3))
    first, second = drawn.svg, drawn.narrow
    assert 'class="aw-narrow" style="display: none' in second
    assert "display: none" not in first
    names = [set(re.findall(r' id="([^"]+)"', one)) for one in (first, second)]
    assert names[0]
    assert names[1]
    assert not names[0] & names[1]


def test_a_picture_may_say_how_high_it_is_or_that_it_stays():
    assert sizes(draw(1, 2, size=(7.2, 3), phone=5))[1][1] == pytest.approx(360)
    assert len(sizes(draw(1, 2, size=(7.2, 3), phone=False))) == 1


def test_nothing_of_a_phone_is_left_after_an_error():
    @picture
    def broken():
        if on_phone():
            raise KeyError
        return panels()[0], ""

    with pytest.raises(KeyError):
        broken()
    assert not on_phone()


def test_a_long_label_breaks_on_a_phone():
    @picture
    def it():
        figure, axis = panels()
        axis.set(xlabel="gigabytes, or as long as reading so many takes")
        return figure, ""

    assert "so many takes" in it().svg
    assert "so many takes" not in it().narrow


@pytest.mark.parametrize(
    ("names", "turned"), [("ab", False), (["says alive"] * 5, True)]
)
def test_long_names_above_columns_are_turned_on_a_phone(names, turned):
    @picture
    def table():
        figure, axis = panels()
        grid(axis, [[1] * len(names)], columns=names)
        return figure, ""

    drawn = table()
    assert "rotate(-40" not in drawn.svg
    assert ("rotate(-40" in drawn.narrow) == turned


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
        '<svg><defs><path id="m1" d="M0 0L3.5 -1e-05L1.23 -7z"/></defs>'
        "<g><text>a  b</text>"
        '<g transform="scale(2)"><use href="#m1"/></g></g></svg>'
    )


def test_a_rectangle_is_a_corner_and_its_sides():
    open_one = '<path d="M 2 30 L 5.5 30 L 5.5 10.25 L 2 10.25"/>'
    closed = open_one.replace('"/>', ' z"/>'), open_one.replace('"/>', ' L 2 30 z"/>')
    assert {slim(one) for one in closed} == {'<path d="M2 30h3.5v-19.75h-3.5z"/>'}
    assert slim(open_one) == '<path d="M2 30L5.5 30L5.5 10.25L2 10.25"/>'


def corners(path):
    """The commands and numbers of a path, a rectangle by all its corners."""
    if "h" not in path:
        return [rounded(one) for one in PART.findall(path.replace("z", ""))]
    x, y, wide, high, _ = map(float, NUMBER.findall(path))
    right, low = x + wide, y + high
    return corners(f"M{x} {y}L{right} {y}L{right} {low}L{x} {low}")


def closed(path):
    """The same, without the way back to the first corner of what is closed."""
    found = corners(path)
    back = path.endswith("z") and found[1:3] == found[-2:]
    return [*found[: -3 if back else None], path[-1] == "z"]


def rounded(text):
    """A number to the hundredth of a point, and a command as it is."""
    return text if text.isalpha() else f"{float(text):.2f}"


def drawn(svg):
    """What a picture draws, in order, each with the attributes that it inherits."""
    found = []

    def walk(node, inherited):
        own = {k: " ".join(v.split()) for k, v in node.attrib.items() if k != "id"}
        if "d" in own:
            own["d"] = closed(own["d"].strip())
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
    with mpl.rc_context(slim_svg_picture.STYLE):
        monkeypatch.setattr(slim_svg_picture, "slim", lambda svg: svg)
        words = ["dog", "it"] if name == "plain" else ["a & b", "<it>", "“x”"]
        whole = still.layer(words).svg
    assert len(slim(whole)) < 0.9 * len(whole)
    assert drawn(slim(whole)) == drawn(whole)
