"""The plan of each lesson's machine: matrices in places, and what joins them.

The left factor, the top factor, and in the corner between them their product: a row and
a column meet in the cell that they make.

In one step X stands once, and the three matrices stand side by side above Q, K and V,
all in the rows of X. V stays where it was made: the output lies below it, in its
columns, so that weights × V is a corner too. Only Q and K travel; a wire shows it, and
K lies on its side there.
"""

from typing import NamedTuple

from .inputs import given, sizes
from .tables import PARTS

CELL = 24  # the height of a cell; all lengths are in units of the drawing
WIDTH = 690
BELOW = 46  # from the sum to what the network makes of it


class Matrix(NamedTuple):
    """A matrix in its place.

    Parameters
    ----------
    base : str
        Which of `PARTS`.
    x, y : float
        Its upper left corner.
    width : float
        Of one cell.
    rows, columns : int
        As it stands: a turned one has the columns of the other.
    turned : bool
        Whether it lies on its side.
    names : str
        Which names are written: "r" of the rows, "c" of the columns.
    title : str
        Where its own name stands: "side", "above", "corner" or "" for nowhere.
    lesson : int
        The lesson that brings it here; 0 for that of the part.
    """

    base: str
    x: float
    y: float
    width: float
    rows: int
    columns: int
    turned: bool = False
    names: str = ""
    title: str = "above"
    lesson: int = 0

    @property
    def right(self):
        """Where it ends on the right."""
        return self.x + self.columns * self.width

    @property
    def foot(self):
        """Where it ends below."""
        return self.y + self.rows * CELL


def lesson_of(matrix):
    """Return the lesson that brings a matrix here."""
    return matrix.lesson or PARTS[matrix.base].lesson


class Plan(NamedTuple):
    """All matrices, and what joins them.

    Parameters
    ----------
    matrices : list of Matrix
    products : list of (int, int, int, bool)
        Left factor, top factor and product, by their places in `matrices`, and whether
        bent lines join the columns of the one to the rows of the other. −1 for a top
        factor: the product is made of the same row alone; −2: of the same cell alone.
    wires : list of (str, int, list of (float, float))
        Role, lesson and corners of the path of what travels.
    words : list of (float, float, str, int)
        Middle, foot and lesson of a free word.
    height : float
    ramp : dict of str to float, optional
        The box in which the network of a layer is drawn.
    """

    matrices: list
    products: list
    wires: list
    words: list
    height: float
    ramp: dict | None = None


def put(made, sizes, base, x, y, width, **more):
    """Add a matrix to a plan; return its place in it."""
    rows, columns = sizes[base][::-1] if more.get("turned") else sizes[base]
    made.matrices.append(Matrix(base, x, y, width, rows, columns, **more))
    return len(made.matrices) - 1


def bend(start, foot, lane, end, down):
    """Return a wire: down from a foot, left along a lane, down to where it is used."""
    lane += foot
    return [(start, foot + 3), (start, lane), (end, lane), (end, down)]


def plan_of(stage):
    """Return where things stand in lesson ``stage``."""
    start = given(stage)
    count = sizes(start)
    if start.read:
        return _decoder(count)
    return _in_order(count) if start.positions else _step(count, stage)


def _step(sizes, stage):
    """Return the plan of lessons 2 to 6, 8 and 9: a sentence of five words."""
    x, y = 212, 466  # where X and the scores begin
    foot = x + 5 * CELL
    end = y + 10 * CELL + 44
    made = Plan([], [], [], [], end + 10)
    rows = put(made, sizes, "X", 64, x, 30, names="r", title="side")
    for base, left in (("Q", 326), ("K", 462), ("V", 606)):
        value = _project(made, sizes, rows, base, (left, 38), joined=base == "Q")
    scaled = _scores(made, sizes, y, (64, 36), (184, 34), lessons=(3, 3))
    _output(made, sizes, scaled, value, (414, 36), arrow=384, lesson=4)
    made.wires.append(("query", 3, bend(364, foot, 12, 51, y - 24)))
    made.wires.append(("key", 3, bend(500, foot, 22, 166, y - 99)))
    made.wires.append(("value", 5, [(644, foot + 3), (644, end - 5 * CELL - 26)]))
    if stage == 6:
        return _heads(made, sizes, end)
    return _layer(made, sizes, end) if stage > 7 else made


