"""The tables: each row says what it shows; each condition is true of some rows."""

import numpy as np
import pytest

from attncheck.claim import Run
from attncheck.facts import FACTS
from attncheck.model.domain import DOMAIN, read_values
from attncheck.model.fields import Model
from attncheck.plan import HIDES, MASKS, PLAN, check_shapes, fit
from attncheck.runs import KINDS
from attncheck.search import CONDITIONS
from attncheck.vectors import CASES


def empty_run(call):
    b, h, g, n, m, d, d_v = call[1:8]
    shapes = ((b, h, n, d), (b, g, m, d), (b, g, m, d_v), (b, h, n, d_v))
    return Run(*(np.zeros(shape) for shape in shapes), None)


RUNS = [empty_run(call) for call in PLAN if max(call.n, call.m) <= 520]


@pytest.mark.parametrize("words", CONDITIONS)
def test_a_condition_is_true_of_some_calls_and_not_of_others(words):
    found = [bool(run.of(CONDITIONS[words])) for run in RUNS]
    assert 0 < sum(found) < len(found)


def test_each_row_has_an_id_of_its_own_and_says_what_it_shows():
    for rows in (PLAN, MASKS):
        assert len({row.id for row in rows}) == len(rows)
        assert all(row.shows for row in rows)
    assert {call.kind for call in PLAN} <= set(KINDS)
    vectors = {case.call.hides for case in CASES}
    assert {call.hides for call in MASKS} | vectors == set(HIDES)


def test_lengths_are_multiples_of_blocks_and_not():
    lengths = {call.n for call in PLAN if call.n == call.m}
    for block in (16, 32, 64, 128):
        assert {block - 1, block, block + 1} <= lengths
    assert {32, 64, 77, 128, 256} <= {call.d for call in PLAN}


def test_every_value_has_words_a_source_and_a_name_of_its_own():
    values = [value for field in DOMAIN.values() for value in field]
    assert len({value.code for value in values}) == len(values) > 200
    assert all(value.words and value.source for value in values)
    assert set(DOMAIN) <= set(Model.__dataclass_fields__)


def test_an_option_that_the_table_does_not_know_is_refused():
    rows = "scale | a slip | rarely\n    twice | scores are scaled twice | scale=c**2"
    assert next(read_values(rows.replace("rarely", "rare"), {})).rare
    with pytest.raises(ValueError, match="rarely"):
        next(read_values(rows, {}))


def test_what_nobody_means_are_values_that_a_fact_can_have():
    for name, fact in FACTS.items():
        told = {*fact.plain, *fact.never} - {"1/√d_k", "other"}
        assert told <= set(fact.known), name
    assert {value.never for value in DOMAIN["normalized"]} == {True, False}


def test_shapes_bring_calls_to_sizes_that_are_taken():
    calls, unseen = fit(PLAN, {"d": 128, "n": range(64, 513, 64), "m": [64, 256]})
    assert {call.d for call in calls} == {128}
    assert {call.m for call in calls} == {64, 256}
    assert all(call.n % 64 == 0 for call in calls)
    assert all(call.h % call.g == 0 for call in calls)
    assert len({call[1:11] for call in calls}) == len(calls)
    assert "d-77" in {call.id for call in unseen}
    assert fit(PLAN, {}) == (list(PLAN), [])
    with pytest.raises(ValueError, match="no size up to 1040"):
        check_shapes({"n": [4096]})
