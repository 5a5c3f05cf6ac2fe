"""The live figures: one call each, real ipywidgets sliders, drawn in the browser.

Needs ``pip install attnlib[widgets]``. Each function returns a `Panel`: show it by
ending a cell with it, read ``panel.values``, and let attnlib compute what it shows
with ``panel.compute()``.
"""

from .embeddings import embeddings
from .encoder import encoder
from .follow import follow_one_word
from .multi_head import multi_head
from .positions import positions
from .projections import projections
from .scaling import scaling
from .softmax import softmax
from .weighted_sum import weighted_sum
from .widget import Panel

__all__ = [
    "Panel",
    "embeddings",
    "encoder",
    "follow_one_word",
    "multi_head",
    "positions",
    "projections",
    "scaling",
    "softmax",
    "weighted_sum",
]
