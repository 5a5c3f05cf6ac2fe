"""Additions of the course to `attnconfig`: calls of attnlib, and what is drawn.

The reader itself is the package `attnconfig`; its names are here too, for a while.
"""

from attnconfig import Cost, Layer, Line, Model, decode, prefill, read
from attncourse.real_model.configuration.calls import call

__all__ = ["Cost", "Layer", "Line", "Model", "call", "decode", "prefill", "read"]
