"""PyTorch as the standard has it, with new arrays on the GPU, and in float64.

The device is named in each call, as a user would: a default device of PyTorch would
also hide where attnlib forgets to name one.
"""

from functools import partial

import array_api_compat.torch as compat
import torch
from array_api_compat.torch import *  # noqa: F403

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_default_dtype(torch.float64)
for _name in ("asarray", "arange", "full", "ones", "zeros"):
    globals()[_name] = partial(getattr(compat, _name), device=DEVICE)
