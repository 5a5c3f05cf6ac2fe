"""Every claim of the five posts, recomputed with attnlib.

`registry` defines claim, checker and verdict; `posts` holds the numbers that the
posts print, `measures` what several checkers compute. The `post…` modules hold one
small function for each claim, with its name, or a line in a table where that says it
all. `table` and `summary` show the results.
"""

from . import post1, post2, post3, post4, post4_positions, post5
from .registry import (
    CHECKS,
    Claim,
    Found,
    agrees,
    check_all,
    checks,
    checks_in,
    judge,
    load_claims,
)
from .summary import Filters, Totals
from .table import ClaimTable

for _module in (post1, post2, post3, post4, post4_positions, post5):
    checks_in(_module)

__all__ = [
    "CHECKS",
    "Claim",
    "ClaimTable",
    "Filters",
    "Found",
    "Totals",
    "agrees",
    "check_all",
    "checks",
    "judge",
    "load_claims",
]
