"""The machine's numbers in words: a line for each row of each matrix."""

from types import SimpleNamespace

import numpy as np

from ..kit.slots import plain, show
from .inputs import DECODER, given, names
from .plan import lesson_of, plan_of
from .tables import PARTS, tables

# Of whom the machine tells, a word by its place; lessons that are not here tell of the
# last word of five.
ASKERS = {7: 1, 8: 3, 9: 3, DECODER: 2}


class Computed(SimpleNamespace):
    """What attnlib computes from the numbers that the machine shows.

    Parameters
    ----------
    traces : list of AttentionTrace
        One for each head or layer, with all matrices from X to the output; none of
        the decoder, which attends to another sentence.
    found : list of dict of str to array
        All matrices of each head or layer, by the names of `PARTS`.
    **numbers
        The same as plain data and in words, as the page has them.
    """

    __slots__ = ("found", "traces")  # are no part of what the page computes, too

    def __init__(self, traces, found, **numbers):
        super().__init__(**numbers)
        self.traces, self.found = traces, found


def tells(stage):
    """Return of what the machine of a lesson tells: the case, a matrix, and a word."""
    case, base = {2: ("asks", "Q"), 3: ("scores", "D")}.get(stage, ("looks", "A"))
    return {"case": case, "tells": base, "asker": ASKERS.get(stage, 4)}


def parsed(edits):
    """Return the edits of a text: [block, matrix, row, column, number] each."""
    parts = (one.split(".", 4) for one in edits.upper().split("~") if one)
    return [[int(k), base, int(i), int(j), float(x)] for k, base, i, j, x in parts]


def compute(stage, choice, pick, at, masked, edits, whole):
    """Let attnlib compute what the machine shows."""
    start, now = given(stage), tells(stage)
    is_masked = start.masks and bool(masked)
    computed = tables(start, choice, parsed(edits), is_masked)
    found = [table for _, table in computed]
    own = min(pick, len(found) - 1)
    named = names(start, choice, own)
    row = found[own][now["tells"]][now["asker"]]
    kind = "Layer" if start.network else "Head"
    return Computed(
        [trace for trace, _ in computed if trace],
        found,
        tables=[{name: _plain(x) for name, x in one.items()} for one in found],
        case=now["case"],
        asker=named["word"][now["asker"]],
        row=_line(row, named[PARTS[now["tells"]].columns]),
        of=f"{kind} {own + 1}: " if len(found) > 1 else "",
        **_lines(start, stage, choice, found),
    )


def _plain(table):
    """Return a matrix as JSON can write it, where there is no −∞."""
    return [[None if x == -np.inf else x for x in row] for row in plain(table)]


def _lines(start, stage, choice, found):
    """Return the lines of all rows, of what is given and of what is computed."""
    shown = {one.base: 0 for one in plan_of(stage).matrices if lesson_of(one) <= stage}
    kind, lines = "layer" if start.network else "head", {True: [], False: []}
    for k, table in enumerate(found):
        named = names(start, choice, k)
        of = f"{kind} {k + 1}, " if len(found) > 1 else ""
        for base in shown:
            name, rows, columns, *_ = PARTS[base]
            lines[_is_given(base, start, k)] += [
                (f"{of}{name}, {named[rows][i]}", _line(row, named[columns]))
                for i, row in enumerate(table[base])
            ]
    return {
        f"{part}_{key}": [one[n] for one in lines[part == "given"]]
        for part in ("given", "made")
        for n, key in enumerate(("names", "rows"))
    }


def _is_given(base, start, block):
    made = start.positions or (start.network and block)
    return base[0] == "W" or base in "EPR" or (base == "X" and not made)


def _line(row, columns):
    pairs = zip(columns, row, strict=True)
    return ", ".join(f"{name} {_written(x)}" for name, x in pairs)


def _written(number):
    if number == -np.inf:
        return "covered"
    whole = abs(number - round(number)) < 1e-9
    return show(float(number), ".0f" if whole else ".2f")
