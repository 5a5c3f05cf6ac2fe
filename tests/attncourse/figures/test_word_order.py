"""Lesson 7's first figure, words in any order: what it computes."""

import math

import numpy as np
import pytest

from attncourse.figures.word_order import live
from attncourse.figures.word_order.live import ORDERS, WORDS
from attncourse.story import in_order


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
            powers.append(math.exp(score / math.sqrt(6)))
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
    data, names = live.panel.data, [WORDS[i] for i in order]
    expected = by_hand(names, add)
    saved = data["outputs"][int(add)][ORDERS.index(order)]
    np.testing.assert_allclose(saved, [expected[w] for w in WORDS], atol=2e-6)
    now = live.panel(order=" ".join(names), add=add).compute()
    np.testing.assert_allclose(now.output, [expected[w] for w in names], atol=1e-9)
    weights = data["weights"][int(add)][ORDERS.index(order)]
    np.testing.assert_allclose([weights[i] for i in order], now.asked, atol=1e-6)


def test_no_output_notices_the_order_until_positions_are_added():
    without, with_positions = live.panel.data["outputs"]
    np.testing.assert_allclose(without, [without[0]] * len(ORDERS), atol=1e-6)
    first, turned_round = with_positions[:2]
    assert np.abs(np.subtract(first, turned_round)).max(axis=1).min() > 0.1


def test_ate_finds_the_word_before_it():
    assert live.panel(add=True).compute().asked.argmax() == 0
    for order in ("food ate dog", "dog ate food"):
        assert live.panel(order).compute().by < 1e-12
    turned_round = live.panel("food ate dog", add=True).compute().by
    forward, backward = (
        by_hand(o.split(), add=True)["ate"] for o in ("dog ate food", "food ate dog")
    )
    assert turned_round == pytest.approx(math.dist(forward, backward))


def test_a_step_back_leads_to_the_place_before():
    places = in_order.places(5, first=30)[:, in_order.CLOCK]
    back = places[1:] @ in_order.one_step_back()
    np.testing.assert_allclose(back, places[:-1], atol=1e-12)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"order": "dog ate"}, r"order must be one of \['dog ate food', "),
        ({"add": 1}, "add must be True or False"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"word_order: .*{says}"):
        live.panel(**bad)


def test_a_dragged_word_trades_places(figure_javascript):
    cases = [([0, 1, 2], 2, 0), ([0, 1, 2], 0, 2), ([2, 0, 1], 0, 1), ([1, 2, 0], 2, 0)]
    expected = [[2, 1, 0], [2, 1, 0], [2, 0, 1], [2, 1, 0]]
    calls = [["word_order/live", "moved", *case] for case in cases]
    assert figure_javascript(calls) == expected


def test_apart_is_the_distance(figure_javascript):
    a, b = [0.25, -1.5], [0.75, 2.0]
    (got,) = figure_javascript([["word_order/live", "apart", a, b]])
    assert got == pytest.approx(math.dist(a, b))
