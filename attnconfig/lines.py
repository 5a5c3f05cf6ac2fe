"""A line of the file, told."""

from typing import NamedTuple

from attnconfig.keys import Changes


class Line(NamedTuple):
    """A line of the file.

    Parameters
    ----------
    key : str
    changes : str
        What another value would change: "totals", "attention", something "elsewhere",
        "nothing" that is computed, or "unknown".
    sentence : str
    """

    key: str
    changes: Changes
    sentence: str
