"""Cases on file: inputs, the right output, and the mistakes that each one catches."""

from attncheck.vectors.cases import candidates
from attncheck.vectors.choosing import choose, right, tolerances, write_vectors

__all__ = ["candidates", "choose", "right", "tolerances", "write_vectors"]
