"""Checkers for exercises in NumPy that name the mistake.

An answer goes through `runner` (a call on every case), `compare` (beside what was
expected), `diagnose` (the known mistakes, the exercise's own signs, then the table in
`detectors`) and `report`.
"""

from named_mistakes.checking import check
from named_mistakes.exercise import Case, Exercise, Mistake, Truth
from named_mistakes.report import Finding, Report
from named_mistakes.table import read_beside

__all__ = [
    "Case",
    "Exercise",
    "Finding",
    "Mistake",
    "Report",
    "Truth",
    "check",
    "read_beside",
]
