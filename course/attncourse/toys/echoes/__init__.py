"""Texts in which some symbols echo: one layer that learns them, and measurements."""
