"""Candidates, cheapest first: a guess, one value more, a number, two values."""

from attncheck.search.search import Scored, search

__all__ = ["Scored", "search"]