def _heads(made, sizes, end):
    """Add both outputs side by side, and W^O."""
    top = end + 86
    y = top + 4 * CELL + 24
    both = put(made, sizes, "C", 72, y, 34, names="r", title="side")
    matrix = put(made, sizes, "WC", 296, top, 64, names="c")
    update = put(made, sizes, "Z", 296, y, 64)
    made.products.append((both, matrix, update, True))
    made.wires.append(("value", 6, _home(end, 54, y - 24)))
    return made._replace(height=y + 5 * CELL + 10)


def _layer(made, sizes, end):
    """Add W^O, the sum with X, and the network with its ramp."""
    y = end + 110 + 2 * CELL + 24
    _added(made, sizes, y, (72, 216, 480), lessons=(6, 8))
    made.wires.append(("value", 6, _home(end, 54, y - 24)))
    foot = y + 10 * CELL + BELOW
    box = {"x": 240, "y": foot - 140, "width": 150, "height": 120}
    return made._replace(height=foot + 14, ramp=box)


def _in_order(sizes):
    """Return the plan of lesson 7: words and positions above X; Q; K and V."""
    gap, rows, x = 34, 3 * CELL, 312
    keys = x + rows + 104 + 10 * CELL + 24
    y = keys + rows + 62 + 6 * CELL + 24
    made = Plan([], [], [], [], y + 2 * rows + 54)
    words = put(made, sizes, "E", 64, x - 2 * (rows + gap), 27, names="rc")
    places = put(made, sizes, "P", 64, x - rows - gap, 27, names="r")
    total = put(made, sizes, "X", 64, x, 27, names="r", title="side")
    made.words.extend([(88, x - rows - gap - 12, "+", 7), (88, x - 12, "=", 7)])
    made.products.extend([(words, -2, total, False), (places, -2, total, False)])
    _project(made, sizes, total, "Q", (440, 34), names="rc")
    again = put(made, sizes, "X", 64, keys, 27, names="r", title="side")
    _project(made, sizes, again, "K", (424, 28), names="rc")
    value = _project(made, sizes, again, "V", (616, 34))
    scaled = _scores(made, sizes, y, (64, 30), (318, 42), lessons=(0, 7))
    _output(made, sizes, scaled, value, (506, 34), arrow=475, lesson=7)
    made.wires.append(("query", 7, bend(542, x + rows, 14, 8, y - 18)))
    made.wires.append(("key", 7, bend(508, keys + rows, 14, 300, y - 50 - 6 * CELL)))
    made.wires.append(("value", 7, [(650, keys + rows + 3), (650, y + rows + 18)]))
    return made


def _decoder(sizes):
    """Return the plan of the decoder: X asks, and R, of another sentence, is asked."""
    left, rows = 80, 3 * CELL
    x = 78 + 6 * CELL + 24
    read = x + rows + 74 + 6 * CELL + 24
    foot = read + 5 * CELL
    y = foot + 80 + 3 * CELL + 24
    end = y + 2 * rows + 44
    added = end + 112 + 2 * CELL + 24
    made = Plan([], [], [], [], added + 6 * CELL + BELOW + 10)
    asking = put(made, sizes, "X", left, x, 30, names="r", title="side")
    _project(made, sizes, asking, "Q", (360, 48), joined=True)
    asked = put(made, sizes, "R", left, read, 30, names="r", title="side")
    _project(made, sizes, asked, "K", (380, 48), joined=True)
    value = _project(made, sizes, asked, "V", (606, 38))
    scaled = _scores(made, sizes, y, (left, 34), (246, 30))
    _output(made, sizes, scaled, value, (462, 27), arrow=428)
    made.wires.append(("query", 0, bend(432, x + rows, 16, 10, y - 24)))
    made.wires.append(("key", 0, bend(452, foot, 20, 226, y - 50 - 3 * CELL)))
    made.wires.append(("value", 0, [(644, foot + 3), (644, end - rows - 26)]))
    _added(made, sizes, added, (left, 224, 490))
    made.wires.append(("value", 0, _home(end, 58, added - 24)))
    return made


