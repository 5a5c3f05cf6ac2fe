"""A study that one teacher can run: ``python -m attncourse.teach.study``.

Writes two parallel tests of ten questions, form_a.html and form_b.html, their keys, and
study.html: how to run it, how to compute the gain, and what that does not show. With
``--gain scores.csv`` (columns student_id, before, after) it computes the gain.
"""

import argparse
import csv
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attncourse.teach import exam, paper
from attncourse.teach.problems import Problem, sheet

FULL, DRAWS = 40, 10_000  # marks of a test; classes drawn again for the interval
HOW = Path(__file__).with_name("study.html")


class Gain(NamedTuple):
    """The normalized gain of a class, with its 95% interval."""

    n: int
    before: float
    after: float
    gain: float
    low: float
    high: float


def forms(seed: int) -> tuple[list[Problem], list[Problem]]:
    """Draw two parallel tests of ten questions that share none."""
    rng = np.random.default_rng([seed, 0])
    first = sheet(rng, times=2)
    while True:
        second = sheet(rng, times=2)
        if all(one.given != other.given for one in first for other in second):
            return first, second


def gain(before: list[float], after: list[float], full: float = FULL) -> Gain:
    """Compute the normalized gain of a class.

    Parameters
    ----------
    before, after : list of numbers, one for each student
    full : number
        The most marks that a test can have.

    Raises
    ------
    ValueError
        If there are fewer than two students, marks that cannot be, or nothing to gain.

    References
    ----------
    Hake, R. R. (1998). American Journal of Physics 66, 64.

    Examples
    --------
    >>> round(gain([8, 12], [20, 30]).gain, 3)
    0.5
    """
    marks = np.array([before, after], dtype=float)
    if marks.shape[1] < 2:
        raise ValueError(f"gain: expected two students or more, got {marks.shape[1]}")
    if not np.all((marks >= 0) & (marks <= full)):
        raise ValueError(f"gain: marks go from 0 to {full}")
    if marks[0].mean() == full:
        raise ValueError("gain: all had full marks before: nothing could be gained")
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, marks.shape[1], (DRAWS, marks.shape[1]))
    means = marks[:, chosen].mean(axis=-1)  # (2, DRAWS)
    means = means[:, means[0] < full]
    shares = _share(means[0], means[1], full)
    low, high = np.percentile(shares, [2.5, 97.5])
    mean_before, mean_after = marks.mean(axis=-1)
    share = _share(mean_before, mean_after, full)
    numbers = (mean_before, mean_after, share, low, high)
    return Gain(marks.shape[1], *map(float, numbers))


def _share(before, after, full):
    return (after - before) / (full - before)


def _read(path: Path) -> tuple[list[float], list[float]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        return [float(x["before"]) for x in rows], [float(x["after"]) for x in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path}: expected the columns student_id, before, after, with a number "
            f"for each student; {type(error).__name__}: {error}"
        ) from None


def main(arguments: list[str] | None = None) -> int:
    """Write the forms, or compute the gain; return an exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m attncourse.teach.study", description=__doc__
    )
    parser.add_argument("--seed", type=int, help="a large secret whole number")
    parser.add_argument("--to", type=Path, default=Path("."), help="where to write")
    parser.add_argument("--gain", type=Path, help="a table of marks")
    given = parser.parse_args(arguments)
    given.seed = exam.seed_or_new(given.seed)
    if given.seed < 0:
        parser.error(f"expected a seed from 0; got {given.seed}")
    if not given.gain:
        return _write(given.seed, given.to)
    try:
        found = gain(*_read(given.gain))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(
        f"{found.n} students: {found.before:.1f} before, {found.after:.1f} after, of "
        f"{FULL}. Normalized gain {found.gain:.2f}, 95% interval {found.low:.2f} to "
        f"{found.high:.2f}."
    )
    return 0


def _write(seed: int, to: Path) -> int:
    how = HOW.read_text(encoding="utf-8").format(full=FULL, draws=DRAWS)
    pages = {"study.html": [how]}
    for letter, drawn in zip("ab", forms(seed), strict=True):
        title = (
            f"Attention, worked out · test {exam.digest(seed)} · form {letter.upper()}"
        )
        pages[f"form_{letter}.html"] = [paper.questions(title, drawn)]
        pages[f"form_{letter}_key.html"] = [paper.key(title, drawn)]
    print(*paper.write(pages, "Before and after", to), sep=", ")
    print(exam.told(seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
