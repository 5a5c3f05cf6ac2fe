"""Sums that a loop cuts short: one step too few, or = where += was meant."""

LOOK = "where what is added up begins and ends, and what is kept of it"
