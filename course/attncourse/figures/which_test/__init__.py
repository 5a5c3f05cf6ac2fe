"""Lesson 17's second figure: which inputs show which bugs."""
