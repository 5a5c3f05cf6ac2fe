"""Candidates, cheapest first: a guess, one value more, a number, two values."""

from attncheck.search.search import Found, search

__all__ = ["Found", "search"]
