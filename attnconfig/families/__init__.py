"""The families: rows of ``families.toml``, and functions that rows name.

`FAMILIES` holds them by name, with the sizes of those that a ``text_config`` may be.
"""

import pkgutil
from importlib import import_module

from attnconfig.table import FAMILIES, enter_table

__all__ = ["FAMILIES"]

for module in pkgutil.iter_modules(__path__, f"{__name__}."):
    import_module(module.name)
enter_table()
