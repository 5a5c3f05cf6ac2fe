"""Read one run: within rounding, a known mistake, or wrong in places that are told."""

from attncheck.reading.read import read_run

__all__ = ["read_run"]
