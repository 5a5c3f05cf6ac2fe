"""Kinds of practice beside writing: predict, estimate, order, catch, tell which.

Each shows a verdict, as `check` does, and returns it. Nothing is given away by a wrong
answer: the verdict says in what it is wrong. A function with a line left open is
`check`'s own affair.
"""
