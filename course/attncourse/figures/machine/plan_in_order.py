"""Where things stand in lesson 7, whose words are three and have ten columns."""

from .places import CELL, Plan, bend, put

GAP = 34
X = 312
KEYS = X + 3 * CELL + 104 + 10 * CELL + 24
SCORES = KEYS + 3 * CELL + 62 + 6 * CELL + 24
SCALED = SCORES + 3 * CELL + 44


def plan_in_order(sizes):
    """Return the plan: words and positions above X, then Q, then K and V."""
    made = Plan([], [], [], [], SCALED + 3 * CELL + 10)
    rows = 3 * CELL
    words = put(made, sizes, "E", 64, X - 2 * (rows + GAP), 27, names="rc")
    places = put(made, sizes, "P", 64, X - rows - GAP, 27, names="r")
    x = put(made, sizes, "X", 64, X, 27, names="r", title="side")
    made.words.append((88, X - rows - GAP - 12, "+", 7))
    made.words.append((88, X - 12, "=", 7))
    made.products.append((words, -2, x, False))
    made.products.append((places, -2, x, False))
    _product(made, sizes, x, "Q", (440, 34), "rc")
    again = put(made, sizes, "X", 64, KEYS, 27, names="r", title="side")
    _product(made, sizes, again, "K", (424, 28), "rc")
    value = _product(made, sizes, again, "V", (616, 34), "c")
    _scores(made, sizes, made.matrices[value])
    return made


def _product(made, sizes, left, base, place, names):
    x, width = place
    y = made.matrices[left].y
    top = put(made, sizes, f"W{base}", x, y - 24 - 10 * CELL, width, names=names)
    result = put(made, sizes, base, x, y, width)
    made.products.append((left, top, result, False))
    return result


def _scores(made, sizes, value):
    asks = put(made, sizes, "Q", 64, SCORES, 30, names="r", title="side")
    keys = put(
        made, sizes, "K", 318, SCORES - 24 - 6 * CELL, 42, turned=True, names="c",
        title="corner",
    )  # fmt: skip
    scores = put(made, sizes, "S", 318, SCORES, 42)
    scaled = put(made, sizes, "D", 318, SCALED, 42, names="r")
    weights = put(made, sizes, "A", 470 + 36, SCALED, 34, names="c")
    output = put(made, sizes, "O", value.x, SCALED, value.width)
    made.products.extend(
        [
            (asks, keys, scores, True),
            (scores, -2, scaled, False),
            (scaled, -1, weights, False),
            (weights, made.matrices.index(value), output, False),
        ]
    )
    middle = SCALED + 1.5 * CELL
    made.words.append((381, SCALED - 25, f"↓ ÷ √{sizes['K'][1]}", 7))
    made.words.extend([(475, middle - 4, "softmax", 7), (475, middle + 14, "→", 7)])
    foot, x = KEYS + 3 * CELL, value.x + value.width
    made.wires.append(("query", 7, bend(542, X + 3 * CELL, 14, 8, SCORES - 18)))
    made.wires.append(("key", 7, bend(508, foot, 14, 300, SCORES - 24 - 6 * CELL - 26)))
    made.wires.append(("value", 7, [(x, foot + 3), (x, SCALED - 26)]))
