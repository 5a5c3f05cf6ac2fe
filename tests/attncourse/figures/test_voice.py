"""What figures compute and say in JavaScript is what Python does."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import attnlib
from attncourse.figures import kit
from tests.attncourse.figures.conftest import in_node

MATHS = Path(kit.__file__).with_name("maths.js")
N, D = 7, 5
rng = np.random.default_rng(2026)
ROWS = rng.standard_normal((11, N)) * 3


def in_one_go(scores, values):
    """After each key, what attnlib makes of all the keys so far."""
    for n in range(1, len(scores) + 1):
        seen = scores[:n]
        largest, before = seen.max(), seen[:-1].max(initial=-np.inf)
        sums = np.exp(seen - largest).sum()
        output = attnlib.softmax(seen) @ values[:n]
        yield [largest, np.exp(before - largest), sums, *output]


def cases():
    """Each function of maths.js: its arguments, and what Python says of them."""
    for row in ROWS:
        yield "softmax", [row], attnlib.softmax(row)
        yield "scaleScores", [row, D], attnlib.scale_scores(row, D)
    query, key = rng.standard_normal((2, D))
    yield "dot", [query, key], attnlib.dot_product_scores(query[None], key[None])[0, 0]
    matrix = rng.standard_normal((N, D))
    yield "norm", [matrix], np.linalg.norm(matrix)
    yield "softmax", [np.array([1000.0, 1001.0, 1002.0])], attnlib.softmax([0, 1, 2])
    yield "cosine", [query, key], attnlib.cosine_similarity(query, key)
    yield "cosine", [query, 0 * key], 0
    yield "cosine", [query, -3 * query], -1
    weight = rng.standard_normal((D, 3))
    yield "multiply", [matrix, weight], attnlib.projections.project(matrix, weight)
    keys = rng.standard_normal((3, D))
    yield "dotProductScores", [matrix, keys], attnlib.dot_product_scores(matrix, keys)
    weights = attnlib.attention_weights(matrix, keys)
    yield "attentionWeights", [matrix, keys], weights
    allowed = rng.random((N, 3)) < 0.5
    allowed[2] = False
    weights = attnlib.attention_weights(matrix, keys, mask=allowed)
    yield "maskedWeights", [matrix, keys, allowed], weights
    values = rng.standard_normal((N, 3))
    for row in (*ROWS, np.sort(ROWS[0]), np.full(N, -1000.0), ROWS[1] * 1000):
        yield "onlineSoftmax", [row, values], list(in_one_go(row, values))
    for base in (10.0, 10_000.0):
        table = attnlib.sinusoidal_positional_encoding(11, N, base=base)
        for position in range(11):
            yield "positionalEncoding", [position, N, base], table[position]


CASES = list(cases())
NAMES = sorted({name for name, _, _ in CASES})


@pytest.fixture(scope="module")
def results(javascript):
    calls = [
        [name, *(np.asarray(a).tolist() for a in arguments)]
        for name, arguments, _ in CASES
    ]
    return javascript(calls)


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_attnlib(results, name):
    pairs = [
        (got, case[2])
        for got, case in zip(results, CASES, strict=True)
        if case[0] == name
    ]
    for got, expected in pairs:
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


def test_every_function_is_compared():
    exported = re.findall(r"^export function (\w+)", MATHS.read_text(), re.MULTILINE)
    assert sorted(exported) == NAMES


def test_row_of_minus_infinity_gives_zeros(javascript):
    assert javascript([["softmax", [-np.inf] * 3]]) == [[0, 0, 0]]


javascript_rng = np.random.default_rng(2027)
CLOSE = {"rtol": 1e-12, "atol": 1e-14}
run = partial(in_node, "calls")


def test_curve_of_losses_stands_on_its_axes():
    left, right, top, foot = 30, 314, 10, 130  # the axes, as training.js draws them
    losses = javascript_rng.uniform(0, 3, 7)
    (points,) = run([["training/live", "places", [*losses], 3]])
    x, y = np.transpose(points)
    np.testing.assert_allclose(x, np.linspace(left, right, 7), **CLOSE)
    np.testing.assert_allclose(y, foot - (foot - top) * losses / 3, **CLOSE)


def test_numbers_are_readable_at_any_size():
    numbers = [0, 1, 7.389, 54.6, 1234.4, 162754.8, -0.25, 3.8e-11, 0.0049, 9.96e-5]
    expected = ["0.000", "1.000", "7.389", "54.60", "1234", "1.6×10⁵", "−0.250"]
    expected += ["3.8×10⁻¹¹", "0.005", "1.0×10⁻⁴"]
    assert run([["kit/draw", "readable", x] for x in numbers]) == expected


BEFORE = "Query: alive 2.0, edible 0.3. Weights: dog 0.507, ate 0.123, food 0.247."
AFTER = "Query: alive 2.5, edible 0.3. Weights: dog 0.577, ate 0.099, food 0.247."


def said(before, after):
    parts = run([["kit/voice", "clausesOf", words] for words in (before, after)])
    (fresh,) = run([["kit/voice", "newClauses", *parts]])
    (words,) = run([["kit/voice", "shortened", fresh]]) if fresh else [""]
    return words


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (BEFORE, BEFORE, ""),
        (BEFORE, AFTER, "Query: alive 2.5, Weights: dog 0.577, ate 0.099"),
        ("At (1.0, 2.5), length 2.", "At (1.0, 3.5), length 2.", "At (1.0, 3.5)"),
        ("A 0.50; b 1.", "A 0.40; b 1.", "A 0.40"),
    ],
)
def test_only_what_is_new_is_said(before, after, expected):
    assert said(before, after) == expected


def test_of_many_changes_the_first_are_said_and_the_rest_counted():
    names = "abcdefghij"
    before, after = (", ".join(f"{x} is {n}" for x in names) + "." for n in (1, 2))
    words = said(before, after)
    assert words == "a is 2, b is 2, c is 2, 7 more"


@pytest.mark.parametrize("count", [11, 20])
def test_a_single_clause_is_said_whole_however_long_it_is(count):
    long = " ".join(["word"] * count)
    assert said("Nothing.", f"{long}. Another one.") == long
