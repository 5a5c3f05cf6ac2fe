"""The course's package: figures, practice, claims, the real model."""

__version__ = "0.1.0"
