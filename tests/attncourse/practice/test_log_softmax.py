"""What else holds for log_softmax, beside its answers."""

import numpy as np

from attncourse.practice import check
from attnlib import softmax
from tests.attncourse.practice.answers.log_softmax import naive_total

NAME = "log_softmax"


def test_a_zero_weight_is_told_from_a_large_exponential():
    (found,) = check(NAME, lambda x: np.log(softmax(x))).findings
    assert "weight far below 5e-324 is stored as 0" in found.message
    (found,) = check(NAME, naive_total).findings
    assert "exp(710)" in found.message


def test_a_floor_is_not_claimed_of_everything_flat():
    for fill, code in ((0.0, "all-zeros"), (-3.0, "numbers-all-alike")):
        report = check(NAME, lambda x, fill=fill: np.full_like(x, fill))
        assert {finding.code for finding in report.findings} == {code}
