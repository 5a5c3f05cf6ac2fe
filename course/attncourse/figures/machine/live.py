"""The machine: one picture of the whole step, which grows from lesson 2 to lesson 9."""

from ..kit.controls import Fixed, Text
from ..kit.declared import Figure
from ..kit.described import Line, Table
from . import still
from .inputs import DECODER, LESSONS, as_traits, given
from .plan import CELL, WIDTH, plan_of
from .tables import FACTORS, PARTS
from .told import compute, tells

EDIT = r"[01]\.(?:X|R|E|P|WQ|WK|WV|WO)\.\d{1,2}\.\d{1,2}\.-?\d(?:\.\d{1,6})?"


class Machine(Figure):
    """The machine of all lessons, or of one: then a page has no other's numbers."""

    def __call__(self, *args, **kwargs):
        """Return a panel that begins in a state, or raise ValueError."""
        panel = super().__call__(*args, **kwargs)
        if not panel.state["whole"]:
            stage = str(panel.state["stage"])
            one = {"machines": {stage: self.data["machines"][stage]}}
            panel.view.data = self.data | one
        return panel


def _data():
    """Return what is given and the plan of each lesson, by its number."""
    stages = [*LESSONS, DECODER]
    return {
        "parts": PARTS,
        "factors": FACTORS,
        "machines": {str(n): _one(n) for n in stages},
    }


def _one(stage):
    start = given(stage)
    return {"given": as_traits(start), "plan": _as_dict(plan_of(stage)), **tells(stage)}


def _as_dict(placed):
    """Return a plan for the page, which shows a sheet at a time, without wires."""
    matrices = [one._asdict() for one in placed.matrices]
    held = placed._asdict() | {"matrices": matrices, "cell": CELL, "width": WIDTH}
    return {name: one for name, one in held.items() if name != "wires"}


def _some_edits(rng):
    bases = rng.choice(["X", "R", "E", "P", "WQ", "WK", "WV", "WO"], rng.integers(4))
    numbers = ((base, *rng.integers((2, 7, 7, 19)).tolist()) for base in bases)
    return "~".join(f"{k}.{base}.{i}.{j}.{x / 2:g}" for base, k, i, j, x in numbers)


def _some_place(rng):
    return f"{rng.choice([*PARTS])}.{rng.integers(5)}.{rng.integers(6)}"


panel = Machine(
    __file__,
    heaviest=25_000,
    controls={
        # 2 to 9 are lessons; in 10, the decoder's, a sentence asks another.
        "stage": Fixed("Lesson", 5, (*LESSONS, DECODER)),
        "choice": Fixed("Last word", 0, (0, 1)),
        "pick": Fixed("Head or layer", 0, (0, 1)),
        "at": Text(
            "Number that is looked at",
            "",
            r"(?:[A-Z]{1,2}\.\d{1,2}\.\d{1,2})?",
            "a matrix, a row and a column, such as A.4.0",
            _some_place,
        ),
        "masked": Fixed("Mask", 1, (0, 1)),
        "edits": Text(
            "Numbers that were changed",
            "",
            f"(?:{EDIT}(?:~{EDIT})*)?",
            "head or layer, matrix, row, column and number, such as 0.WQ.4.0.3",
            _some_edits,
        ),
        "whole": Fixed("A choice of lessons", 0, (0, 1)),
    },
    data=_data,
    compute=compute,
    still=still.machine,
    title="The machine: attention, with every number in it",
    summary={
        "asks": "“{asker}” asks for {row}.",
        "scores": "Scaled scores of “{asker}”: {row}.",
        "looks": "{of}“{asker}” looks at {row}.",
    },
    tables=(
        Table("What is given", "given_names", Line("numbers", "given_rows")),
        Table("What is computed", "made_names", Line("numbers", "made_rows")),
    ),
    said={
        "asks": "{asker} asks for {row}",
        "scores": "{asker}: {row}",
        "looks": "{asker}: {row}",
    },
)
