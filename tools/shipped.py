"""Ask each bug of lesson 17 what it computes, as it was meant and as it shipped.

    python tools/shipped.py

Prints a line for each, and fails if one goes unnoticed, or if what was meant is blamed.
"""

import os
import sys
from functools import cache

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of two, one waits for the other

from attncheck import ask
from attncourse.shipped import BUGS

OPTIONS = {"observer": {"need_weights": True}}


@cache
def asked(function, **options):
    """Ask a function; several bugs were meant to compute the same."""
    return ask(function, **options)


def noticed(bug):
    """Return what `ask` says of what shipped, and does not say of the fix."""
    options = OPTIONS.get(bug.name, {})
    meant = asked(bug.meant, **options)
    if meant.problems:
        raise AssertionError(f"{bug.name}, as it was meant: {meant.problems[0]}")
    shipped = ask(bug.shipped, expected=meant.facts, **options)
    if shipped.problems:
        return "; ".join(map(str, shipped.problems))
    return shipped.computes if shipped.computes != meant.computes else ""


def main():
    """Print what is noticed of each bug; return the exit code."""
    missed = 0
    for bug in BUGS.values():
        said = noticed(bug)
        missed += not said
        print(f"{bug.name:9} {said or 'NOT NOTICED'}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
