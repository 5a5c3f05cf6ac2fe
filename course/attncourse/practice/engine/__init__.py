"""Runs an answer, compares it, finds the mistake, reports it."""
