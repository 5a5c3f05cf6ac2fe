"""Two exercises on lines through points."""

from regression.line import FIT_LINE
from regression.step import GRADIENT_STEP

__all__ = ["FIT_LINE", "GRADIENT_STEP"]
