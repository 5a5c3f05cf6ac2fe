"""Where things stand for the decoder: X asks, and R, of another sentence, is asked."""

from .places import CELL, Plan, bend, put

LEFT = 80
X = 78 + 6 * CELL + 24
READ = X + 3 * CELL + 74 + 6 * CELL + 24
SCORES = READ + 5 * CELL + 80 + 3 * CELL + 24
SCALED = SCORES + 3 * CELL + 44
ADDED = SCALED + 3 * CELL + 112 + 2 * CELL + 24


def plan_decoder(sizes):
    """Return the plan: Q from X, then K and V from R, the output, and what it adds."""
    made = Plan([], [], [], [], ADDED + 6 * CELL + 70)
    x = put(made, sizes, "X", LEFT, X, 30, names="r", title="side")
    _product(made, sizes, x, "Q", (360, 48))
    read = put(made, sizes, "R", LEFT, READ, 30, names="r", title="side")
    _product(made, sizes, read, "K", (380, 48))
    value = _product(made, sizes, read, "V", (606, 38), joined=False)
    _scores(made, sizes, value)
    return _added(made, sizes)


def _product(made, sizes, left, base, place, *, joined=True):
    x, width = place
    y = made.matrices[left].y
    top = put(made, sizes, f"W{base}", x, y - 24 - 6 * CELL, width, names="c")
    result = put(made, sizes, base, x, y, width)
    made.products.append((left, top, result, joined))
    return result


def _scores(made, sizes, value):
    above = SCORES - 24 - 3 * CELL
    asks = put(made, sizes, "Q", LEFT, SCORES, 34, names="r", title="side")
    keys = put(made, sizes, "K", 246, above, 30, turned=True, names="c", title="corner")
    scores = put(made, sizes, "S", 246, SCORES, 30)
    scaled = put(made, sizes, "D", 246, SCALED, 30, names="r")
    weights = put(made, sizes, "A", 462, SCALED, 27, names="c")
    output = put(made, sizes, "O", 606, SCALED, 38)
    made.products.extend(
        [
            (asks, keys, scores, True),
            (scores, -2, scaled, False),
            (scaled, -1, weights, False),
            (weights, value, output, False),
        ]
    )
    middle = SCALED + 1.5 * CELL
    made.words.append((321, SCALED - 25, f"↓ ÷ √{sizes['K'][1]}", 0))
    made.words.extend([(428, middle - 4, "softmax", 0), (428, middle + 14, "→", 0)])
    made.wires.append(("query", 0, bend(432, X + 3 * CELL, 16, 10, SCORES - 24)))
    made.wires.append(("key", 0, bend(452, READ + 5 * CELL, 20, 226, above - 26)))
    foot = READ + 5 * CELL + 3
    made.wires.append(("value", 0, [(644, foot), (644, SCALED - 26)]))


def _added(made, sizes):
    """Add W^O, the sum with X, and the network."""
    output = put(made, sizes, "O", LEFT, ADDED, 38, names="r", title="side")
    matrix = put(made, sizes, "WO", 224, ADDED - 24 - 2 * CELL, 34, names="c")
    update = put(made, sizes, "U", 224, ADDED, 34)
    kept = put(made, sizes, "Y", 490, ADDED, 30, names="c")
    tidied = put(made, sizes, "N", 490, ADDED + 3 * CELL + 60, 30)
    made.products.append((output, matrix, update, True))
    made.products.append((update, -2, kept, False))
    made.products.append((kept, -2, tidied, False))
    made.words.append((459, ADDED + 1.5 * CELL + 4, "+ X =", 0))
    made.words.append((580, ADDED + 3 * CELL + 30, "↓ network", 0))
    end = SCALED + 3 * CELL
    made.wires.append(
        (
            "value",
            0,
            [(644, end + 3), (644, end + 18), (58, end + 18), (58, ADDED - 24)],
        )
    )
    return made
