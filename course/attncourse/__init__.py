"""What the lessons show, ask and claim: figures, practice, claims, the real model."""

__version__ = "0.1.0"
