"""Where things stand in the picture.

The left factor, the top factor, and in the corner between them their product: a row and
a column meet in the cell that they make.

X stands once, and the three matrices stand side by side above Q, K and V, all in the
rows of X. V stays where it was made: the output lies below it, in its columns, so that
weights × V is a corner too. Only Q and K travel; a wire shows it, and K lies on its
side there.
"""

from typing import NamedTuple

CELL = 24  # the height of a cell; all lengths are in units of the drawing
WIDTH = 690
TOP = 212  # where X begins
FOOT = TOP + 5 * CELL
SCORES = 466
SCALED = SCORES + 5 * CELL + 44
END = SCALED + 5 * CELL
VALUE = 6  # the place of V in the plan


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


def plan(sizes, stage):
    """Return the plan of the machine at one lesson.

    Parameters
    ----------
    sizes : dict of str to (int, int)
        How many rows and columns each part has.
    stage : int
    """
    made = Plan([], [], [], [], END + 10)
    _projections(made, sizes)
    _scores(made, sizes)
    _output(made, sizes)
    if stage == 6:
        return _heads(made, sizes)
    return _layer(made, sizes) if stage > 7 else made


def put(made, sizes, base, x, y, width, **more):
    """Add a matrix to a plan; return its place in it."""
    rows, columns = sizes[base][::-1] if more.get("turned") else sizes[base]
    made.matrices.append(Matrix(base, x, y, width, rows, columns, **more))
    return len(made.matrices) - 1


def _projections(made, sizes):
    x = put(made, sizes, "X", 64, TOP, 30, names="r", title="side")
    above = TOP - 24 - CELL * sizes["WQ"][0]
    for base, left in (("Q", 326), ("K", 462), ("V", 606)):
        top = put(made, sizes, f"W{base}", left, above, 38, names="c")
        result = put(made, sizes, base, left, TOP, 38)
        made.products.append((x, top, result, base == "Q"))


def _scores(made, sizes):
    here = {"lesson": 3}
    asks = put(made, sizes, "Q", 64, SCORES, 36, names="r", title="side", lesson=3)
    keys = put(
        made, sizes, "K", 184, SCORES - 72, 34, turned=True, names="c",
        title="corner", **here,
    )  # fmt: skip
    scores = put(made, sizes, "S", 184, SCORES, 34)
    made.products.append((asks, keys, scores, True))
    scaled = put(made, sizes, "D", 184, SCALED, 34, names="r")
    made.products.append((scores, -2, scaled, False))
    made.words.append((269, SCALED - 25, f"↓ ÷ √{sizes['K'][1]}", 3))
    made.wires.append(("query", 3, bend(364, FOOT, 12, 51, SCORES - 24)))
    made.wires.append(("key", 3, bend(500, FOOT, 22, 166, SCORES - 99)))


def bend(start, foot, lane, end, down):
    """Return a wire: down from a foot, left along a lane, down to where it is used."""
    lane += foot
    return [(start, foot + 3), (start, lane), (end, lane), (end, down)]


def _output(made, sizes):
    scaled = len(made.matrices) - 1
    weights = put(made, sizes, "A", 414, SCALED, 36, names="c")
    made.products.append((scaled, -1, weights, False))
    middle = SCALED + 2.5 * CELL
    made.words.extend([(384, middle - 4, "softmax", 4), (384, middle + 14, "→", 4)])
    output = put(made, sizes, "O", 606, SCALED, 38)
    made.products.append((weights, VALUE, output, False))
    x = made.matrices[VALUE].x + 38
    made.wires.append(("value", 5, [(x, FOOT + 3), (x, SCALED - 26)]))


def _heads(made, sizes):
    """Add both outputs side by side, and W^O."""
    top = END + 86
    y = top + 4 * CELL + 24
    both = put(made, sizes, "C", 72, y, 34, names="r", title="side")
    matrix = put(made, sizes, "WC", 312, top, 52, names="c")
    update = put(made, sizes, "Z", 312, y, 52)
    made.products.append((both, matrix, update, True))
    made.wires.append(("value", 6, _home(54, y - 24)))
    return made._replace(height=y + 5 * CELL + 10)


def _layer(made, sizes):
    """Add W^O, the sum with X, and the network."""
    top = END + 110
    y = top + 2 * CELL + 24
    output = put(made, sizes, "O", 72, y, 38, names="r", title="side", lesson=6)
    matrix = put(made, sizes, "WO", 216, top, 34, names="c")
    update = put(made, sizes, "U", 216, y, 34)
    kept = put(made, sizes, "Y", 472, y, 34, names="c")
    tidied = put(made, sizes, "N", 472, y + 5 * CELL + 60, 34)
    made.products.append((output, matrix, update, True))
    made.products.append((update, -2, kept, False))
    made.products.append((kept, -2, tidied, False))
    made.words.append((446, y + 2.5 * CELL + 4, "+ X =", 8))
    made.words.append((574, y + 5 * CELL + 30, "↓ network", 8))
    made.wires.append(("value", 6, _home(54, y - 24)))
    foot = y + 10 * CELL + 60
    box = {"x": 240, "y": foot - 150, "width": 150, "height": 150}
    return made._replace(height=foot + 34, ramp=box)


def _home(end, down):
    """Return the wire of the output: to the left, where the next row begins."""
    return [(644, END + 3), (644, END + 18), (end, END + 18), (end, down)]
