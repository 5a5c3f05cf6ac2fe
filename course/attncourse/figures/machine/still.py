"""The still picture of the machine: the same plan, drawn by matplotlib."""

from ..kit.picture import panels, picture
from .drawing import draw, lesson_of, ramp
from .given import given, names
from .lettering import short
from .parts import PARTS
from .places import WIDTH
from .plans import plan_of
from .tables import tables


@picture
def machine(stage, choice=0):
    """Draw the machine of one lesson.

    Parameters
    ----------
    stage : int
        The lesson; what comes later is an outline.
    choice : int
        0 for "hungry", 1 for "delicious".
    """
    start = given(stage)
    placed, known = plan_of(stage), names(start, choice)
    found = [table for _, table in tables(start, choice, masked=start.masks)]
    figure, axis = panels(size=(WIDTH / 100, placed.height / 100), phone=False)
    figure.set_layout_engine("none")
    axis.set_position([0, 0, 1, 1])
    axis.set(xlim=(0, WIDTH), ylim=(placed.height, 0))
    axis.set_axis_off()
    draw(axis, placed, known, found[0], stage)
    if placed.ramp:
        ramp(axis, placed.ramp, start.network)
    said = ["The machine, row by row"]
    for block, one in enumerate(start.blocks):
        if len(start.blocks) > 1:
            said.append(
                f"{'Layer' if start.network else 'Head'} {block + 1}, {one.name}"
            )
        said.extend(_words(placed, names(start, choice, block), found[block], stage))
    return figure, ". ".join(said) + "."


def _words(placed, names, tables, stage):
    shown = {m.base: m for m in placed.matrices if lesson_of(m) <= stage}
    said = []
    for base in shown:
        rows = names[PARTS[base].rows]
        lines = (
            f"{name} {' '.join(map(short, row))}"
            for name, row in zip(rows, tables[base], strict=True)
        )
        said.append(f"{PARTS[base].name}: {'; '.join(lines)}")
    return said
