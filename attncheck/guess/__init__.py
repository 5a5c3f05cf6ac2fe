"""A first model from a few readings: identity as values, queries of 0, log weights."""

from attncheck.guess.first import guess
from attncheck.guess.readings import Readings

__all__ = ["Readings", "guess"]
