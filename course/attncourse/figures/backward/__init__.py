"""Lesson 10's second figure: one row of attention, forward and back."""
