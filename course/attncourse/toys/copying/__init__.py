"""Texts that repeat: models that learn to continue them, and measurements of them."""

from .model import LENGTH, N_SYMBOLS, RUNS, Copier, train, write_texts

__all__ = ["LENGTH", "N_SYMBOLS", "RUNS", "Copier", "train", "write_texts"]
