"""Read the ``config.json`` of a published decoder, or say why that cannot be done.

>>> import attnconfig
>>> gpt2 = {"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12}
>>> model = attnconfig.read(gpt2 | {"vocab_size": 50257})
>>> model.n_parameters, model.cache_bytes(1024)
(124439808, 37748736)
>>> attnconfig.read(gpt2 | {"vocab_size": 50257, "n_registers": 4}).n_parameters is None
True
"""

from attnconfig.costs import Cost, decode, prefill
from attnconfig.facts import Facts, Rotary
from attnconfig.keys import Line
from attnconfig.model import Layer, Model
from attnconfig.reading import read
from attnconfig.serving import Memory, needed, reserved

__all__ = [
    "Cost",
    "Facts",
    "Layer",
    "Line",
    "Memory",
    "Model",
    "Rotary",
    "decode",
    "needed",
    "prefill",
    "read",
    "reserved",
]
__version__ = "0.1.0"
