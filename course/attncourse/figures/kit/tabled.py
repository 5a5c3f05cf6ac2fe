"""A figure of few states: all are computed at build, and one script draws them.

A card's figure has one or two controls of a few positions. Its page brings the numbers
of every state along, so it needs no JavaScript of its own: `tabled.js` looks them up,
and draws `Bars`, `Curves` or a `Grid` of them.
"""

import itertools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .controls import Check, Slider
from .declared import Figure
from .described import Line, Matrix, Table
from .picture import INK, KEY, MUTED, QUERY, VALUE, WEIGHTS, panels
from .slots import plain, show

SCRIPT = Path(__file__).with_name("few_states.js")
DIGITS = 5  # of a number that is no whole one, as it is sent
MOST_STATES = 64
LINES = (WEIGHTS, QUERY, KEY, VALUE, MUTED)
APART = 0.09  # of the height: names at the ends of lines


class Tabled(Figure):
    """What makes panels of a figure of few states.

    Parameters
    ----------
    name : str
    compute : callable
        Takes the state by name; returns a dict of numbers, texts and lists of them.
    drawn : Bars, Curves, Grid, or tuple of such
    beside
        As in `Figure`: a figure with a challenge has a script, with its goal.
    **how
        As in `Figure`; the controls are choices, boxes to tick and sliders over whole
        numbers.
    """

    def __init__(self, name, *, compute, drawn, beside: str | Path = SCRIPT, **how):
        self._free = compute
        self._found: dict[tuple, dict[str, Any]] = {}
        self.drawings = drawn if isinstance(drawn, tuple) else (drawn,)
        super().__init__(
            beside,
            name=name,
            compute=self._compute,
            data=self._table,
            still=self._draw,
            tables=tuple(one.table() for one in self.drawings),
            **how,
        )

    def _compute(self, **state):
        """Compute a state once: there are few, and each is asked for often."""
        if (key := (*state.items(),)) not in self._found:
            self._found[key] = self.computed_anew(**state)
        return dict(self._found[key])

    def computed_anew(self, **state):
        """Compute a state, whether it was computed before or not."""
        now = _sent(plain(self._free(**state)))
        for one in self.drawings:
            if isinstance(one, Grid):
                now |= one.by_row(now)
            elif isinstance(one, Curves) and one.moves:
                every = positions(self.controls[one.moves])
                now[one.at] = every.index(state[one.moves])
            elif isinstance(one, Curves):
                now.setdefault(one.at, len(now[one.x]) - 1)
        return now

    def _table(self):
        """Compute every state: what is the same in all, and the rest state by state."""
        axes = {name: positions(one) for name, one in self.controls.items()}
        states = [
            dict(zip(axes, values, strict=True))
            for values in itertools.product(*axes.values())
        ]
        if len(states) > MOST_STATES:
            raise ValueError(
                f"{self.name}: {len(states)} states, at most {MOST_STATES}"
            )
        found = [self.compute(**state) for state in states]
        columns = {key: [one[key] for one in found] for key in found[0]}
        drawings = [one.spec(columns) for one in self.drawings]
        for one in drawings:
            for key in one.get("listed", ()):
                del columns[by_row(key)]  # the page lists them itself
        same = {k: c[0] for k, c in columns.items() if c.count(c[0]) == len(c)}
        apart = {key: column for key, column in columns.items() if key not in same}
        axes = [[name, values] for name, values in axes.items()]
        return {"axes": axes, "same": same, "apart": apart, "drawings": drawings}

    def _draw(self, state, now):
        sizes = [one.height(now) for one in self.drawings]
        several = len(sizes) > 1
        size = (7.2 if several else 4.4, max(sizes))
        figure, axes = panels(1, len(sizes), size=size, phone=sum(sizes))
        told = zip(self.drawings, np.ravel(axes), self.data["drawings"], strict=True)
        for one, axis, spec in told:
            one.draw(axis, now, spec)
            axis.set_title(one.caption)
        return figure


def tabled(**how):
    """Make a figure of the function below, which has its name and computes a state.

    Parameters
    ----------
    **how
        As in `Tabled`.
    """
    return lambda compute: Tabled(compute.__name__, compute=compute, **how)


def positions(control):
    """List all values that a control can have."""
    if isinstance(control, Check):
        return [False, True]
    if isinstance(control, Slider):
        low, high, step = map(int, (control.low, control.high, control.step))
        return list(range(low, high + 1, step))
    return control.values


def by_row(key):
    """Return the key of each row's columns whose cells are set."""
    return f"{key} by row"


