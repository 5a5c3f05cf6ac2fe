"""Beside lesson 14: what a sliding cache drops, and what that costs."""
