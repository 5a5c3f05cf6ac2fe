"""The live figures: one call each, real ipywidgets sliders, drawn in the browser.

Needs ``pip install attnlib[widgets]``. Each function returns a `Panel`: show it by
ending a cell with it, read ``panel.values``, and let attnlib compute what it shows
with ``panel.compute()``.
"""

from .embeddings import embeddings
from .encoder import encoder
from .follow import follow_one_word
from .multi_head import multi_head
from .online_softmax import online_softmax
from .positions import positions
from .projections import projections
from .real_model import real_model
from .scaling import scaling
from .softmax import softmax
from .training import training
from .weighted_sum import weighted_sum
from .widget import Panel

__all__ = [
    "Panel",
    "embeddings",
    "encoder",
    "follow_one_word",
    "multi_head",
    "online_softmax",
    "positions",
    "projections",
    "real_model",
    "scaling",
    "softmax",
    "training",
    "weighted_sum",
]
