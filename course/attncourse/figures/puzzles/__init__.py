"""Figures of the one-minute puzzles."""
