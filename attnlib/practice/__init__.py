"""Practice: write a step yourself, and be told which mistake you made, if any.

>>> from attnlib.practice import check
>>> def scale(scores, d_k):
...     return scores / d_k
>>> report = check("scale_scores", scale, seed=0)  # doctest: +ELLIPSIS
✗ scale_scores: not yet.
...
>>> report.passed, [finding.code for finding in report.findings]
(False, ['scaled-by-d_k'])
"""

from attnlib.practice.catalogue import EXERCISES
from attnlib.practice.report import Finding, Report
from attnlib.practice.verdict import check

__all__ = ["EXERCISES", "Finding", "Report", "check"]
