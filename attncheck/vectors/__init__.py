"""Cases on file: inputs, the right output, and the mistakes that each one catches."""

from attncheck.vectors.candidates import candidates
from attncheck.vectors.choosing import choose, right, tolerances
from attncheck.vectors.writing import write_vectors

__all__ = ["candidates", "choose", "right", "tolerances", "write_vectors"]
