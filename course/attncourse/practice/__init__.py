"""Practice: write a step yourself, and be told which mistake you made, if any.

>>> from attncourse.practice import check
>>> def scale(scores, d_k):
...     return scores / d_k
>>> report = check("scale_scores", scale, seed=0)  # doctest: +ELLIPSIS
✗ scale_scores: not yet.
...
>>> report.passed, [finding.code for finding in report.findings]
(False, ['scaled-by-d_k'])
"""

import os

import attnlib
from attncourse.practice.catalogue import EXERCISES
from attncourse.practice.check import check
from attncourse.practice.kinds.catch import catch
from attncourse.practice.kinds.estimate import estimate
from attncourse.practice.kinds.order import order
from attncourse.practice.kinds.predict import predict
from attncourse.practice.kinds.which import which
from named_mistakes.limit import count_as_library
from named_mistakes.report import Finding, Report

# Their lines are no learner's.
for room in (attnlib.__file__, __file__):
    count_as_library(os.path.dirname(room))

__all__ = [
    "EXERCISES",
    "Finding",
    "Report",
    "catch",
    "check",
    "estimate",
    "order",
    "predict",
    "which",
]
