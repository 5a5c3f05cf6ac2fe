"""Checkers for exercises in NumPy that name the mistake.

An answer goes through `checking` (is there anything to check?), `runner` (a call on
every case), `compare` (beside what was expected), `diagnose` and `report`. `diagnose`
asks the exercise's known mistakes (`known`), its own signs, then the table in
`detectors`, in whose order they speak. What these look at:

- `axes`: code that depends on how many axes come first;
- `edits`: small changes, one of which may make the answer right (`near_miss`);
- `patterns`: what wrong numbers have in common.

An exercise is written with `exercise`, its mistakes with `table`.
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
