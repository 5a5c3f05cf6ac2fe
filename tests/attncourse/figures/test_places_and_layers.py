"""Figures of lessons 7 and 8: places, layers, and what passes through them."""

import itertools
import math

import numpy as np
import pytest

from attncourse.figures.kit.picture import panels
from attncourse.figures.layer import translator
from attncourse.figures.normed_row import live as normed_row
from attncourse.figures.turned_clock import live as turned_clock
from attncourse.figures.twelve_layers import passed
from attncourse.figures.word_order import live as word_order
from attncourse.figures.word_order.live import ORDERS, WORDS
from attncourse.story import in_order
from attncourse.story.layers import tidy
from attnlib import Encoder, feed_forward, layer_norm


def test_the_slice_reaches_from_hand_to_hand(figure_javascript):
    small, large, around = figure_javascript(
        [
            ["clocks/live", "slice", 0, math.pi / 2, 10],
            ["clocks/live", "slice", 0, 4, 10],
            ["clocks/live", "slice", 0, 4 + 14 * math.pi, 10],
        ]
    )
    assert small == "M0 0L0.00 -10.00A10 10 0 0 1 10.00 -0.00Z"
    assert "A10 10 0 1 1 -7.57 6.54Z" in large
    assert around == large


def by_hand(order, add):
    """Each word's output, word by word: a dictionary of (alive, edible)."""
    nouns = {"dog": (1, 0), "ate": (0, 0), "food": (0, 1)}
    outputs = {}
    for place, word in enumerate(order):
        powers = []
        for other_place, other in enumerate(order):
            score = 6 * sum(nouns[other]) if word == "ate" else 0
            if add:
                back = place - 1 - other_place
                score += 6 * (math.cos(back) + math.cos(back / 100))
            powers.append(math.exp(score / math.sqrt(6 if add else 2)))
        shares = [power / sum(powers) for power in powers]
        outputs[word] = [
            sum(
                share * nouns[other][j]
                for share, other in zip(shares, order, strict=True)
            )
            for j in (0, 1)
        ]
    return outputs


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_saved_as_computed_by_hand(order, add):
    data, names = word_order.panel.data, [WORDS[i] for i in order]
    expected = by_hand(names, add)
    saved = data["outputs"][int(add)][ORDERS.index(order)]
    np.testing.assert_allclose(saved, [expected[w] for w in WORDS], atol=6e-5)
    now = word_order.panel(order=" ".join(names), add=add).compute()
    np.testing.assert_allclose(now.output, [expected[w] for w in names], atol=1e-9)
    weights = data["weights"][int(add)][ORDERS.index(order)]
    np.testing.assert_allclose([weights[i] for i in order], now.asked, atol=6e-5)


def test_no_output_notices_the_order_until_positions_are_added():
    without, with_positions = word_order.panel.data["outputs"]
    np.testing.assert_allclose(without, [without[0]] * len(ORDERS), atol=1e-4)
    first, turned_round = with_positions[:2]
    assert np.abs(np.subtract(first, turned_round)).max(axis=1).min() > 0.1


def test_ate_finds_the_word_before_it():
    assert word_order.panel(add=True).compute().asked.argmax() == 0
    for order in ("food ate dog", "dog ate food"):
        assert word_order.panel(order).compute().by < 1e-12
    turned_round = word_order.panel("food ate dog", add=True).compute().by
    forward, backward = (
        by_hand(o.split(), add=True)["ate"] for o in ("dog ate food", "food ate dog")
    )
    assert turned_round == pytest.approx(math.dist(forward, backward))


def test_a_step_back_leads_to_the_place_before():
    places = in_order.places(5, first=30)[:, in_order.CLOCK]
    back = places[1:] @ in_order.rotation(-1)
    np.testing.assert_allclose(back, places[:-1], atol=1e-12)