def _project(made, sizes, left, base, place, *, names="c", joined=False):
    """Add a matrix of weights and, in the rows of its left factor, their product."""
    x, width = place
    y = made.matrices[left].y
    above = y - 24 - CELL * sizes[f"W{base}"][0]
    top = put(made, sizes, f"W{base}", x, above, width, names=names)
    result = put(made, sizes, base, x, y, width)
    made.products.append((left, top, result, joined))
    return result


def _scores(made, sizes, y, asks, keys, lessons=(0, 0)):
    """Add Q, K on its side, their scores, and below these the scaled ones."""
    (x, width), (left, wide) = asks, keys
    (rows, columns), d_k = sizes["S"], sizes["K"][1]
    here, below = {"lesson": lessons[0]}, y + rows * CELL + 44
    query = put(made, sizes, "Q", x, y, width, names="r", title="side", **here)
    across = {"turned": True, "names": "c", "title": "corner"}
    key = put(made, sizes, "K", left, y - 24 - CELL * d_k, wide, **across, **here)
    scores = put(made, sizes, "S", left, y, wide)
    scaled = put(made, sizes, "D", left, below, wide, names="r")
    made.products.append((query, key, scores, True))
    made.products.append((scores, -2, scaled, False))
    middle = left + columns * wide // 2
    made.words.append((middle, below - 25, f"↓ ÷ √{d_k}", lessons[1]))
    return scaled


def _output(made, sizes, scaled, value, place, *, arrow, lesson=0):
    """Add the weights beside the scaled scores, and the output in the columns of V."""
    (x, width), above = place, made.matrices[value]
    y = made.matrices[scaled].y
    middle = y + sizes["A"][0] * CELL / 2
    weights = put(made, sizes, "A", x, y, width, names="c")
    output = put(made, sizes, "O", above.x, y, above.width)
    made.products.append((scaled, -1, weights, False))
    made.products.append((weights, value, output, False))
    made.words.append((arrow, middle - 4, "softmax", lesson))
    made.words.append((arrow, middle + 14, "→", lesson))


def _added(made, sizes, y, lefts, lessons=(0, 0)):
    """Add W^O, the sum with X, and what the network makes of it."""
    of_output, of_update, of_sum = lefts
    rows, columns = sizes["U"]
    side = {"names": "r", "title": "side", "lesson": lessons[0]}
    output = put(made, sizes, "O", of_output, y, 38, **side)
    matrix = put(made, sizes, "WO", of_update, y - 24 - 2 * CELL, 36, names="c")
    update = put(made, sizes, "U", of_update, y, 36)
    kept = put(made, sizes, "Y", of_sum, y, 30, names="c")
    tidied = put(made, sizes, "N", of_sum, y + rows * CELL + BELOW, 30)
    made.products.append((output, matrix, update, True))
    made.products.append((update, -2, kept, False))
    made.products.append((kept, -2, tidied, False))
    middle = (of_update + columns * 36 + of_sum) // 2
    made.words.append((middle, y + rows * CELL / 2 + 4, "+ X =", lessons[1]))
    made.words.append((of_sum + 90, y + rows * CELL + 18, "↓ network", lessons[1]))


def _home(end, left, down):
    """Return the wire of the output: to the left, where the next row begins."""
    return [(644, end + 3), (644, end + 18), (left, end + 18), (left, down)]
