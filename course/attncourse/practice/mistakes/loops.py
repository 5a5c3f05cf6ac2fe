"""Sums that a loop cuts short: one step too few, or = where += was meant."""

LOOK = "the loop over what is added up: where it begins and ends, and what it keeps"
