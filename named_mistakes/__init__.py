"""Checkers for NumPy exercises that name the mistake.

An answer goes through `checking` (is there anything to check?), `runner` (call it on
every case), `compare` (set results beside those expected), `diagnose` and `report`.
`diagnose` tries the exercise's known mistakes (`known`), the exercise's own detectors
(`signs`), then those for any function, in order. These use:

- `axes`: code that depends on the number of leading axes;
- `edits`: small changes, one of which may make the answer right (`near_miss`), each
  tried in a copy (`mutation`);
- `static`: mistakes that the code proves without running it;
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

__version__ = "0.1.0"