def test_a_clock_one_step_back_is_the_one_before_and_only_that_is_the_goal(
    figure_javascript,
):
    quarters = [k / 4 for k in range(-8, 9)]
    for steps in quarters:
        away = [steps + 1, steps, steps - 1]  # from dog, ate, food
        expected = [math.cos(d) + math.cos(d / 100) for d in away]
        found = turned_clock.panel(steps).compute()
        np.testing.assert_allclose(found.matches, expected, atol=1e-12)
    assert turned_clock.panel(-0.5).compute().best == "dog and ate"
    asked = [["turned_clock/live", "goal", {}, {"steps": s}] for s in quarters]
    assert figure_javascript(asked) == [s == -1 for s in quarters]


def test_a_dragged_word_trades_places(figure_javascript):
    cases = [([0, 1, 2], 2, 0), ([0, 1, 2], 0, 2), ([2, 0, 1], 0, 1), ([1, 2, 0], 2, 0)]
    expected = [[2, 1, 0], [2, 1, 0], [2, 0, 1], [2, 1, 0]]
    calls = [["word_order/live", "moved", *case] for case in cases]
    assert figure_javascript(calls) == expected


def test_tidy_makes_numbers_0_or_1_and_stretches_what_lies_between():
    row = np.array([[0, 0.3999, 0.45, 0.55, 0.6001, 3]])
    tidied = row + feed_forward(row, *tidy())
    np.testing.assert_allclose(tidied, [[0, 0, 0.25, 0.75, 1, 1]], atol=1e-12)


def test_only_norms_divide_the_first_row_and_what_is_added_makes_it_a_smaller_part():
    none, after, before = (passed.sizes(name, 3) for name in passed.NORMS)
    for found in (none, before):
        np.testing.assert_allclose(found.kept, np.divide(1, found.spread))
    rows, encoder = passed.drawn(3)
    factors = []
    for step in passed.all_steps(encoder):
        rows = rows + step(rows)
        factors.append(rows.std(axis=-1).mean())
        rows = layer_norm(rows, np.ones(passed.D_MODEL))
    np.testing.assert_allclose(after.kept, 1 / np.cumprod(factors)[1::2], rtol=1e-3)
    assert after.kept[-1] < before.kept[-1] < 1


def test_a_norm_takes_out_a_factor_and_what_is_added():
    states = itertools.product(normed_row.TIMES, normed_row.PLUS)
    first, *others = (normed_row.panel(*one).compute()["cells"] for one in states)
    for cells in others:
        np.testing.assert_allclose(
            np.take(cells, 2, 1), np.take(first, 2, 1), atol=1e-4
        )
    assert np.std([cells[3][0] for cells in others]) > 1


def test_the_steps_between_norms_and_sums_are_the_layer():
    rng = np.random.default_rng(1)
    layer = Encoder.random(1, passed.D_MODEL, 4, 8, rng=rng).layers
    attention, network = passed.steps(layer[0])
    rows = np.random.default_rng(2).standard_normal((3, passed.D_MODEL))
    ones = np.ones(passed.D_MODEL)
    middle = layer_norm(rows + attention(rows), ones)
    both = layer_norm(middle + network(middle), ones)
    np.testing.assert_allclose(both, layer[0](rows))


ONE_COLUMN = ([[1, 1, 1]], [0, -0.4, -0.6], [[-1], [5], [-5]], [0])


def test_two_stacks_ask_the_same_rows_in_every_layer():
    says = repr(translator.translator(["the food"], ["la", "nourriture"], "elle"))
    assert "la nourriture passes 2 layers" in says
    steps = ["masked self-attention", "cross-attention", "network"]
    _, axis = panels()
    ends, asks = translator._stack(axis, translator.DECODER, steps, ["b"])
    named = [one for one in axis.texts if one.get_text() == "cross-attention"]
    assert [one.get_position()[1] for one in named] == asks == sorted(asks)
    assert len(asks) == translator.N_LAYERS
    assert asks[-1] < ends


def test_one_column_is_what_the_network_of_the_story_does_to_each():
    row = np.array([[0, 0.2, 0.45, 0.58, 0.946, 1.2]])
    whole = row + feed_forward(row, *tidy())
    alone = [[a] + feed_forward(np.array([[a]]), *ONE_COLUMN)[0] for a in row[0]]
    np.testing.assert_allclose(whole[0], np.ravel(alone), atol=1e-12)
