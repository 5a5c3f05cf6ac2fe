"""Beside lesson 14: how many stored values come back."""
