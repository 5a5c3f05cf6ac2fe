"""The posts, checked: every claim is recomputed and gets the expected verdict."""

import inspect
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from attncourse import claims as checks
from attncourse.claims import post3, post4_positions, table
from attncourse.claims import posts as examples

CLAIMS = checks.load_claims()


@cache
def results():
    """What every claim comes to; not computed by whoever only lists the tests."""
    return checks.check_all()


@cache
def by_id():
    return {result.claim.id: result for result in results()}


def with_verdict(*verdicts):
    """Check every result with one of these verdicts; say which claims fail, and why.

    One test for all: as tests of their own they took longer to set up than to run.
    """
    chosen = [r for r in results() if r.verdict in verdicts]
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
    assert np.array_equal(np.array(by_id()[claim_id].claim.claimed, float), numbers)


@pytest.mark.parametrize(
    "claim_id",
    ["post2-self-largest", "post2-percentages-sum", "post2-z1-mixture"],
)
def test_numbers_that_a_post_calls_arbitrary_are_not_said_to_hold(claim_id):
    assert by_id()[claim_id].verdict == "unverifiable"
    assert "arbitrary" in by_id()[claim_id].claim.note


def test_a_page_reads_the_claims_without_scipy():
    """Lessons 7 and 8 ask them in the browser, where SciPy is not brought along."""
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from attncourse.claims import CHECKS\n"
        "print(CHECKS['post4-pe-unique']().value)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout == "1000\n", ran.stderr


def claim_of(text, **changes):
    """Return a claim about one number, printed like this."""
    claim = by_id()["post4-pe-sin-1"].claim
    return replace(claim, claimed=Decimal(text), **changes)


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("0.84", 0.8449, "holds"),
        ("0.84", 0.8451, "wrong"),
        ("0.840", 0.8404, "holds"),
        ("0.840", 0.8406, "wrong"),
        ("5", 5.4, "holds"),
        ("5", 5.6, "wrong"),
        ("5", [5.0], "wrong"),
        ("5", float("nan"), "wrong"),
        ("5", None, "unverifiable"),
    ],
)
def test_half_a_unit_of_the_last_digit_decides(text, value, verdict):
    assert checks.judge(claim_of(text), checks.Found(value)) == verdict


def test_rounded_means_wrong_exactly_but_right_with_rounded_steps():
    claim = claim_of("0.87")
    assert checks.judge(claim, checks.Found(0.876, rounded=0.87)) == "rounded"
    assert checks.judge(claim, checks.Found(0.871, rounded=0.95)) == "holds"
    assert checks.judge(claim, checks.Found(0.876, rounded=0.95)) == "wrong"


def test_a_claim_cannot_have_two_checkers():
    with pytest.raises(ValueError, match="already has a checker"):
        checks.checks("post1", {CLAIMS[0].id.removeprefix("post1-"): None})


def test_the_tables_have_a_row_with_its_anchor_for_each_claim():
    pages = [checks.ClaimTable(results(), post) for post in examples.POSTS]
    html = "".join(page._repr_html_() for page in pages)
    assert re.findall(r'<tr [^>]*id="([^"]+)"', html) == [c.id for c in CLAIMS]
    assert not re.search(r"[{}]", html)


@each_result
def test_the_plain_text_says_what_the_table_says(result):
    text = repr(checks.ClaimTable([result], result.claim.post))
    html = checks.ClaimTable([result], result.claim.post)._repr_html_()
    for shown in (table.claimed, table.found, table.verdict, table.why):
        assert shown(result) in text
        assert table.escape(shown(result)) in html


def test_the_totals_add_up():
    rows = checks.Totals(results()).rows
    assert rows[-1][-1] == len(CLAIMS)
    assert rows[-1][1:] == np.sum([row[1:] for row in rows[:-1]], axis=0).tolist()
    assert str(len(CLAIMS)) in repr(checks.Totals(results()))


def test_lessons_link_to_claims_that_exist():
    book = Path(__file__).resolve().parents[3] / "book"
    pages = [*book.glob("*.ipynb"), *book.glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert set(re.findall(r"\{claim\}`([^`]+)`", text)) <= set(by_id())
