"""The families: rows of ``families.toml``, and functions that rows name.

`FAMILIES` holds them by name, with the sizes of those that a ``text_config`` may be.
"""

from attnconfig.families import (
    blocks,
    by_layer,
    compressed,
    early,
    gemma_shared,
    latent,
    mamba,
    own,
    recurrent,
    ways,
)
from attnconfig.table import FAMILIES, enter_table

__all__ = [
    "FAMILIES",
    "blocks",
    "by_layer",
    "compressed",
    "early",
    "gemma_shared",
    "latent",
    "mamba",
    "own",
    "recurrent",
    "ways",
]

enter_table()