def _sent(value, *, within=False) -> Any:
    """Round what is no whole number to what a page is sent; yes and no are 1 and 0."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _sent(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_sent(one, within=True) for one in value]
    return int(value) if within and isinstance(value, bool) else value


def _largest(columns, *keys):
    return max(np.max([np.max(one) for one in columns[key]]) for key in keys if key)


@dataclass(frozen=True)
class Bars:
    """A bar for each name, with its number.

    Parameters
    ----------
    caption, header : str
        What the drawing and its numbers are called.
    values : str
        The numbers' key; the names' is ``names``.
    form : str
    half, before : str
        Keys of half the interval around each, and of a gray bar behind, which
        ``before_header`` names.
    lit : str
        The key of the bar, by number, that has another color.
    limit : float, optional
        Where a line stands.
    more : tuple of Line
        Of the table alone.
    """

    caption: str
    header: str
    values: str
    form: str = ".2f"
    names: str = "names"
    half: str = ""
    before: str = ""
    before_header: str = "before"
    lit: str = ""
    limit: Any = None
    more: tuple[Line, ...] = ()

    def table(self):
        """Describe the numbers."""
        lines = [Line(self.header, self.values, self.form)]
        if self.half:
            lines.append(Line("±", self.half, self.form))
        if self.before:
            lines.append(Line(self.before_header, self.before, self.form))
        return Table(self.caption, self.names, *lines, *self.more)

    def spec(self, columns):
        """Return what the page draws by, with bounds that hold in all states."""
        most = _largest(columns, self.values, self.before)
        if self.half:
            both = zip(columns[self.values], columns[self.half], strict=True)
            most = max(np.max(np.add(*pair)) for pair in both)
        letters = max(len(str(x)) for names in columns[self.names] for x in names)
        own = vars(self) | {"kind": "bars", "letters": letters}
        return _told(own | {"most": float(max(most, self.limit or 0))})

    def height(self, now):
        """Return inches."""
        return 0.7 + 0.32 * len(now[self.names])

    def draw(self, axis, now, spec):
        """Draw the bars of a state."""
        rows = np.arange(len(now[self.names]))
        colors = [KEY if self.lit and i == now[self.lit] else WEIGHTS for i in rows]
        if self.before:
            axis.barh(rows, now[self.before], 0.8, color=MUTED, alpha=0.4)
        half = now[self.half] if self.half else None
        axis.barh(rows, now[self.values], 0.5, color=colors, xerr=half, ecolor=MUTED)
        for row, value in enumerate(now[self.values]):
            at = max(value, now[self.before][row] if self.before else 0)
            at += half[row] if half else 0
            axis.text(at, row, f" {show(value, self.form)}", va="center", fontsize=9)
        if self.limit is not None:
            axis.axvline(self.limit, color=INK, lw=1)
        axis.set_yticks(rows, now[self.names])
        axis.invert_yaxis()
        axis.set(xlim=(0, spec["most"] * 1.25 or 1), xticks=[])
        axis.spines["bottom"].set_visible(False)


@dataclass(frozen=True)
class Curves:
    """Lines over the same numbers, with the point of each that the state is at.

    Parameters
    ----------
    caption : str
    x : str
        The key of the numbers below, and ``across``, what they are called.
    lines : dict of str to str
        By name, each line's key.
    at : str
        The key of the point, by number: the last, if nothing else says so.
    moves : str
        The control that drags it: its positions are those of ``x``.
    form, form_x : str
    log : str
        "x", "y" or "xy": these axes go by powers.
    even : bool
        The points stand evenly, whatever their numbers.
    limit : float, optional
        Where a line stands across.
    """

    caption: str
    x: str
    across: str
    lines: Any
    at: str = "at"
    moves: str = ""
    form: str = ".2f"
    form_x: str = ","
    log: str = ""
    even: bool = False
    limit: Any = None

    def table(self):
        """Describe the numbers."""
        lines = [Line(name, key, self.form) for name, key in self.lines.items()]
        return Table(self.caption, self.x, *lines)

    def spec(self, columns):
        """Return what the page draws by, with bounds that hold in all states."""
        found = [y for key in self.lines.values() for one in columns[key] for y in one]
        found += [] if self.limit is None else [self.limit]
        least, most = min(found), max(found)
        if "y" not in self.log:  # from 0, unless all lie close together
            least = least - 0.3 * (most - least) if least > most / 2 else min(0, least)
        own = vars(self) | {
            "kind": "curves",
            "range": [float(least), float(most)],
            "ticks": _powers(least, most) if "y" in self.log else None,
        }
        return _told(own)

    def height(self, now):
        """Return inches."""
        return 2.6

    def draw(self, axis, now, spec):
        """Draw the lines of a state, each with its name at its end."""
        names, at, (low, high) = now[self.x], now[self.at], spec["range"]
        x = range(len(names)) if self.even else names
        scales = {f"{a}scale": "log" for a in self.log}
        axis.set(xlabel=self.across, **scales)
        top = high * 1.15 if "y" in self.log else high + 0.05 * (high - low)
        axis.set_ylim(low * 0.9 if "y" in self.log else low, top)
        if self.even:
            axis.set_xticks([0, len(x) - 1], [names[0], names[-1]])
        if self.limit is not None:
            axis.axhline(self.limit, color=MUTED, lw=1, ls=":")
        ends = {}
        for color, (name, key) in zip(LINES, self.lines.items(), strict=False):
            axis.plot(x, now[key], color=color, lw=1.6)
            axis.plot(x[at], now[key][at], "o", color=color, ms=5)
            share = axis.transData.transform((x[-1], now[key][-1]))
            ends[name] = axis.transAxes.inverted().transform(share)[1], color
        if len(ends) > 1:
            heights = spread([place for place, _ in ends.values()])
            for (name, (_, color)), y in zip(ends.items(), heights, strict=True):
                where = {"transform": axis.transAxes, "va": "center", "fontsize": 9}
                axis.text(1.02, y, name, color=color, **where)


def _powers(least, most):
    """List the powers of ten between two numbers, and well away from both."""
    low, high = np.log10([least, most])
    away = (high - low) / 8
    between = range(math.ceil(low + away), math.floor(high - away) + 1)
    return [10.0**one for one in between]


def spread(heights, apart=APART):
    """Move numbers apart, as little as that takes, upward from the lowest."""
    order, found = np.argsort(heights, kind="stable"), list(map(float, heights))
    for one, other in itertools.pairwise(order):
        found[other] = max(found[other], found[one] + apart)
    over = max(found) - 1
    return [y - over for y in found] if over > 0 else found


@dataclass(frozen=True)
class Grid:
    """A cell for each row and column: seen or not, or a number.

    Parameters
    ----------
    caption, cells : str
    rows, columns : str
        The names' keys.
    form : str
        How a cell's number is written in it; without it, none is.
    lit : str
        The key of cells that have another color, such as those that are wrong; in the
        table it is what they are called.
    header : str
        What a row does with the columns that it sees: where no numbers are written,
        these are listed.
    """

    caption: str
    cells: str
    rows: str = "rows"
    columns: str = "columns"
    form: str = ""
    lit: str = ""
    header: str = "sees"

    @property
    def listed(self):
        """The keys whose cells are listed by row, each with what that is called."""
        lit = {self.lit: self.lit} if self.lit else {}
        return {} if self.form else {self.cells: self.header} | lit

    def by_row(self, now):
        """List each row's columns whose cells are set, by key."""
        names = np.array(now[self.columns], object)
        return {
            by_row(key): [names[np.array(row, bool)].tolist() for row in now[key]]
            for key in self.listed
        }

    def table(self):
        """Describe the numbers."""
        if not self.form:
            told = (Line(name, by_row(key), ",") for key, name in self.listed.items())
            return Table(self.caption, self.rows, *told)
        return Matrix(self.caption, self.rows, self.columns, self.cells, self.form)

    def spec(self, columns):
        """Return what the page draws by, with bounds that hold in all states."""
        letters = max(len(str(x)) for names in columns[self.rows] for x in names)
        own = vars(self) | {"kind": "grid", "letters": letters}
        own |= {} if self.form else {"listed": [*self.listed]}
        return _told(own | {"most": float(_largest(columns, self.cells)) or 1})

    def height(self, now):
        """Return inches."""
        return 0.6 + self.inches(now) * len(now[self.rows])

    def inches(self, now):
        """Return how high a row is."""
        return min(0.34, 3.4 / len(now[self.columns]))

    def draw(self, axis, now, spec):
        """Draw the cells of a state."""
        cells = np.array(now[self.cells], float)
        lit = np.array(now[self.lit]) if self.lit else np.zeros_like(cells)
        n_rows, n_columns = cells.shape
        size = min((self.height(now) * 39 / n_rows), self.inches(now) * 65) ** 2
        for value, is_lit in sorted({*zip(cells.flat, lit.flat, strict=True)}):
            rows, columns = np.nonzero((cells == value) & (lit == is_lit))
            look = {"s": size, "marker": "s", "color": KEY if is_lit else WEIGHTS}
            share = (0.38 if self.form else 0.8) * max(value, 0) / spec["most"]
            axis.scatter(columns + 0.5, rows + 0.5, alpha=share, lw=0, **look)
        for (i, j), _ in np.ndenumerate(cells if self.form else np.empty((0, 0))):
            text = show(now[self.cells][i][j], self.form)
            axis.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=8)
        axis.set(xlim=(0, n_columns), ylim=(n_rows, 0), aspect="equal")
        axis.set_xticks(np.arange(n_columns) + 0.5, now[self.columns])
        axis.set_yticks(np.arange(n_rows) + 0.5, now[self.rows])
        axis.tick_params(length=0, labeltop=True, labelbottom=False, labelsize=8)
        axis.spines[:].set_visible(False)
        axis.figure.get_layout_engine().set(w_pad=0.1)  # a page's letters are wider


def _told(own):
    left_out = own.get("more")  # the description has them
    return {
        n: x for n, x in own.items() if x not in ("", None, False) and x is not left_out
    }
