"""Runs an answer, compares it, finds the mistake, reports it.

An answer goes through `runner` (a call on every case), `compare` (beside what was
expected), `diagnose` (the known mistakes, the exercise's own signs, then the table in
`detectors`) and `report`.

The engine is not a distribution of its own yet. What ties it to this course:

- `limit` takes the lines of attnlib and of this package for a library's, and counts
  neither;
- `runner` reads arrays of PyTorch, JAX and CuPy with `attnlib._arrays.to_numpy`;
- `Case.nothing_seen` and what `compare` and `came` make of it, and of masks that are
  added to scores, are about attention.

Everything else, tables and kinds of practice included, knows only NumPy: an exercise on
anything else, written with `exercise.Exercise`, is judged as it stands.
"""
