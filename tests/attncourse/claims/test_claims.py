"""The posts, checked: every claim is recomputed and gets the expected verdict."""

import inspect
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from attncourse import claims as checks
from attncourse.claims import post3, post4_positions, table
from attncourse.claims import posts as examples

CLAIMS = checks.load_claims()
RESULTS = checks.check_all([c for c in CLAIMS if c.id in checks.CHECKS])
BY_ID = {result.claim.id: result for result in RESULTS}


def with_verdict(*verdicts):
    """Check every result with one of these verdicts; say which claims fail, and why.

    One test for all: as tests of their own they took longer to set up than to run.
    """
    chosen = [r for r in RESULTS if r.verdict in verdicts]
    assert chosen

    def repeated(test):
        def for_all():
            failed = {}
            for result in chosen:
                try:
                    test(result)
                except AssertionError as error:
                    failed[result.claim.id] = str(error)
            assert failed == {}

        for_all.__doc__ = test.__doc__
        return for_all

    return repeated


each_result = with_verdict("holds", "rounded", "wrong", "unverifiable")


def as_claimed(value):
    """Turn what a checker found into what a claim could say."""
    return np.asarray(value).tolist() if np.ndim(value) else value


def nudged(value, unit):
    """Change a claimed value a little: two units in one number, or the other answer."""
    if isinstance(value, list):
        return [nudged(value[0], unit), *value[1:]]
    if isinstance(value, bool):
        return not value
    return value + " not" if isinstance(value, str) else value + 2 * unit


def test_every_claim_has_a_checker_and_every_checker_a_claim():
    assert set(checks.CHECKS) == {claim.id for claim in CLAIMS}


def test_ids_are_unique_and_name_their_post():
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert re.fullmatch(rf"post{claim.post}-[a-z0-9]+(-[a-z0-9]+)*", claim.id)


def test_there_are_enough_claims_and_all_posts_are_among_them():
    verdicts = Counter(claim.verdict for claim in CLAIMS)
    assert len(CLAIMS) >= 40
    assert verdicts["wrong"] >= 12
    assert {claim.post for claim in CLAIMS} == set(examples.POSTS)


@each_result
def test_the_computed_verdict_is_the_expected_one(result):
    assert result.verdict == result.claim.verdict


@each_result
def test_kind_and_lessons_are_known(result):
    kinds = {"number", "vector", "matrix", "shape", "formula", "code", "statement"}
    assert result.claim.kind in kinds
    assert result.claim.lessons
    assert set(result.claim.lessons) <= set(range(1, 12))


@with_verdict("wrong", "rounded")
def test_what_does_not_hold_is_explained(result):
    assert result.claim.slip
    assert not result.claim.note


@with_verdict("holds", "unverifiable")
def test_what_holds_or_cannot_be_checked_has_no_slip(result):
    assert not result.claim.slip
    assert result.claim.note or result.verdict == "holds"


@each_result
def test_numbers_in_sentences_are_computed(result):
    claim = result.claim
    template = claim.slip + claim.note + claim.unit
    typed = re.sub(r"section \d\.\d|\{[^}]*\}", "", claim.slip + claim.note)
    assert not re.search(r"\d\.\d", typed), "write {name}; let the checker compute it"
    for name in result.found.facts:
        assert re.search(rf"\{{{name}[:}}]", template), f"{name} is never shown"
    assert "{" not in table.why(result) + table.unit(result)


@each_result
def test_a_slip_made_on_purpose_gives_the_printed_digits(result):
    if result.found.again is not None:
        assert result.verdict == "wrong"
        assert checks.agrees(result.claim, result.found.again)


@with_verdict("holds", "rounded")
def test_a_changed_claim_is_found_wrong(result):
    unit = Decimal(1).scaleb(-result.claim.digits)
    changed = replace(result.claim, claimed=nudged(result.claim.claimed, unit))
    assert checks.judge(changed, result.found) == "wrong"


@with_verdict("wrong")
def test_a_corrected_claim_is_found_to_hold(result):
    corrected = replace(result.claim, claimed=as_claimed(result.found.value))
    assert checks.judge(corrected, result.found) == "holds"


def test_checkers_are_not_given_the_claimed_value():
    for function in checks.CHECKS.values():
        assert not inspect.signature(function).parameters


@pytest.mark.parametrize(
    ("claim_id", "numbers"),
    [
        ("post2-embedding-values", examples.I_AM_GOOD),
        ("post2-percentages", examples.PERCENTAGES),
        ("post3-softmax-robots", post3.PRINTED_WEIGHTS),
        ("post4-pe-labeled", post4_positions.PRINTED),
    ],
)
def test_printed_numbers_used_as_inputs_are_those_of_the_claims(claim_id, numbers):
    assert np.array_equal(np.array(BY_ID[claim_id].claim.claimed, float), numbers)


@pytest.mark.parametrize(
    "claim_id",
    ["post2-self-largest", "post2-percentages-sum", "post2-z1-mixture"],
)
def test_numbers_that_a_post_calls_arbitrary_are_not_said_to_hold(claim_id):
    assert BY_ID[claim_id].verdict == "unverifiable"
    assert "arbitrary" in BY_ID[claim_id].claim.note


def test_a_page_reads_the_claims_without_scipy():
    """Lessons 7 and 8 ask them in the browser, where SciPy is not brought along."""
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from attncourse.claims import CHECKS\n"
        "print(CHECKS['post4-pe-unique']().value)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "1000\n", ran.stderr
