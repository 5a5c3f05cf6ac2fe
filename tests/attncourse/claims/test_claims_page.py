"""Verdicts made from numbers, and the page that shows them."""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from attncourse import claims as checks
from attncourse.claims import posts as examples
from attncourse.claims import table

RESULTS = checks.check_all()
BY_ID = {result.claim.id: result for result in RESULTS}
CLAIMS = [result.claim for result in RESULTS]


def claim_of(text, **changes):
    """Return a claim about one number, printed like this."""
    claim = BY_ID["post4-pe-sin-1"].claim
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
        checks.check(CLAIMS[0].id)(lambda: None)


def test_the_tables_have_a_row_with_its_anchor_for_each_claim():
    pages = [checks.ClaimTable(RESULTS, post) for post in examples.POSTS]
    html = "".join(page._repr_html_() for page in pages)
    assert re.findall(r'<tr [^>]*id="([^"]+)"', html) == [c.id for c in CLAIMS]
    assert not re.search(r"[{}]", html)


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: r.claim.id)
def test_the_plain_text_says_what_the_table_says(result):
    text = repr(checks.ClaimTable([result], result.claim.post))
    html = checks.ClaimTable([result], result.claim.post)._repr_html_()
    for shown in (table.claimed, table.found, table.verdict, table.why):
        assert shown(result) in text
        assert table.escape(shown(result)) in html


def test_the_totals_add_up():
    rows = checks.Totals(RESULTS).rows
    assert rows[-1][-1] == len(CLAIMS)
    assert rows[-1][1:] == np.sum([row[1:] for row in rows[:-1]], axis=0).tolist()
    assert str(len(CLAIMS)) in repr(checks.Totals(RESULTS))


def test_lessons_link_to_claims_that_exist():
    book = Path(__file__).resolve().parents[3] / "book"
    pages = [*book.glob("*.ipynb"), *book.glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert set(re.findall(r"\{claim\}`([^`]+)`", text)) <= set(BY_ID)
