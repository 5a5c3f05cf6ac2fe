"""Figures of lessons 5 and 6: a query, a weighted sum, several heads."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.multi_head import live as multi_head
from attncourse.figures.query_to_output import live
from attncourse.figures.weighted_sum import live as weighted_sum

KEYS = np.array([[1.0, 0], [0, 0], [0, 1], [0, 0], [0, 0]])  # dog ate food it hungry
CLOSE = {"rtol": 1e-12, "atol": 1e-14}


def test_hungry_asks_as_the_story_says():
    words = story.sentence("hungry")
    trace = story.find().trace(story.embed(words), words)
    answer = live.panel(query=trace.query[-1]).compute()
    np.testing.assert_allclose(answer.weights, trace.weights[-1], **CLOSE)
    np.testing.assert_allclose(answer.output, trace.output[-1], **CLOSE)


def test_places_that_are_marked_are_queries_of_the_story():
    for adjective in ("hungry", "delicious"):
        x = story.embed(story.sentence(adjective))
        query, _, _ = story.find().project(x)
        np.testing.assert_array_equal(live.ASKING[adjective], query[-1])
        np.testing.assert_array_equal(query[:-1], 0)


def test_words_that_share_a_place_have_one_name(figure_javascript):
    names = ["dog", "ate", "food", "it", "hungry"]
    (got,) = figure_javascript(
        [["query_to_output/live", "places", names, KEYS.tolist()]]
    )
    assert got == [[[1, 0], "dog"], [[0, 0], "others"], [[0, 1], "food"]]


@pytest.mark.parametrize("parts", [(1, 1, 1), (20, 1, 5), (3, 17, 2)])
def test_no_mixture_is_a_printed_answer(parts):
    assert weighted_sum.panel(parts).compute().output.sum() == pytest.approx(10)
    for printed in weighted_sum.PRINTED:
        assert sum(printed) < 9.6


def test_one_row_tells_both_parts_the_same():
    told = multi_head.panel("cat ate dog", 0.7).compute().one
    np.testing.assert_allclose(told, [[0.3, 0.7, 0], [0.3, 0.7, 0]])


@pytest.mark.parametrize("sentence", multi_head.SENTENCES)
def test_two_rows_tell_each_part_its_own(sentence):
    numbers = multi_head.panel(sentence, 1.0).compute()
    right = np.all(numbers.one == numbers.wanted, axis=1)
    assert numbers.case == "right"
    assert right.tolist() == [True, False]
    assert multi_head.panel(sentence, 0.0).compute().case == "mixed"


@pytest.mark.parametrize("before", np.linspace(0, 1, 11))
def test_no_matrix_makes_up_for_a_second_row(before):
    """Least squares finds the best that any W^V and W^O could do with one row."""
    each = [multi_head.panel(s, float(before)) for s in multi_head.SENTENCES]
    numbers = [one.compute() for one in each]
    brought = np.stack([now.one[0] for now in numbers])  # (4, 3), before W^V and W^O
    wanted = np.stack([np.ravel(now.wanted) for now in numbers])  # (4, 6)
    best, *_ = np.linalg.lstsq(brought, wanted, rcond=None)
    assert abs(brought @ best - wanted).max() > 0.2
