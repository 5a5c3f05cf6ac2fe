"""Where things stand in the picture.

The left factor, the top factor, and in the corner between them their product: a row and
a column meet in the cell that they make.

X stands once, and the three matrices stand side by side above Q, K and V, all in the
rows of X. V stays where it was made: the output lies below it, in its columns, so that
weights × V is a corner too. Only Q and K travel; a wire shows it, and K lies on its
side there.
"""

from .places import CELL, Plan, bend, put

TOP = 212  # where X begins
FOOT = TOP + 5 * CELL
SCORES = 466
SCALED = SCORES + 5 * CELL + 44
END = SCALED + 5 * CELL
VALUE = 6  # the place of V in the plan


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
    kept = put(made, sizes, "Y", 472, y, 30, names="c")
    tidied = put(made, sizes, "N", 472, y + 5 * CELL + 60, 30)
    made.products.append((output, matrix, update, True))
    made.products.append((update, -2, kept, False))
    made.products.append((kept, -2, tidied, False))
    made.words.append((446, y + 2.5 * CELL + 4, "+ X =", 8))
    made.words.append((562, y + 5 * CELL + 30, "↓ network", 8))
    made.wires.append(("value", 6, _home(54, y - 24)))
    foot = y + 10 * CELL + 60
    box = {"x": 240, "y": foot - 150, "width": 150, "height": 150}
    return made._replace(height=foot + 34, ramp=box)


def _home(end, down):
    """Return the wire of the output: to the left, where the next row begins."""
    return [(644, END + 3), (644, END + 18), (end, END + 18), (end, down)]
