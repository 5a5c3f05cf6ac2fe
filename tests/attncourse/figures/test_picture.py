"""A picture that is wider than a phone is drawn a second time, for one."""

import re

import pytest

from attncourse.figures.kit.grids import grid
from attncourse.figures.kit.picture import PHONE, on_phone, panels, picture

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
