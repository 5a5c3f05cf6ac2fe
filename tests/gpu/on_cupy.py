"""CuPy as the standard of array libraries has it: its arrays lie on the GPU."""

from array_api_compat.cupy import *  # noqa: F403
